/* arguments.c - reading a command line against its tables. */
#include "problem/arguments.h"

#include "base/bug.h"
#include "base/suggest.h"

#include <string.h>

struct cs_option_value {
    int count;          /* how often it was given */
    const char **texts; /* repeats: space for all */
    struct cs_param_value is;
};

struct parser {
    int argc, at;
    char *const *argv;
    struct cs_arguments *args;
    const char **operand;
    bool old; /* the option was given by its name of a former release */
    struct cs_error *err;
};

void cs_param_put_words(const struct cs_param *param, struct cs_strbuf *out)
{
    for (const char *c = param->choices; c && *c; c++)
        cs_strbuf_putc(out, *c == '|' ? ' ' : *c);
    if (param->values)
        param->values(out);
    if (param->words)
        cs_strbuf_puts(out, param->words);
}

bool cs_param_has_words(const struct cs_param *param)
{
    return param->choices || param->values || param->words;
}

static int count_options(const struct cs_param *options)
{
    int count = 0;

    while (options && options[count].name)
        count++;
    return count;
}

static int unknown_option(const struct cs_param *options, const char *name, size_t length,
                          struct cs_error *err)
{
    char word[64] = "";
    struct cs_suggest suggest = {.word = word};

    strncat(word, name, length < sizeof word ? length : sizeof word - 1);
    for (const struct cs_param *o = options; o && o->name; o++)
        cs_suggest_offer(&suggest, o->name);
    cs_suggest_offer(&suggest, "help");
    if (suggest.best[0])
        return cs_error_set(err, "there is no option --%.*s; did you mean --%s?", (int)length, name,
                            suggest.best);
    return cs_error_set(err, "there is no option --%.*s", (int)length, name);
}

/* Report --policy where other options select policies, with their names. False if no option does.
 */
static bool reported_policies(const struct cs_param *options, const char *name, size_t length,
                              struct cs_error *err)
{
    struct cs_strbuf list = CS_STRBUF_INIT;
    bool any;

    for (const struct cs_param *o = options;
         o && o->name && length == strlen("policy") && !strncmp(name, "policy", length); o++)
        if (o->policies || o->chooses)
            cs_strbuf_printf(&list, "%s--%s", list.length ? " and " : "", o->name);
    any = list.length > 0;
    if (any)
        cs_error_set(err, "there is no option --policy here: policies are chosen by %s", list.text);
    cs_strbuf_release(&list);
    return any;
}

static int ambiguous_option(const struct cs_param *options, const char *name, size_t length,
                            struct cs_error *err)
{
    struct cs_strbuf list = CS_STRBUF_INIT;

    if (reported_policies(options, name, length, err))
        return -1;
    for (const struct cs_param *o = options; o->name; o++)
        if (strncmp(o->name, name, length) == 0)
            cs_strbuf_printf(&list, "%s--%s", list.length ? ", " : "", o->name);
    cs_error_set(err, "--%.*s is short for several options: %s", (int)length, name, list.text);
    cs_strbuf_release(&list);
    return -1;
}

static void note_old(struct cs_arguments *args, const char *word, const char *now)
{
    struct cs_strbuf text = CS_STRBUF_INIT;

    cs_strbuf_printf(&text, "--%s is now called --%s", word, now);
    args->note[args->notes++] = cs_arena_strdup(args->arena, text.text);
    cs_strbuf_release(&text);
}

/* The name of the option may have its note already: both are one. */
static void note_old_choice(struct cs_arguments *args, const struct cs_param *o, bool old,
                            const char *text)
{
    const char *now = cs_choice_now(o, text);
    struct cs_strbuf note = CS_STRBUF_INIT;

    if (now == text)
        return;
    if (old)
        cs_strbuf_printf(&note, "%s; ", args->note[--args->notes]);
    cs_strbuf_printf(&note, "--%s %s is now called --%s %s", o->name, text, o->name, now);
    args->note[args->notes++] = cs_arena_strdup(args->arena, note.text);
    cs_strbuf_release(&note);
}

/* The index of the option that had exactly this name in a former release; -1: none. */
static int find_old(struct cs_arguments *args, const char *name, size_t length)
{
    const struct cs_param *options = args->options;
    char word[64] = "";

    strncat(word, name, length < sizeof word ? length : sizeof word - 1);
    for (int i = 0; options && options[i].name; i++)
        if (cs_param_was(&options[i], word)) {
            if (!options[i].old_stays)
                note_old(args, word, options[i].name);
            return i;
        }
    return -1;
}

/* The index of the option with this name, former name or unambiguous prefix; -1 with err. */
static int find_long(struct parser *p, const char *name, size_t length)
{
    const struct cs_param *options = p->args->options;
    int found = -1, matches = 0, old;

    p->old = false;
    for (int i = 0; options && options[i].name; i++) {
        if (length == 0 || strncmp(options[i].name, name, length) != 0)
            continue;
        if (!options[i].name[length])
            return i;
        found = i;
        matches++;
    }
    old = find_old(p->args, name, length);
    p->old = old >= 0;
    if (p->old)
        return old;
    if (matches == 0)
        return unknown_option(options, name, length, p->err);
    if (matches > 1)
        return ambiguous_option(options, name, length, p->err);
    return found;
}

