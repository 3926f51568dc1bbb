/* log.c - files, each with a window, merged by arrival. */
#include "io/log.h"
#include "base/arena.h"
#include "base/bug.h"
#include "base/guard.h"
#include "base/mix.h"
#include "base/plain.h"
#include "base/source.h"
#include "base/watch.h"
#include "io/log_row.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* a hash table that lives for an instant; stretches of numbers. */

struct cs_log_seen;

#define MOST_SPANS 65536
#define FIRST_SLOTS 64

struct item {
    int64_t id;
    const char *label;
    double submit, recorded;
    uint64_t hash;
    long at; /* its slot */
};

struct span {
    int64_t low, high;
};

struct cs_log_seen {
    struct cs_arena *arena;
    struct cs_arena_mark mark;
    bool any;
    double arrival;
    struct item *item; /* of the instant, slots / 2 at most */
    long count;
    long *slot, slots; /* number of an item + 1, 0: free */
    int spans;
    struct span span[MOST_SPANS]; /* ascending, not touching */
};

static struct cs_log_seen *log_seen_create(void)
{
    struct cs_log_seen *seen = cs_block_resize(NULL, sizeof *seen);

    seen->arena = cs_arena_create();
    seen->mark = cs_arena_mark(seen->arena);
    seen->any = false;
    seen->arrival = 0;
    seen->count = 0;
    seen->spans = 0;
    seen->slots = FIRST_SLOTS;
    seen->slot = cs_block_zero(FIRST_SLOTS, sizeof *seen->slot);
    seen->item = cs_block_resize(NULL, FIRST_SLOTS / 2 * sizeof *seen->item);
    return seen;
}

static void log_seen_destroy(struct cs_log_seen *seen)
{
    if (!seen)
        return;
    cs_arena_destroy(seen->arena);
    cs_block_free(seen->slot);
    cs_block_free(seen->item);
    cs_block_free(seen);
}

static uint64_t log_bits(double value)
{
    uint64_t u;

    value = isnan(value) ? 0.5 : value + 0.0;
    memcpy(&u, &value, sizeof u);
    return u;
}

static uint64_t log_hash(const struct cs_log_row *row)
{
    uint64_t sum = cs_mix_hash((uint64_t)row->id);

    for (const char *at = row->label; at && *at; at++)
        sum = (sum ^ (unsigned char)*at) * 0x100000001b3U;
    return cs_mix_hash(cs_mix_hash(sum ^ log_bits(row->submit)) ^ log_bits(row->recorded));
}

static bool log_same(const struct item *item, const struct cs_log_row *row)
{
    return item->id == row->id && log_bits(item->submit) == log_bits(row->submit) &&
           log_bits(item->recorded) == log_bits(row->recorded) && !item->label == !row->label &&
           (!item->label || !strcmp(item->label, row->label));
}

static long *log_find(const struct cs_log_seen *s, uint64_t sum, const struct cs_log_row *row)
{
    long at = (long)(sum & (uint64_t)(s->slots - 1));

    while (s->slot[at] && !(row && s->item[s->slot[at] - 1].hash == sum &&
                            log_same(&s->item[s->slot[at] - 1], row)))
        at = (at + 1) & (s->slots - 1);
    return &s->slot[at];
}

static void log_discard(struct cs_log_seen *s)
{
    for (long i = 0; i < s->count; i++)
        s->slot[s->item[i].at] = 0;
    s->count = 0;
    cs_arena_rewind(s->arena, s->mark);
}

static void log_seen_grow(struct cs_log_seen *s)
{
    s->slots *= 2;
    cs_block_free(s->slot);
    s->slot = cs_block_zero((size_t)s->slots, sizeof *s->slot);
    s->item = cs_block_resize(s->item, (size_t)s->slots / 2 * sizeof *s->item);
    for (long i = 0; i < s->count; i++) {
        long *slot = log_find(s, s->item[i].hash, NULL);

        *slot = i + 1;
        s->item[i].at = slot - s->slot;
    }
}

/* Whether a row with the same id, submit time and start came before, among those that arrived at
 * the same instant.  Rows must come by arrival. */
