/* paper_give.c - parameters that are given from outside. */
#include "campaign/paper.h"

#include "base/strbuf.h"

#include <inttypes.h>
#include <string.h>

static const struct cs_paper_need *find_need(const struct cs_paper *paper, const char *parameter)
{
    for (int n = 0; n < paper->nneeds; n++)
        if (!strcmp(paper->need[n].parameter, parameter))
            return &paper->need[n];
    return NULL;
}

/* Which part of the paper sets the parameter; NULL: none. */
static const char *find_owner(const struct cs_paper *paper, const char *parameter)
{
    if (!strcmp(paper->x_parameter, parameter))
        return "its axis";
    for (int p = 0; p < paper->npanels; p++)
        if (json_object_get(paper->panel[p].set, parameter))
            return "its panels";
    for (int s = 0; s < paper->nseries; s++)
        if (json_object_get(paper->series[s].set, parameter))
            return "its series";
    return NULL;
}

int cs_paper_takes(const struct cs_paper *paper, const char *parameter, struct cs_error *err)
{
    struct cs_error inner = {{0}};
    const struct cs_parameter *known = cs_runner_parameter(paper->runner, parameter, &inner);
    const char *owner = find_owner(paper, parameter);

    if (!known)
        return cs_error_set(err, "%s: %s", paper->name, inner.text);
    if (owner)
        return cs_error_set(err, "%s: %s set '%s', it cannot be given", paper->name, owner,
                            parameter);
    if (known->kind == CS_PARAMETER_FILE && !find_need(paper, parameter))
        return cs_error_set(err, "%s takes no file as '%s'", paper->name, parameter);
    return 0;
}

int cs_paper_give(struct cs_paper *paper, const char *parameter, const char *text,
                  struct cs_error *err)
{
    struct cs_error inner = {{0}};
    json_t *value;

    if (cs_paper_takes(paper, parameter, err))
        return -1;
    value = cs_parameter_read(cs_runner_parameter(paper->runner, parameter, err), text, &inner);
    if (!value)
        return cs_error_set(err, "%s: %s", paper->name, inner.text);
    json_object_set_new(paper->given, parameter, value);
    return 0;
}

const struct cs_paper_need *cs_paper_missing(const struct cs_paper *paper)
{
    for (int n = 0; n < paper->nneeds; n++)
        if (!json_object_get(paper->given, paper->need[n].parameter))
            return &paper->need[n];
    return NULL;
}

static void put_given(const struct cs_paper *paper, struct cs_strbuf *out)
{
    const char *name;
    json_t *value;

    json_object_foreach(paper->given, name, value)
    {
        if (strcmp(name, "input"))
            cs_strbuf_printf(out, " --set %s=", name);
        else
            cs_strbuf_puts(out, " --input ");
        if (json_is_string(value))
            cs_strbuf_put_shell(out, json_string_value(value));
        else
            cs_strbuf_put_double(out, json_number_value(value));
    }
}

void cs_paper_put_command(const struct cs_paper *paper, uint64_t seed, struct cs_strbuf *out)
{
    cs_strbuf_puts(out, "cosched paper run ");
    cs_strbuf_put_shell(out, paper->name);
    if (paper->quick)
        cs_strbuf_puts(out, " --quick");
    put_given(paper, out);
    if (seed != paper->seed)
        cs_strbuf_printf(out, " --seed %" PRIu64, seed);
}
