/* convert.c - job logs and schedules as the files of other programs, timings of other programs as
 * a table. */
#include "api/document.h"
#include "api/joblog.h"
#include "base/arena.h"
#include "base/guard.h"
#include "base/plain.h"
#include "base/watch.h"
#include "base/zone.h"
#include "io/log_write.h"
#include "io/timings.h"
#include "model/bars.h"
#include "model/schedule.h"
#include "problem/param.h"
#include "report/batch.h"
#include "report/gantt.h"
#include "report/human.h"
#include "report/jobspec.h"
#include "report/table.h"
#include "report/timeline.h"

#include <cosched/convert.h>
#include <errno.h>
#include <stdarg.h>
#include <string.h>

enum form { SWF, BATSIM, CSV, TRACE, PAJE, BARS, JOBSPEC, TIMINGS, COLUMNS };

static const char forms[] = "swf|batsim|csv|trace|paje|bars|flux-jobspec|timings";

#define TIMELINES (1U << TRACE | 1U << PAJE)
#define USUAL_MARGIN 1.2

/* A request, with its words parsed. */
struct request {
    const struct cs_convert_options *how;
    const char *const *path;
    int paths;
    enum form form;
    int unit, tracks; /* indices of their choices; -1: not given */
    const struct cs_watch *watch;
    cs_joblog_take_f *take; /* COLUMNS */
    void *who;
};

static void convert_warn(const struct request *r, const char *format, ...) CS_PRINTF(2, 3);

static void convert_warn(const struct request *r, const char *format, ...)
{
    char text[4096];
    va_list list;

    if (!r->watch || !r->watch->warn)
        return;
    va_start(list, format);
    cs_plain_vprint(text, sizeof text, format, list);
    va_end(list);
    r->watch->warn(r->watch->who, text);
}

/* ---- job logs ---- */

static struct cs_log_options log_options(const struct request *r, struct cs_zone *zone)
{
    return (struct cs_log_options){
        .zone = zone,
        .by_submit = r->how->by_submit,
        .unit = (enum cs_log_unit)(r->unit + 1),
        .most = r->how->procs,
        .speed = r->how->speed,
        .lookahead = r->how->lookahead,
        .strict = r->how->strict,
    };
}

static void put_rules(const struct cs_log_counts *counts, int first, int end, struct cs_strbuf *out)
{
    const char *between = "";

    for (int rule = first; rule < end; rule++)
        if (counts->rule[rule]) {
            cs_strbuf_puts(out, between);
            cs_human_count(out, counts->rule[rule]);
            cs_strbuf_printf(out, " %s",
                             cs_log_rule_words((enum cs_log_rule)rule, counts->rule[rule]));
            between = "; ";
        }
}

static void report_jobs(const struct request *r, int64_t count, const char *what)
{
    struct cs_strbuf words = CS_STRBUF_INIT;

    cs_human_units(&words, count, "job");
    if (count)
        convert_warn(r, "%s%s", words.text, what);
    cs_strbuf_release(&words);
}

/* Warn about lines that are no jobs, and about doubtful jobs. */
static void report_counts(const struct request *r, const struct cs_log_counts *counts)
{
    struct cs_strbuf words = CS_STRBUF_INIT;

    put_rules(counts, 0, CS_LOG_KEPT, &words);
    if (words.length)
        convert_warn(r, "%lld of %lld lines are left out: %s",
                     (long long)(counts->lines - counts->kept), (long long)counts->lines,
                     words.text);
    for (int i = 0; i < counts->notes; i++)
        convert_warn(r, "%s", counts->note[i]);
    report_jobs(r, counts->local,
                " without a time zone: their times are taken as those of --zone (UTC "
                "when it is not given)");
    report_jobs(r, counts->rule[CS_LOG_NEGATIVE_SUBMIT], " submitted before time 0 of the log");
    report_jobs(r, counts->rule[CS_LOG_REPEATED_IDS], " with the number of an earlier one");
    cs_strbuf_release(&words);
}

