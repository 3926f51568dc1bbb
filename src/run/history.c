/* history.c - rows of the journal, and the state that results from its events. */
#define _GNU_SOURCE
#include "run/history.h"

#include "base/guard.h"
#include "base/plain.h"
#include "model/procset.h"
#include "run/dry.h"
#include "run/executor.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int read_slots(const struct cs_run_journal *journal, struct cs_arena *arena,
                      struct cs_run_slots_reported *slots, struct cs_error *err)
{
    const char *text = cs_run_journal_get(journal, "slots", arena);
    const char *first = cs_run_journal_get(journal, "slots_first", arena);
    json_t *list = text ? cs_json_load_memory("slots", text, strlen(text), err) : NULL;
    struct cs_hold held;

    cs_json_hold(&held, list);
    slots->count = (int)json_array_size(list);
    slots->first = first ? atoi(first) : slots->count;
    slots->host = CS_NEW_ARRAY(arena, const char *, slots->count);
    for (int s = 0; s < slots->count; s++) {
        const char *name = json_string_value(json_array_get(json_array_get(list, (size_t)s), 0));

        slots->host[s] = cs_arena_strdup(arena, name ? name : "");
    }
    cs_release(&held);
    return slots->first > 0 && slots->first <= slots->count
               ? 0
               : cs_run_journal_refuse_empty(journal->path, err);
}

int cs_run_journal_setup(const struct cs_run_journal *journal, struct cs_arena *arena,
                         struct cs_run_setup *setup, struct cs_run_slots_reported *slots,
                         struct cs_error *err)
{
    struct cs_strbuf document = CS_STRBUF_INIT, input = CS_STRBUF_INIT;
    const char *base = cs_run_journal_get(journal, "folder", arena);
    const char *name = cs_run_journal_get(journal, "input", arena);
    json_t *json = NULL;
    int status = -1;

    if (!base || !name)
        cs_run_journal_refuse_empty(journal->path, err);
    else if (!read_slots(journal, arena, slots, err) &&
             !cs_run_journal_get_input(journal, "run", &document, err) &&
             !cs_run_journal_get_input(journal, "input", &input, err))
        json = cs_json_load_memory("run", document.text, document.length, err);
    if (json) {
        struct cs_json_at root = cs_json_root("run", json);
        struct cs_hold held;

        cs_json_hold(&held, json);
        status = cs_run_setup_read(&root, base, name, input.text, input.length, arena, setup, err);
        cs_release(&held);
    }
    cs_strbuf_release(&document);
    cs_strbuf_release(&input);
    return status;
}

static double history_real(sqlite3_stmt *s, int column)
{
    return sqlite3_column_type(s, column) == SQLITE_NULL ? NAN : sqlite3_column_double(s, column);
}

static int read_attempt(sqlite3_stmt *s, struct cs_run_history *history,
                        struct cs_run_attempt_history *attempt, struct cs_error *err)
{
    const char *outcome = (const char *)sqlite3_column_text(s, 5);
    const char *slots = (const char *)sqlite3_column_text(s, 3);

    *attempt = (struct cs_run_attempt_history){
        .number = sqlite3_column_int64(s, 0),
        .task = sqlite3_column_int(s, 1),
        .try = sqlite3_column_int(s, 2),
        .start = sqlite3_column_double(s, 4),
        .outcome = outcome ? cs_run_outcome_find(outcome) : (enum cs_run_outcome)0,
        .began = history_real(s, 6),
        .ended = history_real(s, 7),
        .verify_began = history_real(s, 8),
        .verify_ended = history_real(s, 9),
        .cpu = history_real(s, 10),
        .status = sqlite3_column_int(s, 11),
        .rss = (long)sqlite3_column_int64(s, 12),
        .left = sqlite3_column_int(s, 13),
        .restart = history_real(s, 14),
        .expected = sqlite3_column_double(s, 15),
        .works = NAN,
        .asked = NAN,
        .saved = NAN,
    };
    attempt->intervals = cs_procset_parse(slots ? slots : "", history->arena, &attempt->slots, err);
    for (int k = 0; k < attempt->intervals; k++)
        attempt->procs += attempt->slots[k].last - attempt->slots[k].first + 1;
    return attempt->intervals < 0 ? -1 : 0;
}

static int read_attempts(struct cs_run_history *history, struct cs_run_journal *journal,
                         struct cs_error *err)
{
    sqlite3_stmt *s = cs_run_journal_prepare(
        journal,
        "SELECT a.id, a.task, a.try, a.slots, a.start, "
        "e.outcome, e.began, e.ended, e.verify_began, "
        "e.verify_ended, e.cpu, e.status, e.rss, e.leftovers, a.restart, a.expected "
        "FROM attempt a LEFT JOIN attempt_end e "
        "ON e.attempt = a.id ORDER BY a.id",
        err);
    int status = s ? 0 : -1, step = SQLITE_ROW;

