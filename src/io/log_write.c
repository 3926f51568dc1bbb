/* log_write.c - all jobs of a log, and as a table. */
#include "io/log_write.h"

#include "base/csv.h"
#include "base/plain.h"
#include "io/names.h"

#include <math.h>

static struct cs_log_kept log_write_keep(const struct cs_log_job *job, struct cs_names *names)
{
    char number[32];

    cs_plain_print(number, sizeof number, "%lld", (long long)job->id);
    return (struct cs_log_kept){
        .id = job->id,
        .name = cs_names_distinct(names, job->label ? job->label : number),
        .submit = job->submit,
        .seconds = job->seconds,
        .start = job->recorded,
        .request = job->request,
        .procs = job->procs,
        .user = job->user,
        .account = job->account,
        .partition = job->named,
        .qos = job->qos,
        .state = job->state,
    };
}

/* Times without a clock in the log count from the first submission. */
static void set_clock(const struct cs_log *log, struct cs_log_table *table)
{
    const double first = table->count ? floor(table->job[0].submit) : 0;

    table->dated = cs_log_dated(log);
    table->epoch = cs_log_epoch(log);
    if (!table->dated || table->epoch != 0)
        return;
    table->epoch = (int64_t)first;
    for (int64_t j = 0; j < table->count; j++) {
        table->job[j].submit -= first;
        table->job[j].start -= first;
    }
}

int cs_log_table_read(struct cs_log *log, int64_t machine, struct cs_arena *arena,
                      struct cs_log_table *table, struct cs_error *err)
{
    struct cs_names *names = cs_names_create(arena);
    struct cs_log_job job;
    int64_t room = 0;
    int status;

    *table = (struct cs_log_table){.machine = machine > 0 ? machine : cs_log_machine(log)};
    while ((status = cs_log_next(log, &job, err)) > 0) {
        if (table->count == room) {
            room = 2 * room + 64;
            table->job = cs_arena_grow(arena, table->job, (size_t)table->count, (size_t)room,
                                       sizeof *table->job);
        }
        table->job[table->count++] = log_write_keep(&job, names);
        table->labels = table->labels || job.label;
        table->widest = job.procs > table->widest ? job.procs : table->widest;
        cs_log_done(log, &job);
    }
    if (status == 0 && table->count == 0)
        return cs_error_set(err, "no job is left of %lld lines",
                            (long long)cs_log_counts(log)->lines);
    set_clock(log, table);
    table->users = *cs_log_users(log);
    table->accounts = *cs_log_accounts(log);
    table->partitions = *cs_log_partitions(log);
    table->qualities = *cs_log_qualities(log);
    return status;
}

static void put_known(bool known, double value, struct cs_strbuf *out)
{
    cs_strbuf_putc(out, ',');
    if (known)
        cs_strbuf_put_double(out, value);
}

void cs_log_table_put_csv(const struct cs_log_table *table, struct cs_strbuf *out)
{
    cs_strbuf_puts(out, "name,procs,seconds,submit,requested,start,user\n");
    for (int64_t j = 0; j < table->count; j++) {
        const struct cs_log_kept *job = &table->job[j];

        cs_csv_quote(out, job->name);
        cs_strbuf_printf(out, ",%lld", (long long)job->procs);
        put_known(true, job->seconds, out);
        put_known(true, job->submit, out);
        put_known(job->request > 0, job->request, out);
        put_known(!isnan(job->start), job->start, out);
        cs_strbuf_putc(out, ',');
        if (job->user >= 0)
            cs_csv_quote(out, table->users.name[job->user]);
        cs_strbuf_putc(out, '\n');
    }
}
