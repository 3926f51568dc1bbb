/* volatile.c - a schedule of the problem volatile, slot by slot.
 *
 * Bars are laid on a table of hosts and slots; what each host has is then counted from the bars and
 * the traces alone, and every slot compared with what the rules ask for.
 */
#include "base/arena.h"
#include "base/guard.h"
#include "base/plain.h"
#include "check/bound.h"

#include <math.h>
#include <string.h>

/* The received program and data of a host, in slots. */
struct having {
    int program;
    int data;
};

struct check {
    const struct cs_schedule *schedule;
    const struct cs_volatile_declared *d;
    struct cs_check_report *report;
    struct cs_arena *arena;
    const struct cs_bar *bar;
    int **cell;             /* by host and slot: the number of its bar plus 1, 0 for none */
    struct having *have;    /* by host */
    const int *tasks;       /* of the running configuration by host, or NULL */
    const int *before;      /* of the last one, or NULL */
    int next, running;      /* configurations that have begun; the number of the running one */
    int iteration, attempt; /* attempt: configurations of this iteration */
    long long done, began;  /* slots computed, and when the configuration began, or was saved */
    long long fresh;        /* of them, not saved */
    int saving;             /* slots that the save under way takes yet */
    double saved, base;     /* part of the iteration that is saved; that was when it began */
    bool *wanted;           /* by host: must receive something now */
};

#define NONE (-1)

static const char *volatile_name_of(const struct check *c, int host)
{
    return c->d->host[host];
}

static const struct cs_bar *bar_at(const struct check *c, int host, long long t)
{
    int number = c->cell[host][t];

    return number ? &c->bar[number - 1] : NULL;
}

static bool is_up(const struct check *c, int host, long long t)
{
    return c->d->trace[host][t] == 'u';
}

/* The iteration that is under way; -1: all have ended. */
static int volatile_current(const struct check *c)
{
    return c->iteration < c->d->iterations ? c->iteration : NONE;
}

static bool volatile_computes(const struct cs_bar *bar)
{
    return bar && (bar->kind == CS_BAR_WORK || bar->kind == CS_BAR_LOST);
}

static bool volatile_saves(const struct cs_bar *bar)
{
    return bar && bar->kind == CS_BAR_CHECKPOINT;
}

static bool volatile_receives(const struct cs_bar *bar)
{
    return bar && (bar->kind == CS_BAR_PROGRAM || bar->kind == CS_BAR_MOVE);
}

static bool volatile_usable(const struct check *c, const struct cs_bar *bar)
{
    return bar->intervals == 1 && bar->procs->first == bar->procs->last && bar->procs->first >= 0 &&
           bar->procs->first < c->d->hosts && bar->start >= 0 && bar->start == floor(bar->start) &&
           bar->end == floor(bar->end) && bar->start < bar->end && bar->end <= (double)c->d->slots;
}

/* Put a bar into the table; report an invalid one. */
static void lay_bar(const struct check *c, int number)
{
    const struct cs_bar *bar = &c->bar[number];

    if (!volatile_computes(bar) && !volatile_receives(bar) &&
        !(volatile_saves(bar) && c->d->save_every > 0))
        cs_check_add(
            c->report, CS_VIOLATION_BAR_KIND, bar->task, bar->start,
            "a bar of iteration %d at slot %.15g is of kind %s: hosts compute (work, lost)%s "
            "or receive (program, move)",
            bar->task, bar->start, cs_bar_kind_name(bar->kind),
            c->d->save_every > 0 ? ", save (checkpoint)" : "");
    if (!volatile_usable(c, bar)) {
        cs_check_add(
            c->report, CS_VIOLATION_BAR_TIME, bar->task, bar->start,
            "a bar of iteration %d from %.15g to %.15g: it must be one host in whole slots "
            "below %lld",
            bar->task, bar->start, bar->end, c->d->slots);
        return;
    }
    for (long long t = (long long)bar->start; t < (long long)bar->end; t++)
        c->cell[bar->procs->first][t] = number + 1;
}

static void lay_bars(struct check *c)
{
    size_t count;

    c->bar = cs_schedule_bars(c->schedule, &count);
    c->cell = CS_NEW_ARRAY(c->arena, int *, c->d->hosts);
    for (int q = 0; q < c->d->hosts; q++)
        c->cell[q] = CS_NEW_ARRAY(c->arena, int, c->d->slots);
    for (size_t i = 0; i < count; i++)
        lay_bar(c, (int)i);
}

