/* log_table.c - CSV, a line at a time. */
#include "rigid/log_table.h"

#include "base/csv.h"
#include "model/procset.h"

#include <inttypes.h>
#include <math.h>

const char *cs_rigid_log_table_head(enum cs_rigid_table_form form)
{
    if (form == CS_RIGID_TABLE_BATSIM)
        return "job_id,workload_name,profile,submission_time,requested_number_of_resources,"
               "requested_time,success,starting_time,execution_time,finish_time,waiting_time,"
               "turnaround_time,stretch,allocated_resources\n";
    return "policy,priority,job_id,number,user,partition,procs,submit,start,end,attempts,estimate,"
           "request,promise,wait,bounded_slowdown,killed,allocated\n";
}

static void put_id(struct cs_strbuf *out, const struct cs_log_job *job)
{
    if (job->label)
        cs_csv_quote(out, job->label);
    else
        cs_strbuf_printf(out, "%" PRId64, job->id);
}

static void put_name(struct cs_strbuf *out, const struct cs_log_names *names, int number)
{
    cs_strbuf_putc(out, ',');
    if (number >= 0 && number < names->count)
        cs_csv_quote(out, names->name[number]);
}

/* A number, or nothing when it is none. */
static void put(struct cs_strbuf *out, double value)
{
    cs_strbuf_putc(out, ',');
    if (isfinite(value))
        cs_strbuf_put_double(out, value);
}

static void put_set(struct cs_strbuf *out, const struct cs_rigid_story *story)
{
    cs_strbuf_putc(out, ',');
    for (int i = 0; i < story->intervals; i++) {
        const struct cs_interval *s = &story->set[i];

        cs_strbuf_printf(out, "%s%d", i ? " " : "", s->first);
        if (s->last > s->first)
            cs_strbuf_printf(out, "-%d", s->last);
    }
}

static void put_ours(const struct cs_rigid_log_table *t, const struct cs_rigid_story *story,
                     struct cs_strbuf *out)
{
    const struct cs_log_job *job = &story->job;

    cs_csv_quote(out, t->policy);
    cs_strbuf_putc(out, ',');
    cs_csv_quote(out, t->priority);
    cs_strbuf_putc(out, ',');
    put_id(out, job);
    cs_strbuf_printf(out, ",%" PRId64, story->number);
    put_name(out, cs_log_users(t->log), job->user);
    put_name(out, cs_log_partitions(t->log), job->named);
    cs_strbuf_printf(out, ",%" PRId64, job->procs);
    put(out, job->submit);
    put(out, story->start);
    put(out, story->end);
    cs_strbuf_printf(out, ",%d", story->attempt);
    put(out, story->estimate);
    put(out, story->request > 0 ? story->request : NAN);
    put(out, story->promise);
    put(out, cs_rigid_story_wait(story));
    put(out, cs_rigid_story_slowdown(story));
    cs_strbuf_printf(out, ",%d", story->killed);
    put_set(out, story);
}

static void put_batsim(const struct cs_rigid_story *story, struct cs_strbuf *out)
{
    const struct cs_log_job *job = &story->job;
    const double run = story->end - story->start, turnaround = story->end - job->submit;

    put_id(out, job);
    cs_strbuf_puts(out, ",replay");
    put(out, run);
    put(out, job->submit);
    cs_strbuf_printf(out, ",%" PRId64, job->procs);
    put(out, story->request > 0 ? story->request : -1);
    cs_strbuf_printf(out, ",%d", !story->killed);
    put(out, story->start);
    put(out, run);
    put(out, story->end);
    put(out, turnaround - run);
    put(out, turnaround);
    put(out, turnaround / run);
    put_set(out, story);
}

static void ended(void *who, const struct cs_rigid_story *story, double now, bool done)
{
    struct cs_rigid_log_table *t = who;

    (void)now;
    if (!done || t->failed)
        return;
    cs_strbuf_clear(&t->line);
    if (t->form == CS_RIGID_TABLE_BATSIM)
        put_batsim(story, &t->line);
    else
        put_ours(t, story, &t->line);
    cs_strbuf_putc(&t->line, '\n');
    t->failed = fwrite(t->line.text, 1, t->line.length, t->file) != t->line.length;
}

struct cs_rigid_observer cs_rigid_log_table_observer(struct cs_rigid_log_table *table)
{
    return (struct cs_rigid_observer){.ended = ended, .who = table};
}