static void report_losses(const struct request *r, const struct cs_log_table *table,
                          int64_t rounded)
{
    report_jobs(r, rounded, " rounded to whole seconds");
    if (r->form == SWF && table->labels)
        convert_warn(r, "jobs are numbered from 1: some ids are no numbers");
    if (!table->machine && r->form == BATSIM)
        convert_warn(r, "the machine size is unknown, nb_res is the widest job: give --procs P");
    if (!table->machine && r->form == SWF)
        convert_warn(r, "the machine size is unknown, MaxProcs is omitted: give --procs P");
}

static int put_log(const struct request *r, const struct cs_log_table *table, struct cs_strbuf *out,
                   struct cs_error *err)
{
    const char *command = r->how->command ? r->how->command : "cs_convert";
    int64_t rounded = 0;

    if (r->form == COLUMNS)
        return r->take(r->who, table, err);
    if (r->form == SWF)
        cs_log_table_put_swf(table, command, out, &rounded);
    else if (r->form == BATSIM)
        cs_log_table_put_batsim(table, command, out);
    else
        cs_log_table_put_csv(table, out);
    report_losses(r, table, rounded);
    return 0;
}

static int convert_open_log(const struct request *r, struct cs_log *log, struct cs_strbuf *out,
                            struct cs_error *err)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_log_table table;
    int status = cs_log_table_read(log, r->how->procs, arena, &table, err);

    report_counts(r, cs_log_counts(log));
    if (!status)
        status = put_log(r, &table, out, err);
    cs_arena_destroy(arena);
    return status;
}

static int convert_log(const struct request *r, struct cs_spill *to, struct cs_error *err)
{
    const char *name = r->how->zone;
    struct cs_zone *zone = name ? cs_zone_open(name, err) : NULL;
    const struct cs_log_options options = log_options(r, zone);
    struct cs_log *log = name && !zone ? NULL : cs_log_open(r->path, r->paths, &options, err);
    int status = log ? convert_open_log(r, log, to->out, err) : -1;

    cs_log_close(log);
    cs_zone_destroy(zone);
    return status;
}

/* ---- schedules ---- */

static int put_jobspec(const struct request *r, const struct cs_schedule *schedule,
                       struct cs_spill *to, struct cs_error *err)
{
    const char *program = r->how->program;
    struct cs_arena *arena = cs_arena_create();
    const char **word = CS_NEW_ARRAY(arena, const char *, program ? strlen(program) : 0);
    struct cs_jobspec how = {
        .word = word,
        .margin = r->how->margin == 0 ? USUAL_MARGIN : r->how->margin,
        .cores = r->unit == 0,
    };
    char *text = program ? cs_arena_strdup(arena, program) : NULL, *rest = NULL;
    int status;

    for (char *each = text ? strtok_r(text, " \t", &rest) : NULL; each;
         each = strtok_r(NULL, " \t", &rest))
        word[how.words++] = each;
    status = cs_jobspec_put(schedule, &how, to, err);
    cs_arena_destroy(arena);
    return status;
}

static int put_timeline(const struct request *r, const struct cs_schedule *schedule,
                        struct cs_spill *to, struct cs_error *err)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_timeline line;
    int status = cs_timeline_make(schedule, (enum cs_tracks)(r->tracks + CS_TRACKS_PROCS), arena,
                                  &line, err);

    if (!status && r->form == TRACE)
        cs_timeline_trace(&line, r->how->command, to);
    else if (!status)
        cs_timeline_paje(&line, to);
    cs_arena_destroy(arena);
    return status;
}

static int put_schedule(const struct request *r, const struct cs_schedule *schedule,
                        struct cs_spill *to, struct cs_error *err)
{
    if (r->form == JOBSPEC)
        return put_jobspec(r, schedule, to, err);
    if (TIMELINES >> r->form & 1)
        return put_timeline(r, schedule, to, err);
    cs_timeline_bars(schedule, to);
    return 0;
}