/* All tasks from the beginning. */
static long long whole_workload(const struct check *c)
{
    long long most = 0;

    for (int q = 0; q < c->d->hosts; q++) {
        long long slots = (long long)c->tasks[q] * c->d->slots_per_task[q];

        most = slots > most ? slots : most;
    }
    return most;
}

/* The remaining workload at the beginning of the configuration. */
static long long volatile_workload(const struct check *c)
{
    long long whole = whole_workload(c);
    long long left = (long long)ceil((1 - c->base) * (double)whole - 1e-9);

    return left < 1 && whole > 0 ? 1 : left;
}

/* Bars of the configuration that ended, or was saved, have kind work exactly if their computation
 * counts. */
static void check_work(const struct check *c, long long end, bool complete)
{
    for (int q = 0; q < c->d->hosts; q++)
        for (long long t = c->began; t < end; t++) {
            const struct cs_bar *bar = bar_at(c, q, t);

            if (!volatile_computes(bar) || (bar->kind == CS_BAR_WORK) == complete)
                continue;
            cs_check_add(c->report, CS_VIOLATION_BAR_KIND, bar->task, bar->start,
                         "host %s computes from slot %.15g on in a configuration that %s its "
                         "iteration%s: its bar must be %s",
                         volatile_name_of(c, q), bar->start, complete ? "ends" : "does not end",
                         c->d->save_every == 0 ? ""
                         : complete            ? " or saves this"
                                               : " or save this",
                         complete ? "work" : "lost");
            t = (long long)bar->end - 1;
        }
}

static void end_configuration(struct check *c, long long t, bool complete)
{
    check_work(c, t, complete);
    c->before = c->tasks;
    c->tasks = NULL;
    c->running = NONE;
    c->done = c->fresh = c->saving = 0;
}

/* Hosts that are down have nothing, and end the configuration that they are in. */
static void volatile_lose(struct check *c, long long t)
{
    bool abort = false;

    for (int q = 0; q < c->d->hosts; q++) {
        if (c->d->trace[q][t] != 'd')
            continue;
        c->have[q] = (struct having){0, 0};
        abort |= c->tasks && c->tasks[q] > 0;
    }
    if (abort)
        end_configuration(c, t, false);
}

static void check_members(const struct check *c, const int *tasks, long long t)
{
    long long sum = 0;

    for (int q = 0; q < c->d->hosts; q++) {
        sum += tasks[q];
        if (tasks[q] < 0 || tasks[q] > c->d->capacity[q])
            cs_check_add(c->report, CS_VIOLATION_CONFIGURATION, volatile_current(c), (double)t,
                         "host %s gets %d tasks at slot %lld: it can hold %d",
                         volatile_name_of(c, q), tasks[q], t, c->d->capacity[q]);
        if (tasks[q] > 0 && !is_up(c, q, t))
            cs_check_add(c->report, CS_VIOLATION_CONFIGURATION, volatile_current(c), (double)t,
                         "host %s is enrolled at slot %lld, in which it is not up",
                         volatile_name_of(c, q), t);
    }
    if (sum != c->d->tasks)
        cs_check_add(c->report, CS_VIOLATION_CONFIGURATION, volatile_current(c), (double)t,
                     "the configuration of slot %lld has %lld tasks: an iteration has %d", t, sum,
                     c->d->tasks);
}

/* The data that a host keeps at the beginning of another configuration. */
static void volatile_keep(struct check *c, int host, int tasks)
{
    struct having *have = &c->have[host];
    int data = c->d->data, whole = data ? have->data / data * data : 0;

    if (tasks > 0 && (long long)tasks * data <= whole)
        have->data = whole;
    if (tasks > 0 || !c->before || c->before[host] == 0 || c->d->prefetch == 2)
        return;
    have->data = 0;
    if (have->program < c->d->program)
        have->program = 0;
}