    history->attempt =
        CS_NEW_ARRAY(history->arena, struct cs_run_attempt_history, history->run.last);
    while (!status && history->attempts < history->run.last &&
           (step = sqlite3_step(s)) == SQLITE_ROW)
        status = read_attempt(s, history, &history->attempt[history->attempts++], err);
    if (!status && step != SQLITE_ROW && step != SQLITE_DONE)
        status = cs_run_journal_fail(journal, err);
    sqlite3_finalize(s);
    return status;
}

/* Times of the first progress after the start, the stop request and the last save of an attempt. */
static int read_observed(struct cs_run_history *history, struct cs_run_journal *journal,
                         struct cs_error *err)
{
    sqlite3_stmt *s = cs_run_journal_prepare(
        journal,
        "SELECT attempt, min(CASE kind WHEN 'progress' THEN time END), max(CASE kind WHEN 'saved' "
        "THEN time END), NULL FROM event WHERE kind IN ('progress', 'saved') GROUP BY attempt "
        "UNION ALL SELECT a.attempt, NULL, NULL, r.time FROM action a JOIN round r ON r.id = "
        "a.round WHERE a.kind = 'stop'",
        err);
    int64_t number;
    int status = s ? 0 : -1, step = SQLITE_DONE;

    while (s && (step = sqlite3_step(s)) == SQLITE_ROW) {
        struct cs_run_attempt_history *attempt;

        number = sqlite3_column_int64(s, 0);
        if (number < 1 || number > history->attempts)
            continue;
        attempt = &history->attempt[number - 1];
        attempt->works = isnan(attempt->works) ? history_real(s, 1) : attempt->works;
        attempt->saved = isnan(attempt->saved) ? history_real(s, 2) : attempt->saved;
        attempt->asked = isnan(attempt->asked) ? history_real(s, 3) : attempt->asked;
    }
    if (step != SQLITE_DONE)
        status = cs_run_journal_fail(journal, err);
    sqlite3_finalize(s);
    return status;
}

/* An attempt that was stopped and restarted on other slots was moved. */
static void find_moves(struct cs_run_history *history)
{
    const struct cs_run_attempt_history **last =
        CS_NEW_ARRAY(history->arena, const struct cs_run_attempt_history *, history->setup.tasks);

    for (int64_t a = 0; a < history->attempts; a++) {
        struct cs_run_attempt_history *attempt = &history->attempt[a];
        const struct cs_run_attempt_history *before = last[attempt->task];

        attempt->moved = before && isfinite(before->asked) && before->procs != attempt->procs;
        last[attempt->task] = attempt;
    }
}

static void history_ignore(void *who, const struct cs_run_event *event)
{
    (void)who;
    (void)event;
}

static int history_read_all(struct cs_run_history *history, struct cs_run_journal *journal,
                            struct cs_error *err)
{
    struct cs_run_slots_reported slots;
    const char *began;

    if (cs_run_journal_setup(journal, history->arena, &history->setup, &slots, err) ||
        cs_run_begin(&history->run, &history->setup, slots.first, history->arena, err) ||
        cs_run_replay(journal, &history->run, history_ignore, NULL, err) ||
        read_attempts(history, journal, err) || read_observed(history, journal, err))
        return -1;
    if (history->run.slots.count > slots.count)
        return cs_error_set(err, "%s: it has slots without hosts: the journal was changed",
                            journal->path);
    history->slots = history->run.slots.count;
    history->slots_first = slots.first;
    history->host = slots.host;
    find_moves(history);
    began = cs_run_journal_get(journal, "began", history->arena);
    history->id = cs_run_journal_get(journal, "id", history->arena);
    history->engine = cs_run_journal_get(journal, "engine", history->arena);
    history->input = cs_run_journal_get(journal, "input", history->arena);
    history->began = began ? cs_plain_double(began, NULL) : NAN;
    return 0;
}

bool cs_run_seems(const char *folder)
{
    CS_GUARD(NULL, false);
    struct cs_strbuf path = CS_STRBUF_INIT;
    struct stat file;
    bool seems;

    cs_strbuf_printf(&path, "%s/journal.db", folder ? folder : "");
    seems = folder && !stat(path.text, &file) && S_ISREG(file.st_mode);
    cs_strbuf_release(&path);
    return seems;
}

struct cs_run_history *cs_run_history_read(const char *folder, struct cs_error *err)
{
    CS_ASK(folder, err, NULL);
    CS_GUARD(err, NULL);
    struct cs_arena *arena = cs_arena_create();
    struct cs_run_history *history = CS_NEW(arena, struct cs_run_history);
    struct cs_strbuf path = CS_STRBUF_INIT;
    struct cs_run_journal *journal;
    int status = -1;

