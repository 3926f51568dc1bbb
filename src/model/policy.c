/* policy.c - finding a policy by name and reading its parameters. */

#include "model/policy.h"
#include "base/bug.h"
#include "base/guard.h"
#include "base/plain.h"
#include "base/suggest.h"
#include "model/policy_param.h"

#include <math.h>
#include <string.h>

/* A part of a text that does not end with a NUL. */
struct piece {
    const char *text;
    size_t length;
};

/* In upper or lower case. */
static bool is_word(struct piece piece, const char *word, size_t length)
{
    for (size_t i = 0; length == piece.length && i < length; i++)
        if (cs_plain_lower(piece.text[i]) != cs_plain_lower(word[i]))
            return false;
    return length == piece.length;
}

static bool policy_is(struct piece piece, const char *word)
{
    return is_word(piece, word, strlen(word));
}

/* Is the piece one of "first|second|..."? */
static bool is_one_of(struct piece piece, const char *words)
{
    while (words) {
        size_t length = strcspn(words, "|");

        if (is_word(piece, words, length))
            return true;
        words = words[length] ? words + length + 1 : NULL;
    }
    return false;
}

static void put_also(const char *name, size_t length, int *before, struct cs_strbuf *out)
{
    cs_strbuf_puts(out, (*before)++ ? ", " : " (");
    cs_strbuf_append(out, name, length);
}

/* "list (greedy, easy, conservative)": the name, its presets and aliases. */
static void policy_put_names(const struct cs_policy *policy, struct cs_strbuf *out)
{
    int before = 0;

    cs_strbuf_puts(out, policy->name);
    for (const struct cs_policy_preset *p = policy->presets; p && p->name; p++)
        put_also(p->name, strlen(p->name), &before, out);
    for (const char *a = policy->aliases; a && *a; a += strcspn(a, "|"), a += *a == '|')
        put_also(a, strcspn(a, "|"), &before, out);
    cs_strbuf_puts(out, before ? ")" : "");
}

static int unknown_policy(struct piece name, const struct cs_policy *const *list, int count,
                          struct cs_error *err)
{
    struct cs_strbuf word = CS_STRBUF_INIT, names = CS_STRBUF_INIT;
    struct cs_suggest suggest;

    cs_strbuf_append(&word, name.text, name.length);
    suggest = (struct cs_suggest){.word = word.text};
    for (int i = 0; i < count; i++) {
        cs_suggest_offer(&suggest, list[i]->name);
        if (list[i]->aliases)
            cs_suggest_offer_parts(&suggest, list[i]->aliases, '|');
        for (const struct cs_policy_preset *p = list[i]->presets; p && p->name; p++)
            cs_suggest_offer(&suggest, p->name);
        cs_strbuf_puts(&names, i ? ", " : "");
        policy_put_names(list[i], &names);
    }
    if (suggest.best[0])
        cs_error_set(err, "there is no policy \"%s\"; did you mean \"%s\"? The policies are %s",
                     word.text, suggest.best, names.text);
    else
        cs_error_set(err, "there is no policy \"%s\"; the policies are %s", word.text, names.text);
    cs_strbuf_release(&word);
    cs_strbuf_release(&names);
    return -1;
}

static const struct cs_policy_preset *find_preset(struct piece name, const struct cs_policy *policy)
{
    for (const struct cs_policy_preset *p = policy->presets; p && p->name; p++)
        if (policy_is(name, p->name))
            return p;
    return NULL;
}

static int find_policy(struct piece name, const struct cs_policy *const *list, int count,
                       struct cs_error *err)
{
    for (int i = 0; i < count; i++)
        if (policy_is(name, list[i]->name) || is_one_of(name, list[i]->aliases) ||
            find_preset(name, list[i]))
            return i;
    return unknown_policy(name, list, count, err);
}

