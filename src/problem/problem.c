/* problem.c - the list of problems, and studies of them. */
#include "problem/problem.h"
#include "base/arena.h"
#include "base/file.h"
#include "base/plain.h"
#include "base/suggest.h"
#include "base/thread.h"
#include "base/watch.h"
#include "io/schedule_json.h"
#include "model/energy.h"
#include "model/known.h"
#include "model/policy_param.h"
#include "problem/inputs.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* A comma begins a name, unless a parameter follows it. */

/* Does the text after a comma begin with a parameter of the preceding policy? */
static bool is_parameter(const char *text)
{
    size_t length = strcspn(text, ",:=");

    return text[length] == '=';
}

/* The comma behind the first name, or the end of the text. */
static const char *name_end(const char *text)
{
    const char *end = strchr(text, ',');

    while (end && is_parameter(end + 1))
        end = strchr(end + 1, ',');
    return end ? end : text + strlen(text);
}

static int count_names(const char *text)
{
    int count = 1;

    for (text = name_end(text); *text; text = name_end(text + 1))
        count++;
    return count;
}

struct cs_words cs_words_split(const char *text, struct cs_arena *arena)
{
    int count = count_names(text);
    const char **name = CS_NEW_ARRAY(arena, const char *, count);

    for (int i = 0; i < count; i++) {
        const char *end = name_end(text);

        name[i] = cs_arena_strndup(arena, text, (size_t)(end - text));
        text = end + 1;
    }
    return (struct cs_words){count, name};
}

/* ---- energy ---- */

/* Read what --watts and its companions state.  -1 with err. */
static int study_watts(const struct cs_problem *problem, const struct cs_study_options *o,
                       struct cs_energy_options *watts, struct cs_error *err)
{
    struct cs_error none = {0};
    bool old;

    *watts = (struct cs_energy_options){.per_node = (int)o->procs_per_node, .until = NAN};
    if (cs_params_find(problem->param, 0, "energy-until", &old, &none))
        watts->until = o->energy_until;
    return o->watts ? cs_watts_read(o->watts, &watts->watts, err) : 0;
}

/* A run without any value has failed. */
static bool study_made(const struct cs_study *study, const void *outcome)
{
    for (const struct cs_value *v = study->problem->value; v->name; v++)
        if (v->in & CS_IN_SUMMARY && v->of && !isnan(v->of(study, outcome)))
            return true;
    return false;
}

static int study_energy_of(const struct cs_study *study, int variant, long run,
                           const struct cs_energy_options *watts, struct cs_energy *energy,
                           struct cs_error *err)
{
    const void *outcome = cs_study_outcome(study, variant, run);
    struct cs_kept *record;
    int status;

    *energy = (struct cs_energy){NAN, NAN, NAN, NAN, NAN, NAN};
    if (!study_made(study, outcome))
        return 0;
    record = study->problem->record(study, variant, run, err);
    if (!record)
        return -1;
    status = cs_energy_of(record->schedule, watts, energy, err);
    study->problem->discard(record);
    return status;
}

static int study_energy(struct cs_study *study, struct cs_error *err)
{
    struct cs_energy_options watts;
    struct cs_energy *energy;

    if (study_watts(study->problem, study->options, &watts, err))
        return -1;
    energy = CS_NEW_ARRAY(study->arena, struct cs_energy, study->variants * study->runs);
    for (int v = 0; v < study->variants; v++)
        for (long r = 0; r < study->runs; r++)
            if (study_energy_of(study, v, r, &watts, &energy[v * study->runs + r], err))
                return -1;
    study->energy = energy;
    return 0;
}

static const struct cs_energy *study_energy_at(const struct cs_study *study, const void *outcome)
{
    const size_t bytes = (size_t)((const char *)outcome - (const char *)study->outcome);

    return study->energy ? &study->energy[bytes / study->problem->outcome] : NULL;
}

double cs_study_energy(const struct cs_study *study, const void *outcome, enum cs_energy_part part)
{
    const struct cs_energy *e = study_energy_at(study, outcome);

    if (!e)
        return NAN;
    return (const double[]){e->total, e->busy, e->idle, e->off, e->wake}[part];
}

