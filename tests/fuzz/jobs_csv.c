/* jobs_csv: a table of jobs that is read is written and read again as it was, and can be judged;
 * that of a replay can be judged. */
#include "io/jobs_csv.h"
#include "check/jobs.h"
#include "fuzz/fuzz.h"
#include "model/procset.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void insist(int condition)
{
    if (!condition)
        abort();
}

static void compare(const struct cs_job_row *a, const struct cs_job_row *b)
{
    insist(a->id == b->id && a->attempt == b->attempt && a->success == b->success);
    insist(a->submit == b->submit && a->requested == b->requested);
    insist(a->start == b->start && a->finish == b->finish && a->procs == b->procs);
    insist(a->intervals == b->intervals);
    insist(a->intervals == 0 ||
           !memcmp(a->set, b->set, (size_t)a->intervals * sizeof(struct cs_interval)));
}

static void write_and_read(const struct cs_job_table *table, struct cs_arena *arena)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    struct cs_error err = {0};
    const struct cs_job_table *again;

    cs_strbuf_puts(&text, CS_JOBS_CSV_HEAD);
    for (int r = 0; r < table->count; r++)
        cs_jobs_csv_put(&text, "w", &table->row[r]);
    if (table->count) {
        again = cs_jobs_csv_read_memory("again", text.text, text.length, arena, &err);
        insist(again && again->count == table->count);
        for (int r = 0; r < table->count; r++)
            compare(&table->row[r], &again->row[r]);
    }
    cs_strbuf_release(&text);
}

/* Against a log that is what the table says of it. */
static void judge(const struct cs_job_table *table, struct cs_arena *arena)
{
    struct cs_arrival *job = CS_NEW_ARRAY(arena, struct cs_arrival, table->count);
    struct cs_check_report *report = cs_check_report_create(3);
    struct cs_check_table what = {.machine = 100,
                                  .rule = CS_CHECK_JOBS_EASY,
                                  .jobs = table->count,
                                  .rows = table->count,
                                  .job = job,
                                  .row = table->row};

    for (int r = 0; r < table->count; r++)
        job[r] = (struct cs_arrival){.id = table->row[r].id,
                                     .submit = table->row[r].submit,
                                     .seconds = table->row[r].finish - table->row[r].start,
                                     .estimate = table->row[r].requested,
                                     .failures = r % 2 ? 0 : -1,
                                     .procs = table->row[r].procs};
    cs_check_table(&what, report);
    what.tolerance = 0.5;
    cs_check_table(&what, report);
    cs_check_report_destroy(report);
}

/* Jobs of which some are as the table says. */
static void judge_replay(const struct cs_replay_csv *table, struct cs_arena *arena)
{
    static const char *const names[] = {"anna", "bo", ""};
    struct cs_check_arrivals_job *job =
        CS_NEW_ARRAY(arena, struct cs_check_arrivals_job, table->count);
    struct cs_check_arrivals_row *row =
        CS_NEW_ARRAY(arena, struct cs_check_arrivals_row, table->count);
    struct cs_check_report *report = cs_check_report_create(3);
    struct cs_check_arrivals what = {.site = cs_site_of_processors(100, arena),
                                     .user_jobs = 2,
                                     .user = names,
                                     .partition = names,
                                     .compress = 1,
                                     .jobs = table->count,
                                     .rows = table->count,
                                     .job = job,
                                     .row = row};

    for (int r = 0; r < table->count; r++) {
        const struct cs_replay_csv_row *from = &table->row[r];
        const int procs = from->procs > 0 && from->procs < 100 ? (int)from->procs : 7;

        job[r] = (struct cs_check_arrivals_job){.name = from->id,
                                                .submit = r,
                                                .seconds = 1 + r % 5,
                                                .estimate = 1 + r % 9,
                                                .units = procs,
                                                .demand = {1},
                                                .request = 1 + r % 9,
                                                .reported = {1 + r % 9, r % 2 ? NAN : 60},
                                                .procs = procs,
                                                .user = r % 3,
                                                .named = r % 4 - 1};
        row[r] = (struct cs_check_arrivals_row){
            .wait = from->wait,
            .bounded_slowdown = from->bounded_slowdown,
            .job = from->number < table->count ? (int)from->number : -1,
            .name = from->id,
            .submit = from->submit,
            .start = from->start,
            .end = from->end,
            .promise = from->promise,
            .estimate = from->estimate,
            .request = from->request,
            .user = from->user,
            .partition = from->partition,
            .procs = from->procs,
            .attempts = from->attempts,
            .killed = from->killed,
            .intervals = from->intervals,
            .set = from->set};
    }
    for (int rule = CS_CHECK_ARRIVALS_VALID; rule <= CS_CHECK_ARRIVALS_EXACT; rule++) {
        what.rule = (enum cs_check_arrivals_rule)rule;
        cs_check_arrivals(&what, report);
    }
    cs_check_report_destroy(report);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_error err = {0};
    const struct cs_job_table *table = cs_jobs_csv_read_memory("f", data, size, arena, &err);

    insist((table == NULL) == (err.text[0] != '\0'));
    if (table) {
        write_and_read(table, arena);
        judge(table, arena);
    }
    if (!table) {
        const struct cs_replay_csv *replay;

        err.text[0] = '\0';
        replay = cs_replay_csv_read_memory("f", data, size, arena, &err);
        insist((replay == NULL) == (err.text[0] != '\0'));
        if (replay)
            judge_replay(replay, arena);
    }
    cs_arena_destroy(arena);
    return 0;
}