static int unknown_param(struct piece name, const struct cs_policy *policy, struct cs_error *err)
{
    struct cs_strbuf word = CS_STRBUF_INIT, names = CS_STRBUF_INIT;
    struct cs_suggest suggest;

    cs_strbuf_append(&word, name.text, name.length);
    suggest = (struct cs_suggest){.word = word.text};
    for (const struct cs_policy_param *p = policy->params; p && p->name; p++) {
        cs_suggest_offer(&suggest, p->name);
        cs_strbuf_printf(&names, "%s%s (", names.length ? ", " : "", p->name);
        cs_policy_param_put_range(&names, p);
        cs_strbuf_printf(&names, ", default %s)", p->default_text);
    }
    if (!names.length)
        cs_error_set(err, "there is no parameter \"%s\"; this policy has none", word.text);
    else if (suggest.best[0])
        cs_error_set(err, "there is no parameter \"%s\"; did you mean \"%s\"? It has %s", word.text,
                     suggest.best, names.text);
    else
        cs_error_set(err, "there is no parameter \"%s\"; it has %s", word.text, names.text);
    cs_strbuf_release(&word);
    cs_strbuf_release(&names);
    return -1;
}

static int find_param(struct piece name, const struct cs_policy *policy, struct cs_error *err)
{
    for (int i = 0; policy->params && policy->params[i].name; i++)
        if (policy_is(name, policy->params[i].name) ||
            (policy->params[i].old && policy_is(name, policy->params[i].old)))
            return i;
    return unknown_param(name, policy, err);
}

static void set_fallbacks(const struct cs_policy *policy, struct cs_policy_call *call)
{
    for (int i = 0; policy->params && policy->params[i].name; i++) {
        CS_REQUIRE(i < CS_POLICY_PARAM_MAX);
        cs_policy_param_read(&policy->params[i], policy->params[i].default_text, &call->param[i],
                             NULL);
    }
}

/* Read "param=value" of that length. */
static int read_setting(struct piece setting, const struct cs_policy *policy, bool *seen,
                        struct cs_policy_call *call, struct cs_error *err)
{
    const char *equals = memchr(setting.text, '=', setting.length);
    struct piece name = {setting.text, equals ? (size_t)(equals - setting.text) : setting.length};
    struct cs_strbuf value = CS_STRBUF_INIT;
    int index, failed;

    if (setting.length == 0)
        return cs_error_set(err, "a parameter is empty; write param=value[,param=value...]");
    index = find_param(name, policy, err);
    if (index < 0)
        return -1;
    if (!equals)
        return cs_error_set(err, "%s has no value; write %s=%s", policy->params[index].name,
                            policy->params[index].name, policy->params[index].default_text);
    if (seen[index])
        return cs_error_set(err, "%s is given twice", policy->params[index].name);
    seen[index] = true;
    cs_strbuf_append(&value, equals + 1, setting.length - name.length - 1);
    failed = cs_policy_param_read(&policy->params[index], value.text, &call->param[index], err);
    cs_strbuf_release(&value);
    return failed;
}

static int read_settings(const char *at, const struct cs_policy *policy,
                         struct cs_policy_call *call, struct cs_error *err)
{
    bool seen[CS_POLICY_PARAM_MAX] = {false};
    bool more = true;

    while (more) {
        size_t length = strcspn(at, ",:");

        if (read_setting((struct piece){at, length}, policy, seen, call, err))
            return cs_error_prefix(err, "policy %s", policy->name);
        more = at[length] != '\0';
        at += length + 1;
    }
    return 0;
}

int cs_policy_parse(const char *text, const struct cs_policy *const *list, int count,
                    struct cs_policy_call *call, struct cs_error *err)
{
    CS_ASK(text && list && call, err, -1);
    CS_GUARD(err, -1);
    size_t length = strcspn(text, ":");
    struct cs_policy_call found = {.policy = -1};
    const struct cs_policy_preset *preset;
    int index = find_policy((struct piece){text, length}, list, count, err);

    if (index < 0)
        return -1;
    found.policy = index;
    set_fallbacks(list[index], &found);
    preset = find_preset((struct piece){text, length}, list[index]);
    if (preset && preset->settings[0] && read_settings(preset->settings, list[index], &found, err))
        return -1;
    if (text[length] && read_settings(text + length + 1, list[index], &found, err))
        return -1;
    *call = found;
    return 0;
}