double cs_study_energy_bound(const struct cs_study *study, int procs, double seconds, double work)
{
    struct cs_energy_options o;

    if (!study->energy || study_watts(study->problem, study->options, &o, NULL) ||
        !isnan(o.watts.off_after))
        return NAN;
    return (o.watts.busy - o.watts.idle) / o.per_node * work +
           o.watts.idle * ((procs + o.per_node - 1) / o.per_node) *
               (o.until > seconds ? o.until : seconds);
}

void cs_study_put_energy(const struct cs_study *study, int variant, long run, struct cs_jsonw *w)
{
    struct cs_energy_options watts;

    study_watts(study->problem, study->options, &watts, NULL);
    cs_energy_put(study_energy_at(study, cs_study_outcome(study, variant, run)), &watts, w);
}

/* Format cosched-schedule-1 of a run: its variant, its inputs, its bars. */

void cs_study_put_variant(const struct cs_study *study, int variant, const char *between,
                          struct cs_strbuf *out)
{
    for (int k = 0; study->problem->variant[k]; k++)
        cs_strbuf_printf(out, "%s%s", k ? between : "", study->variant[variant].word[k]);
}

/* A run as a file. */
struct text {
    const struct cs_study *study;
    int variant;
    const struct cs_kept *record;
    const struct cs_schedule_input *input;
    int inputs;
    struct cs_energy_options watts;
    struct cs_energy energy;
};

enum cs_study_processors cs_study_processors(const struct cs_study *study)
{
    const struct cs_study_options *options = study->options;
    struct cs_energy_options o;

    return options->processors == CS_PROCESSORS_AUTO && options->watts &&
                   !study_watts(study->problem, options, &o, NULL) &&
                   (!isnan(o.watts.off_after) || o.per_node > 1)
               ? CS_PROCESSORS_NUMBERS
               : (enum cs_study_processors)options->processors;
}

/* Nodes with names are not interchangeable. */
bool cs_study_counts(const struct cs_study *study, const struct cs_schedule *schedule)
{
    const int processors = cs_study_processors(study);
    size_t bars;

    cs_schedule_bars(schedule, &bars);
    return processors == CS_PROCESSORS_COUNTS ||
           (processors == CS_PROCESSORS_AUTO && bars > CS_PROCESSORS_MANY && !study->named &&
            !cs_schedule_platform(schedule));
}

/* Append it to the text, or write it to the file; 0, or errno. */
static int text_put(const struct text *t, int fd, struct cs_strbuf *out)
{
    struct cs_spill spill = cs_spill_to(out, fd);
    const struct cs_study *study = t->study;
    struct cs_strbuf policy = CS_STRBUF_INIT;
    struct cs_jsonw w = cs_jsonw_begin(out);

    cs_jsonw_stream(&w, &spill);
    if (study->problem->priorities)
        cs_strbuf_puts(&policy, study->variant[t->variant].word[0]);
    else
        cs_study_put_variant(study, t->variant, ", ", &policy);
    cs_jsonw_open(&w, '{');
    cs_schedule_json_put_head(&w, t->record->schedule, policy.text);
    if (study->options->command)
        cs_jsonw_put_string(&w, "command", study->options->command);
    cs_schedule_json_put_inputs(&w, t->inputs, t->input);
    if (study->known && !t->record->workload)
        cs_known_put(study->known, &w);
    if (study->options->watts)
        cs_energy_put(&t->energy, &t->watts, &w);
    study->problem->put(study, t->record, &w);
    cs_schedule_json_put_tail(&w, t->record->schedule, t->record->workload,
                              cs_study_counts(study, t->record->schedule));
    cs_jsonw_close(&w);
    cs_jsonw_end(&w);
    cs_strbuf_release(&policy);
    return spill.error;
}

static int text_open(const struct cs_study *study, int variant, const struct cs_kept *record,
                     struct text *out, struct cs_error *err)
{
    struct cs_schedule_input *input;

    *out = (struct text){.study = study, .variant = variant, .record = record};
    input = cs_inputs_of(study->problem, study->options, study->arena, &out->inputs);
    out->input = input;
    if (study->options->watts && (study_watts(study->problem, study->options, &out->watts, err) ||
                                  cs_energy_of(record->schedule, &out->watts, &out->energy, err)))
        return -1;
    return cs_inputs_digest(input, out->inputs, study->arena, err);
}