static int convert_schedule(const struct request *r, struct cs_spill *to, struct cs_error *err)
{
    struct cs_schedule_file *file;
    int status;

    if (r->paths > 1)
        return cs_error_set(err, "%s: one schedule makes one file, %d are given", r->path[1],
                            r->paths);
    file = cs_schedule_file_read(r->path[0], err);
    if (!file)
        return -1;
    status =
        cs_schedule_need_numbers(file->schedule, err) || put_schedule(r, file->schedule, to, err);
    if (status)
        cs_error_prefix(err, "%s", file->source);
    cs_schedule_file_destroy(file);
    return status ? -1 : 0;
}

/* ---- timings ---- */

static void put_timings(const struct cs_timings *timings, struct cs_strbuf *out)
{
    const struct cs_column columns[] = {
        {.key = "app", .kind = CS_COLUMN_WORD},
        {.key = timings->row[0].node ? "nodes" : "procs", .kind = CS_COLUMN_COUNT},
        {.key = "seconds", .kind = CS_COLUMN_NUMBER},
        {.key = "source", .kind = CS_COLUMN_WORD}};
    struct cs_table *table = cs_table_create(columns, sizeof columns / sizeof *columns);
    char source[1000];

    for (int r = 0; r < timings->rows; r++) {
        const struct cs_timing *row = &timings->row[r];

        cs_plain_print(source, sizeof source, "%.900s:%ld", row->file, row->line);
        cs_table_text(table, row->app);
        cs_table_count(table, row->procs);
        cs_table_number(table, row->seconds);
        cs_table_text(table, source);
    }
    cs_table_write(table, CS_TABLE_CSV, 0, out);
    cs_table_destroy(table);
}

static int convert_timings(const struct request *r, struct cs_spill *to, struct cs_error *err)
{
    const struct cs_timings_options how = {.app = r->how->app,
                                           .count = r->how->count,
                                           .unit = r->how->count_unit,
                                           .metric = r->how->metric,
                                           .region = r->how->region,
                                           .decimal = r->how->decimal};
    struct cs_arena *arena = cs_arena_create();
    struct cs_strbuf remark = CS_STRBUF_INIT;
    struct cs_timings timings;
    int status = cs_timings_read_files(r->path, r->paths, &how, arena, &timings, &remark, err);

    for (const char *line = remark.text; !status && remark.length && line && *line;) {
        const size_t length = strcspn(line, "\n");

        convert_warn(r, "%.*s", (int)length, line);
        line += length + (line[length] == '\n');
    }
    if (!status)
        put_timings(&timings, to->out);
    cs_strbuf_release(&remark);
    cs_arena_destroy(arena);
    return status;
}

/* ---- options ---- */

/* The index of a word, -1 for NULL; -2 with err for an unknown word. */
static int convert_choose(const char *as, const char *word, const char *choices,
                          struct cs_error *err)
{
    int index = word ? cs_choice_index(choices, word) : -1;

    return word && index < 0 ? cs_choice_error(as, word, choices, err), -2 : index;
}

static int check_numbers(const struct cs_convert_options *how, struct cs_error *err)
{
    if (how->procs < 0 || how->lookahead < 0)
        return cs_error_set(err, "procs and lookahead cannot be negative");
    if (!(how->speed >= 0 && how->speed <= 1e30))
        return cs_error_set(err, "speed cannot be %g: expected flop/s up to 1e30", how->speed);
    if (how->margin != 0 && !(how->margin >= 1 && how->margin <= 1000))
        return cs_error_set(err, "margin cannot be %g: expected 1 to 1000", how->margin);
    return 0;
}

/* Parse all options but the form. */
static int understand_words(struct request *r, struct cs_error *err)
{
    r->unit = convert_choose("unit", r->how->unit, "cpus|nodes", err);
    r->tracks = convert_choose("tracks", r->how->tracks, "procs|tasks", err);
    return r->unit < -1 || r->tracks < -1 ? -1 : check_numbers(r->how, err);
}

static int convert_understand(struct request *r, struct cs_error *err)
{
    int form = convert_choose("to", r->how->to, forms, err);

    r->form = (enum form)form;
    return form < 0 ? -1 : understand_words(r, err);
}

static int convert_watched(int (*convert)(const struct request *r, struct cs_spill *to,
                                          struct cs_error *err),
                           const struct request *r, struct cs_spill *to, struct cs_error *err)
{
    const struct cs_watch *before = cs_watch_enter(r->watch);
    int status = cs_watch_settle(convert(r, to, err), err);

    cs_watch_enter(before);
    return status;
}

