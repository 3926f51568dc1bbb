/* log_write_swf.c - a log in the Standard Workload Format. */
#include "io/log_write.h"

#include "base/plain.h"
#include "config.h"

#include <math.h>
#include <stdlib.h>

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