int cs_study_put_file(const struct cs_study *study, int variant, const struct cs_kept *record,
                      struct cs_strbuf *out, struct cs_error *err)
{
    struct text text;

    if (text_open(study, variant, record, &text, err))
        return -1;
    text_put(&text, -1, out);
    return 0;
}

static int text_fill(void *who, int fd)
{
    struct cs_strbuf piece = CS_STRBUF_INIT;

    errno = text_put(who, fd, &piece);
    cs_strbuf_release(&piece);
    return errno ? -1 : 0;
}

int cs_study_write_file(const struct cs_study *study, int variant, const struct cs_kept *record,
                        const char *path, struct cs_error *err)
{
    struct text text;

    return text_open(study, variant, record, &text, err)
               ? -1
               : cs_file_fill(path, text_fill, &text, err);
}

void cs_study_know(struct cs_study *study, const struct cs_known *known, int procs, int pack_size,
                   const struct cs_study_context *context)
{
    if (!known)
        return;
    if (known->problem[0] && strcmp(known->problem, study->problem->name) != 0)
        cs_study_warn(context, "known: the optimum is that of the problem %s, not of %s: ignored",
                      known->problem, study->problem->name);
    else if (known->procs != procs)
        cs_study_warn(context, "known: the optimum is that of %d processors, not of %d: ignored",
                      known->procs, procs);
    else if (known->pack_size && pack_size && known->pack_size != pack_size)
        cs_study_warn(context, "known: the optimum is that of packs of %d, not of %d: ignored",
                      known->pack_size, pack_size);
    else
        study->known = known;
}

double cs_study_known_gap(const struct cs_study *study, double value)
{
    return study->known ? value / study->known->at_most - 1 : NAN;
}

#define CS_PROBLEM(id) extern const struct cs_problem cs_problem_##id;
#include "problem/problems.def"
#undef CS_PROBLEM

static const struct cs_problem *const problems[] = {
#define CS_PROBLEM(id) &cs_problem_##id,
#include "problem/problems.def"
#undef CS_PROBLEM
};

const struct cs_problem *const *cs_problems(int *count)
{
    *count = (int)(sizeof problems / sizeof *problems);
    return problems;
}

const struct cs_problem *cs_problem_find(const char *name, struct cs_error *err)
{
    struct cs_strbuf names = CS_STRBUF_INIT;
    struct cs_suggest suggest = {.word = name};
    int count;
    const struct cs_problem *const *list = cs_problems(&count);

    for (int p = 0; p < count; p++)
        if (!strcmp(list[p]->name, name))
            return list[p];
    for (int p = 0; p < count; p++) {
        cs_suggest_offer(&suggest, list[p]->name);
        cs_strbuf_printf(&names, "%s%s", p ? ", " : "", list[p]->name);
    }
    if (suggest.best[0])
        cs_error_set(err, "'%s' is not a problem; did you mean '%s'? There are %s", name,
                     suggest.best, names.text);
    else
        cs_error_set(err, "'%s' is not a problem; there are %s", name, names.text);
    cs_strbuf_release(&names);
    return NULL;
}

const struct cs_problem *cs_problem_renamed(const struct cs_problem *problem, const char *key)
{
    int count;
    const struct cs_problem *const *list = cs_problems(&count);

    for (int p = 0; p < count; p++)
        if (list[p]->former && !strcmp(list[p]->former, problem->name) &&
            !strcmp(list[p]->former_key, key))
            return list[p];
    return problem;
}

void cs_problem_put_renamed(const struct cs_problem *now, struct cs_strbuf *out)
{
    cs_strbuf_printf(out, "the problem %s with \"%s\" is the problem %s now", now->former,
                     now->former_key, now->name);
}

void cs_problem_put_renamed_value(const struct cs_param *param, bool old, const char *text,
                                  struct cs_strbuf *out)
{
    int count;
    const struct cs_policy *const *list =
        param->policies ? param->policies->policies(&count) : NULL;

    cs_param_put_renamed(param, old, text, out);
    if (list && text)
        cs_policy_put_renamed(list, count, text, out);
}

