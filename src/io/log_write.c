/* log_write.c - all jobs of a log, and as a table. */
#include "io/log_write.h"
#include "base/csv.h"
#include "base/jsonw.h"
#include "base/plain.h"
#include "config.h"
#include "io/names.h"

#include <math.h>
#include <stdlib.h>

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

/* A log as a workload that Batsim reads. */

static const char *profile_of(double seconds, struct cs_strbuf *text)
{
    cs_strbuf_clear(text);
    cs_strbuf_put_double(text, seconds);
    return text->text;
}

static void log_write_batsim_put_job(const struct cs_log_kept *job, const char *profile,
                                     struct cs_jsonw *w)
{
    cs_jsonw_open_flat(w, '{');
    cs_jsonw_put_string(w, "id", job->name);
    cs_jsonw_put_double(w, "subtime", job->submit);
    cs_jsonw_put_int(w, "res", job->procs);
    cs_jsonw_put_double(w, "walltime", job->request > 0 ? job->request : -1);
    cs_jsonw_put_string(w, "profile", profile);
    cs_jsonw_close(w);
}

static void put_profile(const char *name, double seconds, struct cs_jsonw *w)
{
    cs_jsonw_key(w, name);
    cs_jsonw_open_flat(w, '{');
    cs_jsonw_put_string(w, "type", "delay");
    cs_jsonw_put_double(w, "delay", seconds);
    cs_jsonw_close(w);
}

void cs_log_table_put_batsim(const struct cs_log_table *table, const char *command,
                             struct cs_strbuf *out)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_names *profiles = cs_names_create(arena);
    struct cs_strbuf text = CS_STRBUF_INIT;
    struct cs_jsonw w = cs_jsonw_begin(out);

    cs_jsonw_open(&w, '{');
    cs_jsonw_put_string(&w, "description", command);
    cs_jsonw_put_int(&w, "nb_res", table->machine ? table->machine : table->widest);
    cs_jsonw_key(&w, "jobs");
    cs_jsonw_open(&w, '[');
    for (int64_t j = 0; j < table->count; j++)
        log_write_batsim_put_job(&table->job[j], profile_of(table->job[j].seconds, &text), &w);
    cs_jsonw_close(&w);
    cs_jsonw_key(&w, "profiles");
    cs_jsonw_open(&w, '{');
    for (int64_t j = 0; j < table->count; j++)
        if (cs_names_find(profiles, profile_of(table->job[j].seconds, &text)) < 0) {
            cs_names_add(profiles, text.text);
            put_profile(text.text, table->job[j].seconds, &w);
        }
    cs_jsonw_close(&w);
    cs_jsonw_close(&w);
    cs_jsonw_end(&w);
    cs_strbuf_release(&text);
    cs_arena_destroy(arena);
}

/* A log in the Standard Workload Format. */

/* Names as numbers: their own where all of them are some, else from 1 on. */
struct numbers {
    const struct cs_log_names *names;
    bool own;
};

static bool is_number(const char *text)
{
    size_t digits = 0;

    while (text[digits] >= '0' && text[digits] <= '9')
        digits++;
    return digits > 0 && digits < 16 && !text[digits];
}

static struct numbers log_write_swf_number(const struct cs_log_names *names)
{
    struct numbers n = {names, true};

    for (int i = 0; i < names->count; i++)
        n.own = n.own && is_number(names->name[i]);
    return n;
}

static long long log_write_swf_number_of(const struct numbers *n, int which)
{
    return which < 0 ? -1 : n->own ? atoll(n->names->name[which]) : which + 1;
}

static void log_write_swf_put_text(const char *text, struct cs_strbuf *out)
{
    for (; *text; text++)
        cs_strbuf_putc(out, (unsigned char)*text < ' ' ? ' ' : *text);
    cs_strbuf_putc(out, '\n');
}

static void put_legend(const char *key, const struct numbers *n, struct cs_strbuf *out)
{
    for (int i = 0; i < n->names->count && !n->own; i++) {
        cs_strbuf_printf(out, "; %s: %d ", key, i + 1);
        log_write_swf_put_text(n->names->name[i], out);
    }
}

static void put_header(const struct cs_log_table *table, const char *command, struct cs_strbuf *out)
{
    cs_strbuf_printf(out, "; Version: 2.2\n; MaxJobs: %lld\n; MaxRecords: %lld\n",
                     (long long)table->count, (long long)table->count);
    if (table->dated)
        cs_strbuf_printf(out, "; UnixStartTime: %lld\n; TimeZoneString: UTC\n",
                         (long long)table->epoch);
    if (table->machine)
        cs_strbuf_printf(out, "; MaxProcs: %lld\n", (long long)table->machine);
    cs_strbuf_puts(out, "; Note: cosched " CS_VERSION ": ");
    log_write_swf_put_text(command, out);
}

static int status_of(enum cs_log_state state)
{
    return state == CS_LOG_COMPLETED   ? 1
           : state == CS_LOG_CANCELLED ? 5
           : state == CS_LOG_UNKNOWN   ? -1
                                       : 0;
}

static bool is_fraction(double value)
{
    return !isnan(value) && value != floor(value);
}

static void log_write_swf_put_job(const struct cs_log_kept *job, long long id,
                                  const struct numbers of[4], struct cs_strbuf *out)
{
    const double submit = round(job->submit);
    const double wait = isnan(job->start) ? -1 : fmax(0, round(job->start) - submit);
    const double request = job->request > 0 ? fmax(1, round(job->request)) : -1;

    cs_strbuf_printf(out, "%lld %.0f %.0f %.0f %lld -1 -1 %lld %.0f -1 %d", id, submit, wait,
                     fmax(1, round(job->seconds)), (long long)job->procs, (long long)job->procs,
                     request, status_of(job->state));
    cs_strbuf_printf(
        out, " %lld %lld -1 %lld %lld -1 -1\n", log_write_swf_number_of(&of[0], job->user),
        log_write_swf_number_of(&of[1], job->account), log_write_swf_number_of(&of[2], job->qos),
        log_write_swf_number_of(&of[3], job->partition));
}

void cs_log_table_put_swf(const struct cs_log_table *table, const char *command,
                          struct cs_strbuf *out, int64_t *rounded)
{
    const struct numbers of[4] = {
        log_write_swf_number(&table->users), log_write_swf_number(&table->accounts),
        log_write_swf_number(&table->qualities), log_write_swf_number(&table->partitions)};

    put_header(table, command, out);
    put_legend("Queue", &of[2], out);
    put_legend("Partition", &of[3], out);
    *rounded = 0;
    for (int64_t j = 0; j < table->count; j++) {
        const struct cs_log_kept *job = &table->job[j];

        log_write_swf_put_job(job, table->labels ? (long long)j + 1 : (long long)job->id, of, out);
        *rounded += is_fraction(job->submit) || is_fraction(job->start) ||
                    is_fraction(job->seconds) || is_fraction(job->request);
    }
}
