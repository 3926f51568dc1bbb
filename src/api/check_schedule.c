/* check_schedule.c - checks of a schedule against its inputs.
 *
 * The tasks, machine and failures that a schedule declares are unverified. Here the command of the
 * schedule opens the study again, on the files that the caller names, and the input of this study
 * replaces the declared one. Then the usual checks of the problem run. The digests of the files are
 * compared too.
 */
#include "base/guard.h"
#include "base/watch.h"
#include "check/check.h"
#include "check/report.h"
#include "problem/arguments.h"
#include "problem/inputs.h"

#include <math.h>
#include <string.h>

struct check {
    const struct cs_schedule_file *file;
    const struct cs_problem *problem;
    unsigned action;
    const struct cs_watch *watch;
    struct cs_arena *arena;
    struct cs_study_options *options; /* those of the command */
    int inputs;
    const struct cs_schedule_input *wanted; /* the inputs that the schedule lists */
    struct cs_schedule_input *supplied;     /* the caller's file for each, in the same order */
    struct cs_error *err;
};

/* ---- the command, as it was typed ---- */

/* The word that begins at *at, with the quotes of cs_strbuf_put_shell removed; NULL at the end. */
static char *next_word(const char **at, struct cs_arena *arena)
{
    const char *from = *at + strspn(*at, " ");
    char *word, *to;
    bool quoted = false;

    if (!*from)
        return NULL;
    word = to = cs_arena_alloc(arena, strlen(from) + 1, 1);
    for (; *from && (quoted || *from != ' '); from++)
        if (*from == '\'')
            quoted = !quoted;
        else if (!quoted && *from == '\\' && from[1])
            *to++ = *++from;
        else
            *to++ = *from;
    *at = from;
    return word;
}

static char **check_schedule_split(const char *line, struct cs_arena *arena, int *count)
{
    char **word = CS_NEW_ARRAY(arena, char *, strlen(line) / 2 + 2);

    for (*count = 0; (word[*count] = next_word(&line, arena)); ++*count)
        ;
    return word;
}

static unsigned action_of(const char *word)
{
    return !strcmp(word, "plan") ? CS_PLAN : !strcmp(word, "simulate") ? CS_SIMULATE : 0;
}

static bool has_action(const struct cs_problem *problem, unsigned action)
{
    unsigned actions = 0;

    for (const struct cs_param *f = problem->param; f->name; f++)
        actions |= f->actions;
    return actions & action;
}

/* Does the problem write schedules of that name?  Jobs that arrive are rigid jobs. */
static bool is_of(const char *problem, const char *schedule)
{
    return !strcmp(problem, schedule) || (!strcmp(problem, "queue") && !strcmp(schedule, "rigid"));
}

/* Parse "plan PROBLEM ..." or "simulate PROBLEM ...", for the problem of the schedule. */
static int find_command(struct check *j, int count, char *const *word)
{
    const char *problem = cs_schedule_problem(j->file->schedule);

    j->action = count > 1 ? action_of(word[0]) : 0;
    j->problem = j->action && is_of(word[1], problem) ? cs_problem_find(word[1], NULL) : NULL;
    if (!j->problem || !has_action(j->problem, j->action))
        return cs_error_set(j->err,
                            "%s: its \"command\" is not one that makes schedules of the problem "
                            "\"%.60s\", so it cannot be judged against inputs",
                            j->file->source, problem);
    return 0;
}

/* The operands of the command: files, which are counted later. */
static const struct cs_operand operands[] = {
    {.name = "INPUT",
     .optional = true,
     .repeats = true,
     .kind = CS_PARAM_PATH,
     .summary = "a file"},
    {0},
};

static void check_schedule_warn(const char *text, void *who)
{
    const struct cs_watch *watch = who;

    if (watch && watch->warn)
        watch->warn(watch->who, text);
}

static int read_words(struct check *j, int count, char *const *word, struct cs_arguments *args)
{
    const struct cs_param *options = cs_params_select(j->problem->param, j->action, j->arena);
    int status = cs_arguments_parse(count, word, options, operands, j->arena, args, j->err);

    for (int n = 0; n < args->notes; n++)
        check_schedule_warn(args->note[n], (void *)(uintptr_t)j->watch);
    return status ? cs_error_prefix(j->err, "%s: command", j->file->source) : 0;
}