static bool log_seen_row(struct cs_log_seen *s, const struct cs_log_row *row)
{
    const uint64_t sum = log_hash(row);
    long *slot;

    if (s->any && row->arrival != s->arrival)
        log_discard(s);
    s->any = true;
    s->arrival = row->arrival;
    slot = log_find(s, sum, row);
    if (*slot)
        return true;
    if (s->count == s->slots / 2) {
        log_seen_grow(s);
        slot = log_find(s, sum, row);
    }
    s->item[s->count] = (struct item){
        .id = row->id,
        .label = row->label ? cs_arena_strdup(s->arena, row->label) : NULL,
        .submit = row->submit,
        .recorded = row->recorded,
        .hash = sum,
        .at = slot - s->slot,
    };
    *slot = ++s->count;
    return false;
}

/* The first span that ends at id - 1 or later. */
static int find_span(const struct cs_log_seen *s, int64_t id)
{
    int low = 0, high = s->spans;

    while (low < high) {
        const int middle = (low + high) / 2;

        if (s->span[middle].high < id - 1)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void insert_span(struct cs_log_seen *s, int at, int64_t id)
{
    if (s->spans == MOST_SPANS) {
        const int half = MOST_SPANS / 2;

        memmove(s->span, s->span + half, (size_t)(s->spans - half) * sizeof *s->span);
        s->spans -= half;
        at = at > half ? at - half : 0;
    }
    memmove(s->span + at + 1, s->span + at, (size_t)(s->spans - at) * sizeof *s->span);
    s->span[at] = (struct span){id, id};
    s->spans++;
}

/* Whether the number came before.  Memory is bounded: of numbers in very many separate stretches
 * the lowest are forgotten. */
static bool log_seen_id(struct cs_log_seen *s, int64_t id)
{
    int at = find_span(s, id);
    struct span *span = &s->span[at];

    if (at < s->spans && id >= span->low && id <= span->high)
        return true;
    if (at < s->spans && span->high == id - 1) {
        span->high = id;
        if (at + 1 < s->spans && span[1].low == id + 1) {
            span->high = span[1].high;
            s->spans--;
            memmove(span + 1, span + 2, (size_t)(s->spans - at - 1) * sizeof *span);
        }
    } else if (at < s->spans && span->low == id + 1) {
        span->low = id;
    } else {
        insert_span(s, at, id);
    }
    return false;
}

/* a ring and a heap of slots. */

struct cs_log_window;

#define FIRST 1024

struct entry {
    double arrival;
    int64_t line;
    long slot;
};

struct cs_log_window {
    long most, room;
    struct cs_log_row *row;
    long *spare, spares;
    struct entry *ring, *heap; /* room for all each */
    long head, ringed, heaped;
};

static void *log_resized(void *memory, long count, size_t size)
{
    return cs_block_resize(memory, (size_t)count * size);
}

static struct entry *ring_at(const struct cs_log_window *w, long i)
{
    const long at = w->head + i;

    return &w->ring[at < w->room ? at : at - w->room];
}

static void log_grow(struct cs_log_window *w)
{
    long room = w->room ? 2 * w->room : FIRST;
    struct entry *ring;

    room = room < w->most ? room : w->most;
    ring = log_resized(NULL, room, sizeof *ring);
    for (long i = 0; i < w->ringed; i++)
        ring[i] = *ring_at(w, i);
    cs_block_free(w->ring);
    w->ring = ring;
    w->head = 0;
    w->heap = log_resized(w->heap, room, sizeof *w->heap);
    w->row = log_resized(w->row, room, sizeof *w->row);
    w->spare = log_resized(w->spare, room, sizeof *w->spare);
    for (long slot = room - 1; slot >= w->room; slot--)
        w->spare[w->spares++] = slot;
    w->room = room;
}

static struct cs_log_window *log_window_create(long most)
{
    struct cs_log_window *w = cs_block_zero(1, sizeof *w);

    w->most = most > 1 ? most : 1;
    return w;
}

static void log_window_destroy(struct cs_log_window *w)
{
    if (!w)
        return;
    for (long i = 0; i < w->ringed; i++)
        cs_log_label_free(w->row[ring_at(w, i)->slot].label);
    for (long i = 0; i < w->heaped; i++)
        cs_log_label_free(w->row[w->heap[i].slot].label);
    cs_block_free(w->row);
    cs_block_free(w->spare);
    cs_block_free(w->ring);
    cs_block_free(w->heap);
    cs_block_free(w);
}

static bool log_window_full(const struct cs_log_window *w)
{
    return w->ringed + w->heaped == w->most;
}

static bool log_before(const struct entry *a, const struct entry *b)
{
    return a->arrival < b->arrival || (a->arrival == b->arrival && a->line < b->line);
}

static void heap_push(struct cs_log_window *w, struct entry entry)
{
    long at = w->heaped++;

    for (; at > 0 && log_before(&entry, &w->heap[(at - 1) / 2]); at = (at - 1) / 2)
        w->heap[at] = w->heap[(at - 1) / 2];
    w->heap[at] = entry;
}

static void heap_pop(struct cs_log_window *w)
{
    struct entry last = w->heap[--w->heaped];
    long at = 0;

    for (long child = 1; child < w->heaped; child = 2 * at + 1) {
        child += child + 1 < w->heaped && log_before(&w->heap[child + 1], &w->heap[child]);
        if (!log_before(&w->heap[child], &last))
            break;
        w->heap[at] = w->heap[child];
        at = child;
    }
    w->heap[at] = last;
}

/* A copy of the row, whose label is the window's from now on.  Not when it is full. */
static void log_window_put(struct cs_log_window *w, const struct cs_log_row *row)
{
    struct entry entry = {row->arrival, row->line, 0};

    if (w->spares == 0)
        log_grow(w);
    entry.slot = w->spare[--w->spares];
    w->row[entry.slot] = *row;
    if (w->ringed == 0 || !log_before(&entry, ring_at(w, w->ringed - 1)))
        *ring_at(w, w->ringed++) = entry;
    else
        heap_push(w, entry);
}

static bool heap_is_next(const struct cs_log_window *w)
{
    return w->heaped && (!w->ringed || log_before(&w->heap[0], ring_at(w, 0)));
}

/* The row that leaves next, or NULL; and take it out. */
static const struct cs_log_row *log_window_next(const struct cs_log_window *w)
{
    if (heap_is_next(w))
        return &w->row[w->heap[0].slot];
    return w->ringed ? &w->row[ring_at(w, 0)->slot] : NULL;
}

static void log_window_take(struct cs_log_window *w, struct cs_log_row *row)
{
    long slot;

    if (heap_is_next(w)) {
        slot = w->heap[0].slot;
        heap_pop(w);
    } else {
        slot = ring_at(w, 0)->slot;
        w->head = w->head + 1 < w->room ? w->head + 1 : 0;
        w->ringed--;
    }
    *row = w->row[slot];
    w->spare[w->spares++] = slot;
}

struct file {
    struct cs_lines *lines;
    const struct cs_log_format *format;
    void *state;
    char *pending; /* a line that was read already; NULL: none */
    bool ended;
    int64_t shift; /* of its times to the log's clock */
    struct cs_log_window *window;
};

struct cs_log {
    struct cs_log_options options;
    struct cs_log_counts counts;
    struct cs_log_scan scan;
    struct cs_arena *arena;
    struct cs_log_names names[4];
    int files;
    struct file *file;
    struct cs_log_seen *seen;
    struct cs_log_link labels;  /* labels in use, in a ring */
    int *partition, partitions; /* of the site, by number of the name; -1: the site lacks it */
    int64_t machine, epoch;
    bool dated, failed, ended, repeats;
    const struct cs_log_swf *swf; /* of the first file that is SWF; or NULL */
    /* The job that came last. */
    bool any;
    double arrival;
    int last;
    int64_t line;
};

static const struct cs_log_format *const formats[] = {
    &cs_log_format_sacct,  &cs_log_format_pbs,         &cs_log_format_alcf,
    &cs_log_format_batsim, &cs_log_format_batsim_json, &cs_log_format_swf,
};

/* ---- opening ---- */

/* NULL if unknown. */
static const struct cs_log_format *format_of(const char *line)
{
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
        if (formats[i]->matches(line))
            return formats[i];
    return NULL;
}

bool cs_log_begins(const char *line)
{
    return format_of(line) != NULL;
}

static int find_format(struct file *f, struct cs_error *err)
{
    size_t length;
    int status;

    while ((status = cs_lines_next(f->lines, &f->pending, &length, err)) > 0)
        if (f->pending[strspn(f->pending, " \t")])
            break;
    if (status < 0)
        return -1;
    if (status == 0)
        return cs_error_set(err, "%s: the file is empty, expected a job log",
                            cs_lines_name(f->lines));
    f->format = format_of(f->pending);
    return f->format ? 0 : cs_log_refuse(f->lines, f->pending, err);
}

static int begin_file(struct cs_log *log, struct file *f, struct cs_error *err)
{
    int64_t machine;

    if (find_format(f, err) || f->format->begin(&log->scan, f->lines, &f->pending, &f->state, err))
        return -1;
    f->ended = f->pending == NULL;
    f->window = log_window_create(log->options.lookahead);
    if (f->format->kind == CS_LOG_SWF && !log->swf)
        log->swf = f->state;
    machine = f->format->machine ? f->format->machine(f->state) : 0;
    if (machine > log->machine)
        log->machine = machine;
    return 0;
}

/* One file of SWF keeps its clock; all else is in Unix time. */
static int set_clock(struct cs_log *log, struct cs_error *err)
{
    log->dated = true;
    log->repeats = true;
    for (int i = 0; i < log->files; i++) {
        struct file *f = &log->file[i];
        const struct cs_log_swf *swf = f->state;
        const bool own = f->format->kind == CS_LOG_SWF || f->format->kind == CS_LOG_BATSIM ||
                         f->format->kind == CS_LOG_BATSIM_JSON;

        if (!own)
            continue;
        log->repeats = log->files == 1;
        if (log->files == 1) {
            log->dated = f->format->kind == CS_LOG_SWF && swf->dated;
            log->epoch = log->dated ? swf->start : 0;
        } else if (f->format->kind != CS_LOG_SWF || !swf->dated) {
            return cs_error_set(err,
                                "%s has no start time (UnixStartTime), which several logs need "
                                "to be merged",
                                cs_lines_name(f->lines));
        } else {
            f->shift = swf->start;
        }
    }
    return 0;
}

static struct cs_log *log_create(int files, const struct cs_log_options *options)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_log *log = CS_NEW(arena, struct cs_log);

    log->arena = arena;
    log->options = *options;
    if (log->options.lookahead < 1)
        log->options.lookahead = CS_LOG_LOOKAHEAD;
    log->files = files;
    log->file = CS_NEW_ARRAY(arena, struct file, files);
    log->seen = log_seen_create();
    log->labels.before = log->labels.after = &log->labels;
    log->scan = (struct cs_log_scan){
        .options = &log->options,
        .counts = &log->counts,
        .users = cs_names_create(arena),
        .accounts = cs_names_create(arena),
        .partitions = cs_names_create(arena),
        .qualities = cs_names_create(arena),
        .gres = cs_log_gres_create(arena),
    };
    return log;
}

void cs_log_set_most(struct cs_log *log, int64_t most)
{
    log->options.most = most;
}

void cs_log_close(struct cs_log *log)
{
    if (!log)
        return;
    for (int i = 0; i < log->files; i++) {
        cs_lines_close(log->file[i].lines);
        log_window_destroy(log->file[i].window);
        if (log->file[i].format)
            (log->file[i].format->end ? log->file[i].format->end
                                      : cs_block_free)(log->file[i].state);
    }
    cs_log_label_free_all(&log->labels);
    log_seen_destroy(log->seen);
    cs_block_free(log->partition);
    cs_arena_destroy(log->arena);
}

struct cs_log *cs_log_open(const char *const *path, int files, const struct cs_log_options *options,
                           struct cs_error *err)
{
    struct cs_log *log = log_create(files, options);
    int status = 0;

    for (int i = 0; i < files && !status; i++) {
        const bool spool = options->spool && !strcmp(path[i], options->spool);

        log->file[i].lines = spool ? cs_lines_open_as(path[i], cs_source_name("-"), err)
                                   : cs_lines_open(path[i], err);
        status = log->file[i].lines ? begin_file(log, &log->file[i], err) : -1;
    }
    if (!status && !set_clock(log, err))
        return log;
    cs_log_close(log);
    return NULL;
}

struct cs_log *cs_log_open_memory(const char *name, const void *bytes, size_t size,
                                  const struct cs_log_options *options, struct cs_error *err)
{
    struct cs_log *log = log_create(1, options);

    log->file[0].lines = cs_lines_open_memory(name, bytes, size);
    if (!begin_file(log, &log->file[0], err) && !set_clock(log, err))
        return log;
    cs_log_close(log);
    return NULL;
}

/* ---- sizes ---- */

static bool by_nodes(const struct cs_log *log, const struct file *f)
{
    if (log->options.unit == CS_LOG_UNIT_DEFAULT)
        return f->format->kind == CS_LOG_ALCF;
    return log->options.unit == CS_LOG_NODES;
}

/* The site's number of a partition that the log names. */
static int partition_of(struct cs_log *log, int named)
{
    struct cs_log_names list, *names = &list;

    if (named < 0)
        return -1;
    list.name = cs_names_list(log->scan.partitions, &list.count);
    if (names->count > log->partitions) {
        const size_t size = (size_t)names->count * sizeof *log->partition;

        log->partition = cs_block_resize(log->partition, size);
        for (; log->partitions < names->count; log->partitions++)
            log->partition[log->partitions] =
                cs_site_partition_find(log->options.site, names->name[log->partitions]);
    }
    return log->partition[named];
}

static enum cs_log_rule size_on_site(struct cs_log *log, const struct file *f,
                                     struct cs_log_job *job, unsigned *flags)
{
    static const enum cs_log_rule rule[] = {
        [CS_SITE_FITS] = CS_LOG_KEPT,
        [CS_SITE_NO_WIDTH] = CS_LOG_NO_WIDTH,
        [CS_SITE_NO_PARTITION] = CS_LOG_NO_PARTITION,
        [CS_SITE_TOO_WIDE] = CS_LOG_TOO_WIDE,
        [CS_SITE_NO_GRES] = CS_LOG_TOO_WIDE,
    };
    const struct cs_site *site = log->options.site;
    enum cs_site_finding finding;

    job->partition = partition_of(log, job->named);
    if (job->partition < 0 && job->named >= 0 && site->kind != CS_SITE_PROCESSORS)
        *flags |= 1U << CS_LOG_OTHER_PARTITION;
    finding = cs_site_size(site, by_nodes(log, f), job);
    if (finding == CS_SITE_NO_GRES)
        cs_log_gres_lacks(&log->counts, cs_site_lacks(site, job));
    return rule[finding];
}

static enum cs_log_rule size_alone(const struct cs_log *log, const struct file *f,
                                   struct cs_log_job *job)
{
    int64_t first = by_nodes(log, f) ? job->nodes : job->cores;
    int64_t second = by_nodes(log, f) ? job->cores : job->nodes;

    job->procs = first > 0 ? first : second;
    if (job->procs < 1)
        return CS_LOG_NO_WIDTH;
    job->units = job->procs < INT_MAX ? (int)job->procs : INT_MAX;
    job->demand[0] = 1;
    return log->options.most && job->procs > log->options.most ? CS_LOG_TOO_WIDE : CS_LOG_KEPT;
}

static struct cs_log_job job_of(const struct cs_log_row *row)
{
    return (struct cs_log_job){
        .id = row->id,
        .label = row->label,
        .submit = row->arrival,
        .seconds = row->run,
        .request = row->request > 0 ? row->request : 0,
        .recorded = row->recorded,
        .cores = row->cores,
        .nodes = row->nodes,
        .memory = row->memory,
        .gpus = row->gpus,
        .gres = row->gres,
        .user = row->user,
        .account = row->account,
        .partition = row->partition,
        .named = row->partition,
        .qos = row->qos,
        .state = row->state,
    };
}

static enum cs_log_rule size_of(struct cs_log *log, const struct file *f, struct cs_log_job *job,
                                unsigned *flags)
{
    return log->options.site ? size_on_site(log, f, job, flags) : size_alone(log, f, job);
}

static bool is_extpol(const struct cs_log *log, double arrival)
{
    const struct cs_log_options *o = &log->options;
    const double time = arrival + (double)log->epoch;

    return (o->from != 0 || o->to != 0) && (time < o->from || time >= o->to);
}

/* Count an unended job with its run time so far and its width. */
static void count_unended(struct cs_log *log, const struct file *f, const struct cs_log_row *row)
{
    struct cs_log_job job = job_of(row);
    unsigned flags = 0;

    if (row->run > 0 && !is_extpol(log, row->arrival) &&
        size_of(log, f, &job, &flags) == CS_LOG_KEPT)
        log->counts.not_ended_seconds += (double)job.procs * job.seconds;
}

/* ---- reading ---- */

static int log_note(struct cs_log *log, const struct file *f, struct cs_error *err)
{
    struct cs_log_counts *counts = &log->counts;
    struct cs_error line = {0};

    if (f->format->next)
        cs_error_set(&line, "%s: %s", cs_lines_name(f->lines), log->scan.why.text);
    else
        cs_lines_error(f->lines, &line, "%s", log->scan.why.text);
    if (counts->notes < CS_LOG_NOTES)
        cs_plain_print(counts->note[counts->notes++], sizeof counts->note[0], "%s", line.text);
    return log->options.strict ? cs_error_set(err, "%s", line.text) : 0;
}

/* NaN if the job is before the start of the clock of the log. */
static int too_late(const struct cs_log *log, const struct file *f, double arrival,
                    struct cs_error *err)
{
    const struct cs_lines *before = log->file[log->last].lines;

    return cs_lines_error(f->lines, err,
                          "this job arrives %.15g s before that of %s:%lld, which came first: more "
                          "than %ld lines are out of order, give --lookahead more",
                          log->arrival - arrival, cs_lines_name(before), (long long)log->line,
                          log->options.lookahead);
}

static int log_keep(struct cs_log *log, struct file *f, struct cs_log_row *row,
                    struct cs_error *err)
{
    row->line = cs_lines_number(f->lines);
    row->arrival += (double)f->shift;
    row->submit += (double)f->shift;
    row->recorded += (double)f->shift;
    log_window_put(f->window, row);
    return log->any && row->arrival < log->arrival ? too_late(log, f, row->arrival, err) : 0;
}

/* A rule leaves out what that line has. */
static void leave_out(struct cs_log *log, enum cs_log_rule rule, int64_t line)
{
    if (log->counts.rule[rule]++ == 0)
        log->counts.first[rule] = line;
}

/* Process the result of a line or an element. */
static int log_take(struct cs_log *log, struct file *f, enum cs_log_rule rule,
                    struct cs_log_row *row, struct cs_error *err)
{
    log->counts.lines++;
    if (rule == CS_LOG_KEPT)
        return log_keep(log, f, row, err);
    leave_out(log, rule, cs_lines_number(f->lines));
    if (rule == CS_LOG_NOT_ENDED)
        count_unended(log, f, row);
    return rule == CS_LOG_MALFORMED ? log_note(log, f, err) : 0;
}

/* One line more. */
static int read_line(struct cs_log *log, struct file *f, struct cs_error *err)
{
    struct cs_log_row row;
    enum cs_log_rule rule;
    size_t length;
    int status = 1;

    if (!f->pending)
        status = cs_lines_next(f->lines, &f->pending, &length, err);
    if (status <= 0) {
        f->ended = true;
        return status;
    }
    row.flags = 0;
    row.gres = NULL;
    rule = f->format->read(&log->scan, f->state, f->pending, &row);
    f->pending = NULL;
    return rule == CS_LOG_RULES ? 0 : log_take(log, f, rule, &row, err);
}

/* One element more, where they are no lines. */
static int read_element(struct cs_log *log, struct file *f, struct cs_error *err)
{
    struct cs_log_row row = {0};
    const enum cs_log_rule rule = f->format->next(&log->scan, f->state, &row);

    f->ended = rule == CS_LOG_RULES;
    return f->ended ? 0 : log_take(log, f, rule, &row, err);
}

static int log_fill(struct cs_log *log, struct cs_error *err)
{
    for (int i = 0; i < log->files; i++) {
        struct file *f = &log->file[i];

        while (!f->ended && !log_window_full(f->window))
            if ((f->format->next ? read_element : read_line)(log, f, err))
                return -1;
    }
    return 0;
}

/* The file of the next row; -1 at the end. */
static int first_file(const struct cs_log *log)
{
    double arrival = INFINITY;
    int first = -1;

    for (int i = 0; i < log->files; i++) {
        const struct cs_log_row *row = log_window_next(log->file[i].window);

        if (row && (first < 0 || row->arrival < arrival)) {
            first = i;
            arrival = row->arrival;
        }
    }
    return first;
}

/* ---- judging ---- */

static void count_kept(struct cs_log *log, const struct cs_log_row *row,
                       const struct cs_log_job *job, unsigned flags)
{
    struct cs_log_counts *counts = &log->counts;

    counts->kept++;
    counts->kept_seconds += (double)job->procs * job->seconds;
    counts->with_gpus += job->gpus > 0;
    if (job->request > 0 && job->request < job->seconds)
        flags |= 1U << CS_LOG_REQUEST_BELOW_RUN;
    if (row->submit < 0 && !log->dated)
        flags |= 1U << CS_LOG_NEGATIVE_SUBMIT;
    if (log->repeats && !job->label && log_seen_id(log->seen, job->id))
        flags |= 1U << CS_LOG_REPEATED_IDS;
    for (int rule = CS_LOG_KEPT; rule < CS_LOG_RULES; rule++)
        counts->rule[rule] += flags >> rule & 1;
}

/* CS_LOG_KEPT with the job, or why it is left out. */
static enum cs_log_rule log_judge(struct cs_log *log, const struct cs_log_row *row,
                                  struct cs_log_job *job)
{
    unsigned flags = row->flags;
    enum cs_log_rule rule;

    *job = job_of(row);
    if (is_extpol(log, row->arrival))
        return CS_LOG_EXTPOL;
    rule = size_of(log, &log->file[log->last], job, &flags);
    if (rule == CS_LOG_TOO_WIDE)
        log->counts.too_wide_seconds += (double)job->procs * job->seconds;
    if (rule == CS_LOG_KEPT && log_seen_row(log->seen, row))
        rule = CS_LOG_DUPLICATES;
    if (rule == CS_LOG_KEPT)
        count_kept(log, row, job, flags);
    return rule;
}

static int log_finish(struct cs_log *log, struct cs_error *err)
{
    const struct cs_log_counts *counts = &log->counts;
    const int64_t malformed = counts->rule[CS_LOG_MALFORMED];

    log->ended = true;
    if (log->options.lenient || malformed <= 10 || malformed * 100 <= counts->lines)
        return 0;
    return cs_error_set(err, "%lld of %lld lines are malformed, more than 1 %%; the first is %s",
                        (long long)malformed, (long long)counts->lines, counts->note[0]);
}

static void list_names(struct cs_log *log)
{
    struct cs_names *const list[] = {log->scan.users, log->scan.accounts, log->scan.partitions,
                                     log->scan.qualities};

    for (int i = 0; i < 4; i++)
        log->names[i].name = cs_names_list(list[i], &log->names[i].count);
}

static int next_job(struct cs_log *log, struct cs_log_job *out, struct cs_error *err)
{
    struct cs_log_row row;
    enum cs_log_rule rule;
    int file;

    for (;;) {
        if (cs_watch_calls())
            return cs_watch_settle(-1, err);
        if (log_fill(log, err))
            return -1;
        file = first_file(log);
        if (file < 0)
            return log->ended ? 0 : log_finish(log, err);
        log_window_take(log->file[file].window, &row);
        log->any = true;
        log->last = file;
        log->arrival = row.arrival;
        log->line = row.line;
        rule = log_judge(log, &row, out);
        if (rule == CS_LOG_KEPT) {
            cs_log_label_keep(&log->labels, row.label);
            list_names(log);
            return 1;
        }
        leave_out(log, rule, row.line);
        cs_log_label_free(row.label);
    }
}

int cs_log_next(void *source, struct cs_log_job *out, struct cs_error *err)
{
    struct cs_log *log = source;
    int status = log->failed ? cs_error_set(err, "an earlier error ended the reading")
                             : next_job(log, out, err);

    log->failed = status < 0;
    return status;
}

void cs_log_done(struct cs_log *log, const struct cs_log_job *job)
{
    (void)log;
    cs_log_label_free((char *)(uintptr_t)job->label);
}

/* ---- what is known ---- */

const struct cs_log_counts *cs_log_counts(const struct cs_log *log)
{
    return &log->counts;
}

enum cs_log_kind cs_log_kind(const struct cs_log *log, int file)
{
    CS_REQUIRE(file >= 0 && file < log->files);
    return log->file[file].format->kind;
}

int64_t cs_log_machine(const struct cs_log *log)
{
    return log->machine;
}

bool cs_log_dated(const struct cs_log *log)
{
    return log->dated;
}

int64_t cs_log_epoch(const struct cs_log *log)
{
    return log->epoch;
}

const char *cs_log_zone(const struct cs_log *log)
{
    return log->swf && log->swf->zone[0] ? log->swf->zone : NULL;
}

const struct cs_log_names *cs_log_users(const struct cs_log *log)
{
    return &log->names[0];
}

const struct cs_log_names *cs_log_accounts(const struct cs_log *log)
{
    return &log->names[1];
}

const struct cs_log_names *cs_log_partitions(const struct cs_log *log)
{
    return &log->names[2];
}

const struct cs_log_names *cs_log_qualities(const struct cs_log *log)
{
    return &log->names[3];
}