static int read_value(const struct cs_param *o, const char *text, struct cs_param_value *value,
                      struct cs_error *err)
{
    char as[80] = "--";

    strncat(as, o->name, sizeof as - 3);
    return cs_param_read(o, as, text, value, err);
}

static int keep_value(struct parser *p, int index, const char *text)
{
    const struct cs_param *o = &p->args->options[index];
    struct cs_option_value *v = &p->args->value[index];

    if (v->count && !o->repeats && o->kind != CS_PARAM_FLAG)
        return cs_error_set(p->err, "--%s is given twice", o->name);
    if (read_value(o, text, &v->is, p->err))
        return -1;
    if (o->old_choice)
        note_old_choice(p->args, o, p->old && !o->old_stays, text);
    if (p->old && o->old_unit > 0)
        v->is.real *= o->old_unit;
    if (o->repeats)
        v->texts[v->count] = text;
    v->count++;
    return 0;
}

/* `inside` is the value written in the same word, or NULL: then it is the next word. */
static int take_value(struct parser *p, int index, const char *inside)
{
    const struct cs_param *o = &p->args->options[index];

    if (o->kind == CS_PARAM_FLAG && inside)
        return cs_error_set(p->err, "--%s takes no value, but \"%s\" was given", o->name, inside);
    if (o->kind == CS_PARAM_FLAG)
        return keep_value(p, index, "");
    if (inside)
        return keep_value(p, index, inside);
    if (p->at == p->argc)
        return cs_error_set(p->err, "--%s needs a value: --%s %s", o->name, o->name, o->argument);
    return keep_value(p, index, p->argv[p->at++]);
}

static int take_long(struct parser *p, const char *word)
{
    size_t length = strcspn(word, "=");
    int index = find_long(p, word, length);

    return index < 0 ? -1 : take_value(p, index, word[length] ? word + length + 1 : NULL);
}

static int take_letter(struct parser *p, const char *word)
{
    const struct cs_param *options = p->args->options;

    p->old = false;
    for (int i = 0; options && options[i].name; i++)
        if (options[i].letter && options[i].letter == word[1])
            return take_value(p, i, word[2] ? word + 2 : NULL);
    for (int i = 0; options && options[i].name; i++)
        if (strcmp(options[i].name, word + 1) == 0)
            return cs_error_set(p->err, "there is no option %s; did you mean --%s?", word,
                                options[i].name);
    return cs_error_set(p->err, "there is no option -%c", word[1]);
}

static int take_word(struct parser *p, bool *only_operands)
{
    const char *word = p->argv[p->at++];

    if (*only_operands || word[0] != '-' || !word[1]) {
        p->operand[p->args->operands++] = word;
        return 0;
    }
    if (strcmp(word, "--") == 0) {
        *only_operands = true;
        return 0;
    }
    return word[1] == '-' ? take_long(p, word + 2) : take_letter(p, word);
}

/* --help takes precedence over all errors on the line. */
static bool wants_help(int argc, char *const *argv)
{
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            return true;
    return false;
}

static int check_operand(const struct cs_operand *o, const char *text, struct cs_error *err)
{
    if (!*text)
        return cs_error_set(err, "%s is empty; it must be %s", o->name, o->summary);
    if (o->kind == CS_PARAM_CHOICE && cs_choice_index(o->choices, text) < 0)
        return cs_choice_error(o->name, text, o->choices, err);
    return 0;
}

static int check_operands(const struct cs_arguments *args, const struct cs_operand *operands,
                          struct cs_error *err)
{
    const struct cs_operand *o = operands;
    int at = 0;

    for (; o && o->name; o++) {
        int first = at;

        for (; at < args->operands && (at == first || o->repeats); at++)
            if (check_operand(o, args->operand[at], err))
                return -1;
        if (at == first && !o->optional)
            return cs_error_set(err, "%s is missing: %s", o->name, o->summary);
    }
    if (at < args->operands)
        return cs_error_set(err, "\"%s\" is one word too many", args->operand[at]);
    return 0;
}

static int check_needs(const struct cs_arguments *args, struct cs_error *err)
{
    for (const struct cs_param *o = args->options; o && o->name; o++) {
        bool supplied = cs_arguments_has(args, o->name);

        if (o->needs && supplied && !cs_arguments_has(args, o->needs))
            return cs_error_set(err, "--%s is for --%s, which is not given", o->name, o->needs);
        if (o->required && !supplied)
            return cs_error_set(err, "--%s is missing: %s", o->name, o->summary);
    }
    return 0;
}

static void set_fallbacks(struct cs_arguments *args, int count)
{
    for (int i = 0; i < count; i++) {
        const struct cs_param *o = &args->options[i];
        struct cs_error err = {0};

        args->value[i].is.choice = -1;
        if (o->default_text && read_value(o, o->default_text, &args->value[i].is, &err))
            cs_bug("the default of --%s: %s", o->name, err.text);
    }
}