static void begin_configuration(struct check *c, long long t)
{
    const struct cs_volatile_declared_configuration *next = &c->d->configuration[c->next];

    if (next->iteration != c->iteration)
        cs_check_add(c->report, CS_VIOLATION_ITERATION, volatile_current(c), (double)t,
                     "the configuration of slot %lld is of iteration %d: it must be of %d", t,
                     next->iteration, c->iteration);
    if (c->tasks)
        end_configuration(c, t, false);
    check_members(c, next->tasks, t);
    for (int q = 0; q < c->d->hosts; q++)
        volatile_keep(c, q, next->tasks[q]);
    c->tasks = next->tasks;
    c->running = c->next++;
    c->attempt++;
    c->began = t;
    c->base = c->saved;
}

static bool volatile_needs(const struct check *c, int host)
{
    return c->have[host].program < c->d->program ||
           c->have[host].data < (long long)c->tasks[host] * c->d->data;
}

static bool volatile_partly(const struct check *c, int host)
{
    const struct having *have = &c->have[host];

    if (have->program < c->d->program)
        return have->program > 0;
    return c->d->data && have->data % c->d->data > 0;
}

/* Which members must receive something in this slot; true when any is in need. */
static bool volatile_want(struct check *c, long long t)
{
    int left = c->d->transfers;
    bool any = false;

    memset(c->wanted, 0, (size_t)c->d->hosts * sizeof *c->wanted);
    for (int later = 0; later < 2; later++)
        for (int q = 0; c->tasks && q < c->d->hosts; q++) {
            if (c->tasks[q] == 0 || !volatile_needs(c, q))
                continue;
            any = true;
            if (left > 0 && is_up(c, q, t) && volatile_partly(c, q) != (bool)later) {
                c->wanted[q] = true;
                left--;
            }
        }
    return any;
}

static void check_message(const struct check *c, const struct cs_bar *bar, int host, long long t)
{
    bool program = c->have[host].program < c->d->program;

    if (program != (bar->kind == CS_BAR_PROGRAM))
        cs_check_add(c->report, CS_VIOLATION_TRANSFER, bar->task, (double)t,
                     "host %s receives %s at slot %lld: it %s", volatile_name_of(c, host),
                     program ? "data" : "the program", t,
                     program ? "has not got the whole program" : "has the program");
}

/* A host outside the configuration: only with prefetch or as a spare, and no more than it could
 * ever use. */
static void check_outsider(const struct check *c, const struct cs_bar *bar, int host, long long t)
{
    long long most = (long long)c->d->capacity[host] * c->d->data;
    bool program = c->have[host].program < c->d->program;
    bool spare = c->d->spares > 0 && c->tasks;
    bool allowed =
        program ? c->d->prefetch > 0 || spare : c->d->prefetch > 1 && c->have[host].data < most;

    if (!allowed || c->d->capacity[host] == 0)
        cs_check_add(c->report, CS_VIOLATION_TRANSFER, bar->task, (double)t,
                     "host %s receives something at slot %lld, outside the configuration",
                     volatile_name_of(c, host), t);
}

static void check_receiving(const struct check *c, int host, long long t)
{
    const struct cs_bar *bar = bar_at(c, host, t);
    bool member = c->tasks && c->tasks[host] > 0;

    if (volatile_receives(bar)) {
        check_message(c, bar, host, t);
        if (!member)
            check_outsider(c, bar, host, t);
        else if (!c->wanted[host])
            cs_check_add(c->report, CS_VIOLATION_TRANSFER, bar->task, (double)t,
                         "host %s receives something at slot %lld: it is not its turn, or it has "
                         "all it needs",
                         volatile_name_of(c, host), t);
    } else if (c->wanted[host]) {
        cs_check_add(c->report, CS_VIOLATION_TRANSFER, volatile_current(c), (double)t,
                     "host %s receives nothing at slot %lld: it is its turn",
                     volatile_name_of(c, host), t);
    }
}

/* In a slot of a save all enrolled hosts save, in other slots none. */
static void check_saving(const struct check *c, int host, bool together, long long t)
{
    bool is = volatile_saves(bar_at(c, host, t)),
         must = together && c->saving && c->tasks[host] > 0;

    if (is != must)
        cs_check_add(c->report, CS_VIOLATION_TOGETHER, volatile_current(c), (double)t,
                     "host %s %s at slot %lld: after %d computed slots all that are enrolled save "
                     "for %d slots, in which they are up",
                     volatile_name_of(c, host), is ? "saves" : "does not save", t, c->d->save_every,
                     c->d->save_cost);
}

