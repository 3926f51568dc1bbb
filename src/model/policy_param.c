/* policy_param.c - the parameters of policies. */
#include "model/policy_param.h"

#include "base/number.h"
#include "base/suggest.h"

#include <math.h>
#include <string.h>

static void put_limits(struct cs_strbuf *out, const struct cs_policy_param *p)
{
    const char *less = p->open ? " < " : " <= ";

    if (isfinite(p->low) && isfinite(p->high)) {
        cs_strbuf_put_double(out, p->low);
        cs_strbuf_printf(out, "%s%s%s", less, p->name, less);
        cs_strbuf_put_double(out, p->high);
    } else if (isfinite(p->low)) {
        cs_strbuf_printf(out, "%s%s", p->name, p->open ? " > " : " >= ");
        cs_strbuf_put_double(out, p->low);
    } else if (isfinite(p->high)) {
        cs_strbuf_printf(out, "%s%s", p->name, less);
        cs_strbuf_put_double(out, p->high);
    } else {
        cs_strbuf_puts(out, "any number");
    }
}

void cs_policy_param_put_range(struct cs_strbuf *out, const struct cs_policy_param *param)
{
    if (param->kind != CS_POLICY_PARAM_CHOICE)
        put_limits(out, param);
    if (param->kind != CS_POLICY_PARAM_CHOICE && param->choices)
        cs_strbuf_puts(out, " or ");
    if (param->choices)
        cs_strbuf_puts(out, param->choices);
}

static int bad_value(const struct cs_policy_param *p, const char *text, struct cs_error *err)
{
    struct cs_strbuf right = CS_STRBUF_INIT;

    if (p->kind == CS_POLICY_PARAM_CHOICE) {
        cs_suggest_put_parts(&right, p->choices);
    } else {
        cs_strbuf_puts(&right,
                       p->kind == CS_POLICY_PARAM_INTEGER ? "a whole number, " : "a number, ");
        put_limits(&right, p);
        if (p->choices)
            cs_strbuf_puts(&right, ", or ");
        if (p->choices)
            cs_suggest_put_parts(&right, p->choices);
    }
    cs_error_set(err, "%s cannot be \"%s\"; it must be %s (default %s)", p->name, text, right.text,
                 p->default_text);
    cs_strbuf_release(&right);
    return -1;
}

/* Which of the words it is; -1 for none. */
static int find_choice(const struct cs_policy_param *p, const char *text)
{
    size_t length = strlen(text);
    const char *at = p->choices;

    for (int index = 0; at; index++) {
        size_t size = strcspn(at, "|");

        if (size == length && memcmp(at, text, length) == 0)
            return index;
        at = at[size] ? at + size + 1 : NULL;
    }
    return -1;
}

static bool param_within(const struct cs_policy_param *p, double number)
{
    return p->open ? number > p->low && number < p->high : number >= p->low && number <= p->high;
}

static int param_read_number(const struct cs_policy_param *p, const char *text, double *value,
                             struct cs_error *err)
{
    const char *letters = p->kind == CS_POLICY_PARAM_INTEGER ? "0123456789+-" : "0123456789+-.eE";
    double number;

    if (text[strspn(text, letters)] || cs_number_double(text, &number) || !param_within(p, number))
        return bad_value(p, text, err);
    *value = number;
    return 0;
}

static int read_strictly(const struct cs_policy_param *p, const char *text, double *value,
                         struct cs_error *err)
{
    int choice = find_choice(p, text);

    if (choice >= 0) {
        *value = p->kind == CS_POLICY_PARAM_CHOICE ? choice : -1 - choice;
        return 0;
    }
    return p->kind == CS_POLICY_PARAM_CHOICE ? bad_value(p, text, err)
                                             : param_read_number(p, text, value, err);
}

int cs_policy_param_read(const struct cs_policy_param *param, const char *text, double *value,
                         struct cs_error *err)
{
    if (strcmp(text, param->default_text) != 0)
        return read_strictly(param, text, value, err);
    if (read_strictly(param, text, value, NULL))
        *value = NAN;
    return 0;
}

static int words_of(const struct cs_policy_param *p)
{
    int count = p->choices ? 1 : 0;

    for (const char *at = p->choices; at && *at; at++)
        count += *at == '|';
    return count;
}

/* NaN stands for a fallback that is a word. */
static bool is_allowed(const struct cs_policy_param *p, double value)
{
    double number;

    if (isnan(value))
        return read_strictly(p, p->default_text, &number, NULL) != 0;
    if (value == 0)
        return true;
    if (p->kind == CS_POLICY_PARAM_CHOICE)
        return value > 0 && value < words_of(p) && value == floor(value);
    if (value <= -1 && value >= -words_of(p) && value == floor(value))
        return true;
    return param_within(p, value) && (p->kind == CS_POLICY_PARAM_REAL || value == floor(value));
}

bool cs_policy_text_sets(const char *text, const char *param)
{
    size_t length = strlen(param);

    for (const char *at = strpbrk(text, ":,"); at; at = strpbrk(at + 1, ":,"))
        if (!strncmp(at + 1, param, length) && at[1 + length] == '=')
            return true;
    return false;
}

/* The other name of the parameter that is set here ("name=value"), and its length; or NULL. */
static const char *other_name(const struct cs_policy *const *list, int count, const char *setting,
                              bool former, size_t *length)
{
    for (int i = 0; i < count; i++)
        for (const struct cs_policy_param *p = list[i]->params; p && p->name; p++) {
            const char *name = former ? p->name : p->old;

            *length = p->old ? strlen(name) : 0;
            if (p->old && !strncmp(setting, name, *length) && setting[*length] == '=')
                return former ? p->old : p->name;
        }
    return NULL;
}

void cs_policy_put_text(const struct cs_policy *const *list, int count, const char *text,
                        bool former, struct cs_strbuf *out)
{
    while (*text) {
        size_t length = strcspn(text, ":,");
        const char *name;

        length += text[length] != '\0';
        cs_strbuf_append(out, text, length);
        text += length;
        name = other_name(list, count, text, former, &length);
        if (name)
            cs_strbuf_puts(out, name);
        text += name ? length : 0;
    }
}

/* Does a policy before this one have the same former name? */
static bool was_before(const struct cs_policy *const *list, int index, const char *old)
{
    for (int i = 0; i < index; i++)
        for (const struct cs_policy_param *p = list[i]->params; p && p->name; p++)
            if (p->old && !strcmp(p->old, old))
                return true;
    return false;
}

void cs_policy_put_renamed(const struct cs_policy *const *list, int count, const char *text,
                           struct cs_strbuf *out)
{
    for (int i = 0; i < count; i++)
        for (const struct cs_policy_param *p = list[i]->params; p && p->name; p++)
            if (p->old && cs_policy_text_sets(text, p->old) && !was_before(list, i, p->old))
                cs_strbuf_printf(out, "%s'%s' is now called '%s'", out->length ? "; " : "", p->old,
                                 p->name);
}

int cs_policy_call_check(const struct cs_policy_call *call, const struct cs_policy *const *list,
                         int count, struct cs_error *err)
{
    const struct cs_policy *policy;

    if (call->policy < 0 || call->policy >= count)
        return cs_error_set(err, "policy %d is not one of the %d policies, from 0 on", call->policy,
                            count);
    policy = list[call->policy];
    for (int i = 0; policy->params && policy->params[i].name; i++)
        if (!is_allowed(&policy->params[i], call->param[i]))
            return cs_error_set(err, "policy %s: %s cannot be %g", policy->name,
                                policy->params[i].name, call->param[i]);
    return 0;
}