void cs_problem_put_moved(const struct cs_problem *problem, const struct cs_param *flag,
                          struct cs_strbuf *out)
{
    cs_strbuf_printf(out,
                     "the problem %s with \"%s\" is the problem %s now ('cosched simulate %s')",
                     problem->name, flag->name, flag->moved, flag->moved);
}

void *cs_problem_options(const struct cs_problem *problem, struct cs_arena *arena)
{
    void *options = CS_NEW_ARRAY(arena, char, problem->options);

    cs_params_reset(problem->param, options);
    return options;
}

struct cs_study *cs_study_open(const struct cs_problem *problem, const void *options,
                               const struct cs_study_context *context, struct cs_error *err)
{
    struct cs_energy_options watts;
    struct cs_study *study;

    if ((problem->check && problem->check(options, err)) ||
        study_watts(problem, options, &watts, err))
        return NULL;
    study = problem->open(options, context, err);
    if (!study || !study->named || study->options->processors != CS_PROCESSORS_COUNTS)
        return study;
    cs_error_set(err, "processors: found counts, expected numbers: %s", study->named);
    cs_study_close(study);
    return NULL;
}

void *cs_study_create(const struct cs_problem *problem, const void *options, size_t size)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_study *study = (struct cs_study *)(void *)CS_NEW_ARRAY(arena, char, size);

    study->problem = problem;
    study->options = options;
    study->arena = arena;
    study->reference = -1;
    return study;
}

int cs_study_run(struct cs_study *study, const struct cs_study_progress *progress,
                 struct cs_error *err)
{
    size_t count = (size_t)study->variants * (size_t)study->runs;

    study->outcome = CS_NEW_ARRAY(study->arena, char, count * study->problem->outcome);
    if (study->problem->run(study, progress, err))
        return -1;
    return study->options->watts && !study->energy ? study_energy(study, err) : 0;
}

void cs_study_close(struct cs_study *study)
{
    struct cs_arena *arena = study ? study->arena : NULL;

    if (study && study->problem->close)
        study->problem->close(study);
    cs_arena_destroy(arena);
}

int cs_study_threads(const struct cs_study *study)
{
    return study->options->threads > 0 ? (int)study->options->threads : cs_thread_limit();
}

const void *cs_study_outcome(const struct cs_study *study, int variant, long run)
{
    size_t place = (size_t)variant * (size_t)study->runs + (size_t)run;

    return (const char *)study->outcome + place * study->problem->outcome;
}

long cs_study_group_runs(const struct cs_study *study)
{
    return study->groups > 1 ? study->runs / study->groups : study->runs;
}

long cs_study_group_values(const struct cs_study *study, int variant, int group,
                           const struct cs_value *value, double *out)
{
    long first = group < 0 ? 0 : group * cs_study_group_runs(study), count = 0;
    long end = group < 0 ? study->runs : first + cs_study_group_runs(study);

    if (value->whole) {
        *out = value->whole(study, variant);
        return !isnan(*out);
    }
    for (long r = first; r < end; r++) {
        out[count] = value->of(study, cs_study_outcome(study, variant, r));
        count += !isnan(out[count]);
    }
    return count;
}

long cs_study_values(const struct cs_study *study, int variant, const struct cs_value *value,
                     double *out)
{
    return cs_study_group_values(study, variant, -1, value, out);
}

const struct cs_value *cs_study_main(const struct cs_study *study)
{
    const struct cs_value *value = study->problem->value;

    while (!(value->in & CS_IN_SUMMARY))
        value++;
    return value;
}

bool cs_study_has(const struct cs_study *study, const struct cs_value *value)
{
    for (int w = 0; w < study->variants; w++)
        for (long r = 0; r < (value->whole ? 1 : study->runs); r++)
            if (!isnan(value->whole ? value->whole(study, w)
                                    : value->of(study, cs_study_outcome(study, w, r))))
                return true;
    return value->always;
}

int cs_study_supplied_tasks(const struct cs_schedule_file *file, int procs, int tasks,
                            const char *const *name, struct cs_error *err)
{
    const struct cs_schedule *schedule = file->schedule;

    if (cs_schedule_procs(schedule) != procs)
        return cs_error_set(err, "the schedule has %d processors, its input %d",
                            cs_schedule_procs(schedule), procs);
    if (cs_schedule_tasks(schedule) != tasks)
        return cs_error_set(err, "the schedule has %d tasks, its input %d",
                            cs_schedule_tasks(schedule), tasks);
    for (int i = 0; name && i < tasks; i++)
        if (strcmp(cs_schedule_task_name(schedule, i), name[i]) != 0)
            return cs_error_set(err, "task %d of the schedule is \"%.60s\", in its input \"%.60s\"",
                                i, cs_schedule_task_name(schedule, i), name[i]);
    return 0;
}