int cs_joblog_take(const char *const *paths, int count, const struct cs_convert_options *how,
                   const struct cs_watch *watch, cs_joblog_take_f *take, void *who,
                   struct cs_error *err)
{
    const struct cs_convert_options usual = {.size = sizeof usual};
    struct cs_strbuf none = CS_STRBUF_INIT;
    struct cs_spill to = cs_spill_to(&none, -1);
    struct request r = {.how = how ? how : &usual,
                        .path = paths,
                        .paths = count,
                        .form = COLUMNS,
                        .watch = watch,
                        .take = take,
                        .who = who};

    if (cs_ask_size("the options of a conversion", r.how->size, sizeof *r.how, err) ||
        cs_watch_check(watch, err) || understand_words(&r, err))
        return -1;
    return convert_watched(convert_log, &r, &to, err);
}

/* Append the text, or write it to a file; -1 with err, or with errno of the file. */
static int convert_put(struct request *r, int fd, struct cs_strbuf *out, struct cs_error *err)
{
    struct cs_spill to = cs_spill_to(out, fd);

    if (convert_watched(r->form <= CSV       ? convert_log
                        : r->form == TIMINGS ? convert_timings
                                             : convert_schedule,
                        r, &to, err))
        return -1;
    cs_spill_some(&to, 0);
    errno = to.error;
    return to.error ? -1 : 0;
}

static int convert_begin(struct request *r, struct cs_error *err)
{
    if (cs_ask_size("the options of a conversion", r->how->size, sizeof *r->how, err) ||
        cs_watch_check(r->watch, err))
        return -1;
    if (!r->how->to)
        return cs_error_set(err, "what should they become? to is one of %s", forms);
    return convert_understand(r, err);
}

char *cs_convert(const char *const *paths, int count, const struct cs_convert_options *how,
                 const struct cs_watch *watch, size_t *length, struct cs_error *err)
{
    CS_ASK(cs_are_paths(paths, count) && how, err, NULL);
    CS_GUARD(err, NULL);
    struct request r = {.how = how, .path = paths, .paths = count, .watch = watch};
    struct cs_strbuf out = CS_STRBUF_INIT;
    int status = convert_begin(&r, err);

    if (!status)
        status = convert_put(&r, -1, &out, err);
    return cs_document_take(&out, status, length);
}

struct convert_file {
    struct request request;
    struct cs_error why;
};

static int convert_fill(void *who, int fd)
{
    struct convert_file *file = who;
    struct cs_strbuf piece = CS_STRBUF_INIT;
    const int status = convert_put(&file->request, fd, &piece, &file->why), why = errno;

    cs_strbuf_release(&piece);
    errno = why;
    return status;
}

int cs_convert_write(const char *const *paths, int count, const struct cs_convert_options *how,
                     const char *path, const struct cs_watch *watch, struct cs_error *err)
{
    CS_ASK(cs_are_paths(paths, count) && how && path, err, -1);
    CS_GUARD(err, -1);
    struct convert_file file = {
        .request = {.how = how, .path = paths, .paths = count, .watch = watch}};

    return convert_begin(&file.request, err)
               ? -1
               : cs_document_fill(path, convert_fill, &file, &file.why, err);
}

/* In the script of a graph a task waits for its predecessors; the programs themselves transfer the
 * data. */
char *cs_schedule_sbatch(const struct cs_schedule *schedule, const char *unit, const char *command,
                         size_t *length, struct cs_error *err)
{
    CS_ASK(schedule, err, NULL);
    CS_GUARD(err, NULL);
    const struct cs_batch batch = {
        .command = command,
        .unit = unit ? unit : "processor",
        .graphs = !strcmp(cs_schedule_problem(schedule), "ptg"),
    };
    struct cs_strbuf text = CS_STRBUF_INIT;
    int failed =
        cs_gantt_possible(schedule, 0, 0, err) || cs_batch_put(schedule, &batch, &text, err);

    return cs_document_take(&text, failed, length);
}