static int read_command(struct check *j)
{
    struct cs_arguments args;
    int count;
    const char **operand;
    char **word;

    if (!*j->file->command)
        return cs_error_set(
            j->err,
            "%s: it has no \"command\", which the tool writes into its schedules, so "
            "the use of each input is unknown",
            j->file->source);
    word = check_schedule_split(j->file->command, j->arena, &count);
    if (count && strcmp(word[0], "cosched") == 0)
        word++, count--;
    if (find_command(j, count, word) || read_words(j, count - 2, word + 2, &args))
        return -1;
    j->options = cs_problem_options(j->problem, j->arena);
    cs_arguments_store(&args, j->options);
    operand = CS_NEW_ARRAY(j->arena, const char *, args.operands + 1);
    for (int i = 0; i < args.operands; i++)
        operand[i] = cs_arguments_operand(&args, i);
    j->options->inputs = operand;
    j->options->input = operand[0];
    return 0;
}

/* ---- match the files ---- */

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

static bool same_bytes(const struct cs_schedule_input *a, const struct cs_schedule_input *b)
{
    return *a->sha256 && strcmp(a->sha256, b->sha256) == 0;
}

static bool same_name(const struct cs_schedule_input *a, const struct cs_schedule_input *b)
{
    return strcmp(base_name(a->file), base_name(b->file)) == 0;
}

static bool check_schedule_any(const struct cs_schedule_input *a, const struct cs_schedule_input *b)
{
    (void)a;
    (void)b;
    return true;
}

static void check_schedule_match(struct check *j, struct cs_schedule_input *found)
{
    bool (*const same[])(const struct cs_schedule_input *, const struct cs_schedule_input *) = {
        same_bytes, same_name, check_schedule_any};

    for (int s = 0; s < 3; s++)
        for (int i = 0; i < j->inputs; i++)
            for (int g = 0; g < j->inputs && !j->supplied[i].file; g++)
                if (found[g].file && same[s](&j->wanted[i], &found[g])) {
                    j->supplied[i] = found[g];
                    j->supplied[i].of = j->wanted[i].of;
                    found[g].file = NULL;
                }
}

static void check_schedule_put_names(const struct check *j, struct cs_strbuf *out)
{
    for (int i = 0; i < j->inputs; i++)
        cs_strbuf_printf(out, "%s%.100s", i ? ", " : " (", j->wanted[i].file);
    if (j->inputs)
        cs_strbuf_putc(out, ')');
}

static int find_inputs(struct check *j, const char *const *supplied, int count)
{
    struct cs_schedule_input *found = CS_NEW_ARRAY(j->arena, struct cs_schedule_input, count);

    j->inputs = j->file->inputs;
    j->wanted = j->file->input;
    if (j->inputs == 0)
        j->wanted = cs_inputs_of(j->problem, j->options, j->arena, &j->inputs);
    if (count != j->inputs) {
        struct cs_strbuf names = CS_STRBUF_INIT;

        check_schedule_put_names(j, &names);
        cs_error_set(j->err, "%s was made from %d file%s%s: --against names %d", j->file->source,
                     j->inputs, j->inputs == 1 ? "" : "s", names.text, count);
        cs_strbuf_release(&names);
        return -1;
    }
    for (int g = 0; g < count; g++)
        found[g] = (struct cs_schedule_input){"input", supplied[g], ""};
    if (cs_inputs_digest(found, count, j->arena, j->err))
        return -1;
    j->supplied = CS_NEW_ARRAY(j->arena, struct cs_schedule_input, count);
    check_schedule_match(j, found);
    return 0;
}

/* ---- replace the files of the command ---- */

static int place_param(struct check *j, const struct cs_schedule_input *input)
{
    bool old;
    const struct cs_param *f =
        cs_params_find(j->problem->param, j->action, input->of, &old, j->err);
    const char **member;

    if (f && ((f->kind != CS_PARAM_PATH && f->kind != CS_PARAM_TEXT) || !f->scope)) {
        cs_error_set(j->err, "\"%.60s\" names no file that is read", input->of);
        f = NULL;
    }
    if (!f)
        return cs_error_prefix(j->err, "%s: inputs", j->file->source);
    member = (void *)((char *)j->options + f->at);
    if (*member && f->repeats && input[-1].of == input->of) {
        struct cs_strbuf lines = CS_STRBUF_INIT;

        cs_strbuf_printf(&lines, "%s\n%s", *member, input->file);
        *member = cs_arena_strdup(j->arena, lines.text);
        cs_strbuf_release(&lines);
    } else {
        *member = input->file;
    }
    return 0;
}