/* All enrolled hosts compute, or none. */
static void check_computing(const struct check *c, int host, bool together, long long t)
{
    const struct cs_bar *bar = bar_at(c, host, t);
    bool must = together && c->tasks[host] > 0;

    if (volatile_computes(bar) && !must)
        cs_check_add(c->report, CS_VIOLATION_TOGETHER, bar->task, (double)t,
                     "host %s computes at slot %lld: %s", volatile_name_of(c, host), t,
                     !c->tasks || c->tasks[host] == 0 ? "it is not enrolled"
                                                      : "not all enrolled hosts are up and ready");
    if (must && !volatile_computes(bar))
        cs_check_add(c->report, CS_VIOLATION_TOGETHER, volatile_current(c), (double)t,
                     "host %s does not compute at slot %lld: all enrolled hosts are up and ready",
                     volatile_name_of(c, host), t);
}

/* The numbers of a bar: iteration, attempt, configuration. */
static void check_numbers(const struct check *c, const struct cs_bar *bar, int host, long long t)
{
    bool member = c->tasks && c->tasks[host] > 0;
    int attempt = c->attempt > 0 ? c->attempt : 1, group = member ? c->running : NONE;

    if (!is_up(c, host, t))
        cs_check_add(c->report, CS_VIOLATION_NOT_UP, bar->task, (double)t,
                     "host %s works at slot %lld, in which it is %s", volatile_name_of(c, host), t,
                     c->d->trace[host][t] == 'd' ? "down" : "reclaimed");
    if (bar->task != c->iteration)
        cs_check_add(c->report, CS_VIOLATION_ITERATION, bar->task, (double)t,
                     "host %s works on iteration %d at slot %lld: it is iteration %d",
                     volatile_name_of(c, host), bar->task, t, c->iteration);
    if ((bar->attempt >= 1 && bar->attempt != attempt) || bar->group != group)
        cs_check_add(c->report, CS_VIOLATION_ATTEMPT_ORDER, bar->task, (double)t,
                     "host %s has attempt %d, group %d at slot %lld: it must be %d, %d",
                     volatile_name_of(c, host), bar->attempt, bar->group, t, attempt, group);
}

static void check_slot(struct check *c, bool together, long long t)
{
    int receiving = 0, spares = 0;

    for (int q = 0; q < c->d->hosts; q++) {
        const struct cs_bar *bar = bar_at(c, q, t);

        if (bar && (t == (long long)bar->start || !is_up(c, q, t)))
            check_numbers(c, bar, q, t);
        check_receiving(c, q, t);
        check_computing(c, q, together && !c->saving, t);
        check_saving(c, q, together, t);
        receiving += volatile_receives(bar);
        spares += volatile_receives(bar) && c->tasks && c->tasks[q] == 0;
    }
    if (c->d->prefetch == 0 && c->d->spares > 0 && spares > c->d->spares)
        cs_check_add(c->report, CS_VIOLATION_TRANSFER, volatile_current(c), (double)t,
                     "%d hosts outside the configuration receive something at slot %lld: there are "
                     "%d spares",
                     spares, t, c->d->spares);
    if (receiving > c->d->transfers)
        cs_check_add(c->report, CS_VIOLATION_TRANSFER, volatile_current(c), (double)t,
                     "%d hosts receive something at slot %lld: the master can send to %d",
                     receiving, t, c->d->transfers);
}

static void count_slot(struct check *c, long long t)
{
    for (int q = 0; q < c->d->hosts; q++) {
        const struct cs_bar *bar = bar_at(c, q, t);

        if (bar && bar->kind == CS_BAR_PROGRAM)
            c->have[q].program++;
        if (bar && bar->kind == CS_BAR_MOVE)
            c->have[q].data++;
    }
}

static void end_iteration(struct check *c, long long t)
{
    end_configuration(c, t + 1, true);
    c->saved = 0;
    c->iteration++;
    c->attempt = 0;
    for (int q = 0; q < c->d->hosts; q++)
        c->have[q].data = 0;
}

static bool members_up(const struct check *c, long long t)
{
    for (int q = 0; q < c->d->hosts; q++)
        if (c->tasks[q] > 0 && !is_up(c, q, t))
            return false;
    return true;
}

static void volatile_save(struct check *c, long long t)
{
    check_work(c, t + 1, true);
    c->saved = c->base + (double)c->done / (double)whole_workload(c);
    c->fresh = 0;
    c->began = t + 1;
}