static void warn_line(void *context, const char *line)
{
    cs_study_warn(context, "%s", line);
}

void cs_study_warn_lines(const struct cs_study_context *context, const char *text)
{
    cs_watch_each_line(text, warn_line, (void *)(uintptr_t)context);
}

void cs_study_warn(const struct cs_study_context *context, const char *format, ...)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    char line[1000];
    va_list arguments;

    if (!context->warn)
        return;
    va_start(arguments, format);
    cs_plain_vprint(line, sizeof line, format, arguments);
    va_end(arguments);
    cs_strbuf_puts(&text, line);
    context->warn(text.text, context->who);
    cs_strbuf_release(&text);
}

void cs_study_policy_words(const struct cs_problem_choice *choice, struct cs_strbuf *out)
{
    int count;
    const struct cs_policy *const *list = choice->policies(&count);

    for (int i = 0; i < count; i++) {
        cs_strbuf_printf(out, "%s ", list[i]->name);
        for (const struct cs_policy_preset *p = list[i]->presets; p && p->name; p++)
            cs_strbuf_printf(out, "%s ", p->name);
    }
    cs_strbuf_puts(out, "all");
}

/* The name of a policy in lower case (EASY is easy); its parameters are unchanged. */
static const char *problem_lower(const char *text, struct cs_arena *arena)
{
    char *copy = cs_arena_strdup(arena, text);

    for (char *c = copy; *c && *c != ':'; c++)
        *c = cs_plain_lower(*c);
    return copy;
}

static int problem_take_all(const struct cs_policy *const *list, int count,
                            struct cs_policy_call *call, const char **word, struct cs_error *err)
{
    int taken = 0;

    for (int p = 0; p < count; p++) {
        if (list[p]->extpol)
            continue;
        if (cs_policy_parse(list[p]->name, list, count, &call[taken], err))
            return -1;
        word[taken++] = list[p]->name;
    }
    return taken;
}

static int take_named(const struct cs_problem_choice *choice, const struct cs_words *names,
                      struct cs_arena *arena, struct cs_policy_call *call, const char **word,
                      struct cs_error *err)
{
    int count;
    const struct cs_policy *const *list = choice->policies(&count);

    for (int n = 0; n < names->count; n++) {
        word[n] = problem_lower(names->name[n], arena);
        if (cs_policy_parse(word[n], list, count, &call[n], err))
            return strcmp(choice->option, "policy") ? cs_error_prefix(err, "%s", choice->option)
                                                    : -1;
    }
    return names->count;
}

/* Replace blanks by commas. */
static char *problem_commas(const char *text, struct cs_arena *arena)
{
    char *copy = CS_NEW_ARRAY(arena, char, strlen(text) + 1), *end = copy;

    for (text += strspn(text, " "); *text; text += strcspn(text, " "), text += strspn(text, " ")) {
        size_t length = strcspn(text, " ");

        if (end > copy)
            *end++ = ',';
        memcpy(end, text, length);
        end += length;
    }
    *end = '\0';
    return copy;
}

int cs_study_policies(const struct cs_problem_choice *choice, const char *text, int fallback,
                      struct cs_arena *arena, struct cs_policy_call **call,
                      const char *const **word, struct cs_error *err)
{
    int count;
    const struct cs_policy *const *list = choice->policies(&count);
    struct cs_words names =
        cs_words_split(text ? problem_commas(text, arena) : list[fallback]->name, arena);
    int room = names.count > count ? names.count : count;
    const char **words = CS_NEW_ARRAY(arena, const char *, room);

    *call = CS_NEW_ARRAY(arena, struct cs_policy_call, room);
    *word = words;
    return text && !cs_plain_compare(text, "all")
               ? problem_take_all(list, count, *call, words, err)
               : take_named(choice, &names, arena, *call, words, err);
}