int cs_arguments_parse(int argc, char *const *argv, const struct cs_param *options,
                       const struct cs_operand *operands, struct cs_arena *arena,
                       struct cs_arguments *args, struct cs_error *err)
{
    int count = count_options(options);
    struct parser p = {.argc = argc, .argv = argv, .args = args, .err = err};
    bool only_operands = false;

    p.operand = CS_NEW_ARRAY(arena, const char *, argc + 1);
    *args = (struct cs_arguments){
        .options = options, .operand = p.operand, .words = argc, .word = argv, .arena = arena};
    args->note = CS_NEW_ARRAY(arena, const char *, argc + 1);
    args->value = CS_NEW_ARRAY(arena, struct cs_option_value, count);
    for (int i = 0; i < count; i++)
        if (options[i].repeats)
            args->value[i].texts = CS_NEW_ARRAY(arena, const char *, argc + 1);
    set_fallbacks(args, count);
    args->help = wants_help(argc, argv);
    if (args->help)
        return 0;
    while (p.at < argc)
        if (take_word(&p, &only_operands))
            return -1;
    return check_needs(args, err) || check_operands(args, operands, err) ? -1 : 0;
}

/* All texts of an option that repeats, a line each. */
static const char *arguments_join(const struct cs_option_value *v, struct cs_arena *arena)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    const char *copy;

    for (int i = 0; i < v->count; i++)
        cs_strbuf_printf(&text, "%s%s", i ? "\n" : "", v->texts[i]);
    copy = cs_arena_strdup(arena, text.text);
    cs_strbuf_release(&text);
    return copy;
}

void cs_arguments_store(const struct cs_arguments *args, void *options)
{
    for (int i = 0; args->options[i].name; i++) {
        const struct cs_option_value *v = &args->value[i];
        struct cs_param_value is = v->is;

        if (args->options[i].repeats && v->count > 1)
            is.text = arguments_join(v, args->arena);
        cs_param_store(&args->options[i], &is, options);
    }
}

static const struct cs_option_value *arguments_value_of(const struct cs_arguments *args,
                                                        const char *name, unsigned kinds)
{
    for (int i = 0; args->options && args->options[i].name; i++)
        if (strcmp(args->options[i].name, name) == 0 && (1U << args->options[i].kind & kinds))
            return &args->value[i];
    cs_bug("no option --%s of that kind", name);
}

static const struct cs_option_value *arguments_number_of(const struct cs_arguments *args,
                                                         const char *name, unsigned kinds)
{
    const struct cs_option_value *v = arguments_value_of(args, name, kinds);

    if (!v->is.text)
        cs_bug("option --%s has no value", name);
    return v;
}

bool cs_arguments_has(const struct cs_arguments *args, const char *name)
{
    return arguments_value_of(args, name, ~0U)->count > 0;
}

int64_t cs_arguments_integer(const struct cs_arguments *args, const char *name)
{
    return arguments_number_of(args, name, 1U << CS_PARAM_INTEGER)->is.integer;
}

double cs_arguments_real(const struct cs_arguments *args, const char *name)
{
    return arguments_number_of(args, name, 1U << CS_PARAM_REAL | 1U << CS_PARAM_SECONDS)->is.real;
}

int cs_arguments_choice(const struct cs_arguments *args, const char *name)
{
    return arguments_number_of(args, name, 1U << CS_PARAM_CHOICE)->is.choice;
}

const char *cs_arguments_text(const struct cs_arguments *args, const char *name)
{
    return arguments_value_of(args, name, ~(1U << CS_PARAM_FLAG))->is.text;
}

const char *const *cs_arguments_texts(const struct cs_arguments *args, const char *name, int *count)
{
    const struct cs_option_value *v = arguments_value_of(args, name, ~(1U << CS_PARAM_FLAG));

    *count = v->texts ? v->count : 0;
    return v->texts;
}

const char *cs_arguments_operand(const struct cs_arguments *args, int position)
{
    return position < args->operands ? args->operand[position] : NULL;
}

void cs_arguments_put(const struct cs_arguments *args, struct cs_strbuf *out)
{
    for (int w = 0; w < args->words; w++) {
        cs_strbuf_putc(out, ' ');
        cs_strbuf_put_shell(out, args->word[w]);
    }
}

/* Is the word --threads, or a prefix of it, in a command that has this option? The parser has
 * rejected a prefix of two options. */
static bool is_threads(const struct cs_arguments *args, const char *word)
{
    size_t length = strcspn(word, "=");

    if (length < 3 || strncmp(word, "--threads", length) || length > strlen("--threads"))
        return false;
    for (const struct cs_param *o = args->options; o && o->name; o++)
        if (!strcmp(o->name, "threads"))
            return true;
    return false;
}

void cs_arguments_put_line(const struct cs_arguments *args, const char *words,
                           struct cs_strbuf *out)
{
    cs_strbuf_printf(out, "cosched %s", words);
    for (int i = 0; i < args->words; i++) {
        if (is_threads(args, args->word[i])) {
            i += !strchr(args->word[i], '=');
            continue;
        }
        cs_strbuf_putc(out, ' ');
        cs_strbuf_put_shell(out, args->word[i]);
    }
}