    history->arena = arena;
    history->folder = cs_arena_strdup(arena, folder);
    history->alive = cs_run_is_locked(folder, history->worker, sizeof history->worker);
    cs_strbuf_printf(&path, "%s/journal.db", folder);
    journal = cs_run_journal_open(path.text, false, false, err);
    if (journal)
        status = history_read_all(history, journal, err);
    cs_run_journal_close(journal);
    cs_strbuf_release(&path);
    if (!status)
        return history;
    cs_run_history_destroy(history);
    return NULL;
}

void cs_run_history_destroy(struct cs_run_history *history)
{
    if (!history)
        return;
    cs_run_release(&history->run);
    cs_run_setup_release(&history->setup);
    cs_arena_destroy(history->arena);
}

static void add_bar(const struct cs_run_history *history, struct cs_schedule *schedule,
                    const struct cs_run_attempt_history *attempt, enum cs_bar_kind kind,
                    double start, double end)
{
    if (!(end > start))
        return;
    cs_schedule_add(schedule,
                    &(struct cs_bar){
                        .kind = kind,
                        .task = attempt->task,
                        .attempt = attempt->try,
                        .group = history->setup.task[attempt->task].group,
                        .start = start,
                        .end = end,
                        .intervals = attempt->intervals,
                        .procs = attempt->slots,
                    },
                    NULL);
}

/* Of an attempt that saves its state: coming back, work up to what was saved, the rest of what
 * ended otherwise; stopping, which ends well, is a checkpoint. */
static void add_parts(const struct cs_run_history *history, struct cs_schedule *schedule,
                      const struct cs_run_attempt_history *attempt, double begin)
{
    const bool again = isfinite(attempt->restart) && attempt->works > begin;
    const double work = again ? fmin(attempt->works, attempt->ended) : begin;
    double saved = attempt->ended, end = attempt->ended;

    if (again)
        add_bar(history, schedule, attempt, attempt->moved ? CS_BAR_MOVE : CS_BAR_RECOVERY, begin,
                work);
    if (attempt->outcome == CS_RUN_STOPPED && isfinite(attempt->asked))
        saved = end = fmax(fmin(attempt->asked, attempt->ended), work);
    else if (attempt->outcome != CS_RUN_OK && attempt->outcome != CS_RUN_STOPPED)
        saved = isnan(attempt->saved) ? work : fmin(fmax(attempt->saved, work), end);
    add_bar(history, schedule, attempt, CS_BAR_WORK, work, saved);
    add_bar(history, schedule, attempt, CS_BAR_LOST, saved, end);
    add_bar(history, schedule, attempt, CS_BAR_CHECKPOINT, end, attempt->ended);
}

static void add_bars(const struct cs_run_history *history, struct cs_schedule *schedule,
                     const struct cs_run_attempt_history *attempt)
{
    const double begin = isnan(attempt->began) ? attempt->start : attempt->began;

    if (!attempt->outcome || attempt->outcome == CS_RUN_VOID)
        return;
    if (history->setup.task[attempt->task].settings->checkpoint)
        add_parts(history, schedule, attempt, begin);
    else
        add_bar(history, schedule, attempt,
                attempt->outcome == CS_RUN_OK ? CS_BAR_WORK : CS_BAR_LOST, begin, attempt->ended);
    add_bar(history, schedule, attempt, CS_BAR_VERIFY, attempt->verify_began,
            attempt->verify_ended);
}

struct cs_schedule *cs_run_history_schedule(const struct cs_run_history *history)
{
    CS_ASK(history, NULL, NULL);
    CS_GUARD(NULL, NULL);
    const char **name = CS_NEW_ARRAY(history->arena, const char *, history->setup.tasks);
    struct cs_schedule *schedule;

    for (int t = 0; t < history->setup.tasks; t++)
        name[t] = history->setup.task[t].name;
    schedule = cs_schedule_create(cs_run_setup_problem(&history->setup), history->slots,
                                  history->setup.tasks, name);
    for (int64_t a = 0; a < history->attempts; a++)
        add_bars(history, schedule, &history->attempt[a]);
    return schedule;
}

struct cs_schedule *cs_run_history_planned(const struct cs_run_history *history,
                                           struct cs_error *err)
{
    CS_ASK(history, err, NULL);
    CS_GUARD(err, NULL);
    const struct cs_run_dry dry = {.setup = &history->setup, .slots = history->slots_first};
    const char **name = CS_NEW_ARRAY(history->arena, const char *, history->setup.tasks);
    struct cs_schedule *schedule;
    const struct cs_bar *bar;
    size_t count;

    if (!history->setup.plan)
        return cs_run_dry_schedule(&dry, err);
    for (int t = 0; t < history->setup.tasks; t++)
        name[t] = history->setup.task[t].name;
    schedule = cs_schedule_create(cs_schedule_problem(history->setup.plan->schedule),
                                  history->slots, history->setup.tasks, name);
    bar = cs_schedule_bars(history->setup.plan->schedule, &count);
    for (size_t b = 0; b < count; b++)
        if (bar[b].kind == CS_BAR_WORK)
            cs_schedule_add(schedule, &bar[b], NULL);
    return schedule;
}