static int check_schedule_place(struct check *j)
{
    const char **operand = CS_NEW_ARRAY(j->arena, const char *, j->inputs + 1);
    int count = 0;

    for (int i = 0; i < j->inputs; i++)
        if (strcmp(j->supplied[i].of, "input") == 0)
            operand[count++] = j->supplied[i].file;
        else if (place_param(j, &j->supplied[i]))
            return -1;
    j->options->inputs = operand;
    j->options->input = operand[0];
    return 0;
}

/* Check that the command reads only files that the schedule lists. -1 with err. */
static int check_all_supplied(struct check *j)
{
    int count;
    const struct cs_schedule_input *read = cs_inputs_of(j->problem, j->options, j->arena, &count);

    for (int i = 0; i < count; i++) {
        bool supplied = false;

        for (int g = 0; g < j->inputs; g++)
            supplied = supplied || strcmp(read[i].file, j->supplied[g].file) == 0;
        if (!supplied)
            return cs_error_set(j->err,
                                "%s: its command reads %.200s (%s), which is missing in \"inputs\"",
                                j->file->source, read[i].file, read[i].of);
    }
    return 0;
}

/* ---- the result ---- */

static void compare_digests(const struct check *j, struct cs_check_report *report)
{
    for (int i = 0; i < j->inputs; i++) {
        const struct cs_schedule_input *wanted = &j->wanted[i], *supplied = &j->supplied[i];

        if (*wanted->sha256 && strcmp(wanted->sha256, supplied->sha256) != 0)
            cs_check_add(report, CS_VIOLATION_INPUT, -1, NAN,
                         "the schedule was made from another %.60s: the digest of %.200s is "
                         "%.16s..., that of %.200s %.16s...",
                         wanted->of, wanted->file, wanted->sha256, supplied->file,
                         *supplied->sha256 ? supplied->sha256 : "unknown");
    }
}

static int check_schedule_check(struct check *j, struct cs_check_report *report)
{
    const struct cs_study_context context = {.action = j->action};
    struct cs_schedule_file file = *j->file;
    struct cs_study *study = cs_study_open(j->problem, j->options, &context, j->err);
    struct cs_error why = {0};

    if (!study)
        return -1;
    if (j->problem->supplied(study, &file, &why))
        cs_check_add(report, CS_VIOLATION_INPUT, -1, NAN, "%s", why.text);
    else
        cs_check_file(&file, report);
    cs_study_close(study);
    return 0;
}

static bool are_inputs(const struct cs_schedule_file *file)
{
    for (int i = 0; i < file->inputs; i++)
        if (!file->input || !file->input[i].of || !file->input[i].file || !file->input[i].sha256)
            return false;
    return file->inputs >= 0;
}

int cs_check_schedule(const struct cs_schedule_file *file, const char *const *inputs, int count,
                      const struct cs_watch *watch, struct cs_check_report *report,
                      struct cs_error *err)
{
    CS_ASK(file && file->schedule && file->command && file->source && are_inputs(file), err, -1);
    CS_ASK(report && cs_are_paths(inputs, count), err, -1);
    CS_GUARD(err, -1);
    struct check j = {.file = file, .watch = watch, .err = err};
    const struct cs_watch *before;
    int status;

    if (cs_watch_check(watch, err))
        return -1;
    if (file->observed)
        return cs_error_set(err,
                            "%s: it was observed, and not made of its inputs: against them it "
                            "cannot be judged",
                            file->source);
    j.arena = cs_arena_create();
    before = cs_watch_enter(watch);
    status = read_command(&j);
    if (!status)
        status = find_inputs(&j, inputs, count);
    if (!status) {
        compare_digests(&j, report);
        status = check_schedule_place(&j);
    }
    if (!status)
        status = check_all_supplied(&j);
    if (!status)
        status = check_schedule_check(&j, report);
    status = cs_watch_settle(status, err);
    cs_watch_enter(before);
    cs_arena_destroy(j.arena);
    return status;
}