/* A slot in which all were up and had everything. */
static void count_together(struct check *c, long long t)
{
    if (c->saving) {
        c->saving--;
        if (!c->saving)
            volatile_save(c, t);
        return;
    }
    c->done++;
    c->fresh++;
    if (c->done == volatile_workload(c)) {
        end_iteration(c, t);
    } else if (c->d->save_every > 0 && c->fresh == c->d->save_every) {
        c->saving = c->d->save_cost;
        if (!c->saving)
            volatile_save(c, t);
    }
}

static void run_slot(struct check *c, long long t)
{
    bool together;

    volatile_lose(c, t);
    if (c->next < c->d->configurations && c->d->configuration[c->next].slot <= t)
        begin_configuration(c, t);
    together = !volatile_want(c, t) && c->tasks && members_up(c, t);
    check_slot(c, together, t);
    count_slot(c, t);
    if (together)
        count_together(c, t);
}

static void check_end(struct check *c)
{
    if (c->tasks)
        end_configuration(c, c->d->slots, false);
    if (c->next < c->d->configurations)
        cs_check_add(c->report, CS_VIOLATION_CONFIGURATION, volatile_current(c),
                     (double)c->d->slots, "%d of %d configurations begin before slot %lld, the end",
                     c->next, c->d->configurations, c->d->slots);
    if (c->iteration != c->d->completed)
        cs_check_add(c->report, CS_VIOLATION_ITERATION, -1, (double)c->d->slots,
                     "%d iterations end: the schedule declares %d", c->iteration, c->d->completed);
    cs_check_bound_shown(c->d->lower_bound, cs_check_bound_volatile(c->d),
                         c->d->completed == c->d->iterations ? (double)c->d->slots : INFINITY,
                         c->report);
}

/* Iterations are named by their numbers, from 1 on. */
static void check_names(const struct check *c)
{
    for (int i = 0; i < c->d->iterations; i++) {
        const char *name = cs_schedule_task_name(c->schedule, i);
        char number[16];

        cs_plain_print(number, sizeof number, "%d", i + 1);
        if (strcmp(name, number) != 0)
            cs_check_add(c->report, CS_VIOLATION_INSTANCE, i, NAN,
                         "task %d is \"%.60s\": it must be \"%s\", the number of its iteration", i,
                         name, number);
    }
}

/* Can the rules be applied at all? */
static bool volatile_readable(const struct check *c)
{
    const struct cs_volatile_declared *d = c->d;

    if (cs_schedule_procs(c->schedule) != d->hosts ||
        cs_schedule_tasks(c->schedule) != d->iterations) {
        cs_check_add(c->report, CS_VIOLATION_INSTANCE, -1, NAN,
                     "the schedule has %d processors and %d tasks: there are %d hosts and %d "
                     "iterations",
                     cs_schedule_procs(c->schedule), cs_schedule_tasks(c->schedule), d->hosts,
                     d->iterations);
        return false;
    }
    for (int q = 0; q < d->hosts; q++) {
        size_t slots = strspn(d->trace[q], "urd");

        if (slots == (size_t)d->slots && !d->trace[q][slots])
            continue;
        cs_check_add(c->report, CS_VIOLATION_INSTANCE, -1, NAN,
                     "the trace of host %s must be %lld letters u, r, d", volatile_name_of(c, q),
                     d->slots);
        return false;
    }
    return true;
}

int cs_check_volatile(const struct cs_schedule *schedule,
                      const struct cs_volatile_declared *declared, struct cs_check_report *report)
{
    CS_ASK(schedule && declared && report, NULL, -1);
    CS_GUARD(NULL, cs_check_broken(report));
    struct cs_arena *arena = cs_arena_create();
    struct check c = {
        .schedule = schedule, .d = declared, .report = report, .arena = arena, .running = NONE};

    cs_check_general(schedule, false, report);
    if (volatile_readable(&c)) {
        c.have = CS_NEW_ARRAY(arena, struct having, declared->hosts);
        c.wanted = CS_NEW_ARRAY(arena, bool, declared->hosts);
        lay_bars(&c);
        for (long long t = 0; t < declared->slots; t++)
            run_slot(&c, t);
        check_end(&c);
        check_names(&c);
    }
    cs_arena_destroy(arena);
    return 0;
}
