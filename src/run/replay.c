/* replay.c - the events of a journal, played again: the actions must be those that are there. */
#include "run/executor.h"
#include "run/template.h"

#include <math.h>
#include <string.h>

struct player {
    struct cs_run_journal *journal;
    struct cs_run *run;
    sqlite3_stmt *round, *event, *action, *attempt;
    bool has_event, has_action; /* a row is there that is not used yet */
    struct cs_run_event *list;
    int count, room;
    struct cs_arena *arena;
    struct cs_error *err;
};

static int replay_next(struct player *p, sqlite3_stmt *statement, bool *has)
{
    int status = sqlite3_step(statement);

    *has = status == SQLITE_ROW;
    return *has || status == SQLITE_DONE ? 0 : cs_run_journal_fail(p->journal, p->err);
}

static const char *replay_text(sqlite3_stmt *s, int column)
{
    const char *value = (const char *)sqlite3_column_text(s, column);

    return value ? value : "";
}

static int index_at(sqlite3_stmt *s, int column)
{
    return sqlite3_column_type(s, column) == SQLITE_NULL ? -1 : sqlite3_column_int(s, column);
}

static enum cs_run_event_kind find_kind(const char *name)
{
    for (int k = 1; k <= CS_RUN_EVENT_KIND_LAST; k++)
        if (!strcmp(cs_run_event_kind_name((enum cs_run_event_kind)k), name))
            return (enum cs_run_event_kind)k;
    return (enum cs_run_event_kind)0;
}

/* Columns: round, kind, task, attempt, slot, time, outcome, status, value. */
static struct cs_run_event read_event(sqlite3_stmt *s)
{
    return (struct cs_run_event){
        .kind = find_kind(replay_text(s, 1)),
        .task = index_at(s, 2),
        .attempt = sqlite3_column_int64(s, 3),
        .slot = index_at(s, 4),
        .time = sqlite3_column_double(s, 5),
        .outcome = cs_run_outcome_find(replay_text(s, 6)),
        .status = sqlite3_column_int(s, 7),
        .value = sqlite3_column_double(s, 8),
    };
}

static bool is_observation(enum cs_run_event_kind kind)
{
    return kind == CS_RUN_BEGAN || kind == CS_RUN_PROGRESS || kind == CS_RUN_SAVED;
}

/* Of the slots of the run, or one that comes. */
static bool is_slot(const struct cs_run *run, const struct cs_run_event *e)
{
    const bool comes = e->kind == CS_RUN_SLOT_UP && run->decider->grows;

    return e->slot < run->slots.count || (comes && e->slot < CS_RUN_SLOTS_MOST);
}

/* An event that cannot be is a sign of a journal that was changed. */
static int check_event(struct player *p, int64_t round, const struct cs_run_event *e)
{
    const struct cs_run_attempt *attempt;
    bool fine = e->kind != 0 && e->task < p->run->setup->tasks && is_slot(p->run, e);

    if (fine && e->kind == CS_RUN_FOUND) {
        fine = e->task >= 0 && e->attempt > p->run->last && e->attempt <= CS_RUN_NUMBER_MOST &&
               e->outcome;
    } else if (fine && (e->kind == CS_RUN_ENDED || is_observation(e->kind))) {
        attempt = cs_run_attempt_find(p->run, e->attempt);
        fine = attempt && attempt->task == e->task && (e->outcome || e->kind != CS_RUN_ENDED);
    } else if (fine && e->kind == CS_RUN_DUE) {
        fine = e->task < 0 || p->run->usage[e->task].state == CS_RUN_HELD;
    } else if (fine && e->kind == CS_RUN_NUMBERS) {
        fine = e->value >= 0 && e->value <= CS_RUN_NUMBER_MOST;
    } else if (fine && e->kind != CS_RUN_REQUEST && e->kind != CS_RUN_LIMIT &&
               e->kind != CS_RUN_RETRY) {
        fine = e->slot >= 0;
    }
    return fine ? 0
                : cs_error_set(p->err,
                               "%s: an event of round %lld cannot be: the journal was changed",
                               p->journal->path, (long long)round);
}

/* The attempt of an event that found one.  Columns: id, task, try, slots, start. */
static int read_found(struct player *p, int64_t round, struct cs_run_event *e)
{
    bool there;

    if (replay_next(p, p->attempt, &there))
        return -1;
    if (!there || sqlite3_column_int64(p->attempt, 0) != e->attempt ||
        sqlite3_column_int(p->attempt, 1) != e->task)
        return cs_error_set(p->err, "%s: round %lld lacks attempt %lld: the journal was changed",
                            p->journal->path, (long long)round, (long long)e->attempt);
    e->try = sqlite3_column_int(p->attempt, 2);
    e->start = sqlite3_column_double(p->attempt, 4);
    return 0;
}

static int read_events(struct player *p, int64_t round)
{
    struct cs_run_event *e;

    p->count = 0;
    while (p->has_event && sqlite3_column_int64(p->event, 0) == round) {
        if (p->count == p->room) {
            struct cs_run_event *more =
                CS_NEW_ARRAY(p->arena, struct cs_run_event, 2 * p->room + 16);

            if (p->count)
                memcpy(more, p->list, (size_t)p->count * sizeof *more);
            p->list = more;
            p->room = 2 * p->room + 16;
        }
        e = &p->list[p->count++];
        *e = read_event(p->event);
        if (check_event(p, round, e) || (e->kind == CS_RUN_FOUND && read_found(p, round, e)) ||
            replay_next(p, p->event, &p->has_event))
            return -1;
    }
    return 0;
}

static int replay_differs(struct player *p, int64_t round, int seq, const char *now)
{
    return cs_error_set(
        p->err,
        "%s: in round %lld action %d was \"%s %d\", and now it would be \"%s\": the "
        "journal was changed, or is of another build",
        p->journal->path, (long long)round, seq, p->has_action ? replay_text(p->action, 1) : "none",
        p->has_action ? sqlite3_column_int(p->action, 2) : 0, now);
}

/* Columns of attempt: id, task, try, slots. */
static int compare_attempt(struct player *p, int64_t round, int seq, int64_t number)
{
    const struct cs_run_attempt *attempt = cs_run_attempt_find(p->run, number);
    struct cs_strbuf slots = CS_STRBUF_INIT;
    bool there, same;

    if (replay_next(p, p->attempt, &there))
        return -1;
    cs_run_put_slots(attempt->slot, attempt->count, &slots);
    same = there && sqlite3_column_int64(p->attempt, 0) == number &&
           sqlite3_column_int(p->attempt, 1) == attempt->task &&
           sqlite3_column_int(p->attempt, 2) == attempt->try &&
           !strcmp(replay_text(p->attempt, 3), slots.text);
    cs_strbuf_release(&slots);
    return same ? 0 : replay_differs(p, round, seq, "another attempt");
}

/* Columns of action: round, kind, task, attempt. */
static int compare(struct player *p, int64_t round)
{
    for (int a = 0; a < p->run->actions; a++) {
        const struct cs_run_action *action = &p->run->action[a];
        const char *kind = cs_run_action_kind_name(action->kind);

        if (!p->has_action || sqlite3_column_int64(p->action, 0) != round ||
            strcmp(replay_text(p->action, 1), kind) != 0 ||
            sqlite3_column_int(p->action, 2) != action->task)
            return replay_differs(p, round, a, kind);
        if (action->kind == CS_RUN_START && compare_attempt(p, round, a, action->attempt))
            return -1;
        if (replay_next(p, p->action, &p->has_action))
            return -1;
    }
    return p->has_action && sqlite3_column_int64(p->action, 0) == round
               ? replay_differs(p, round, p->run->actions, "none")
               : 0;
}

static int play_round(struct player *p, void (*seen)(void *, const struct cs_run_event *),
                      void *who)
{
    int64_t round = sqlite3_column_int64(p->round, 0);
    double now = sqlite3_column_double(p->round, 1);
    bool asked = sqlite3_column_int(p->round, 2);

    if (read_events(p, round))
        return -1;
    if (cs_run_round(p->run, now, p->list, p->count) != asked)
        return cs_error_set(p->err, "%s: round %lld %s for a decision, and would %s now",
                            p->journal->path, (long long)round, asked ? "asked" : "did not ask",
                            asked ? "not" : "ask");
    for (int e = 0; e < p->count; e++)
        seen(who, &p->list[e]);
    return compare(p, round);
}

static int replay_play(struct player *p, void (*seen)(void *, const struct cs_run_event *),
                       void *who)
{
    bool more;

    if (replay_next(p, p->event, &p->has_event) || replay_next(p, p->action, &p->has_action))
        return -1;
    for (;;) {
        if (replay_next(p, p->round, &more))
            return -1;
        if (!more)
            return 0;
        if (play_round(p, seen, who))
            return -1;
    }
}

int cs_run_replay(struct cs_run_journal *journal, struct cs_run *run,
                  void (*seen)(void *who, const struct cs_run_event *event), void *who,
                  struct cs_error *err)
{
    struct player p = {.journal = journal, .run = run, .arena = cs_arena_create(), .err = err};
    int status = -1;

    p.round = cs_run_journal_prepare(journal, "SELECT id, time, asked FROM round ORDER BY id", err);
    p.event = cs_run_journal_prepare(journal,
                                     "SELECT round, kind, task, attempt, slot, time, outcome, "
                                     "status, value FROM event ORDER BY round, seq",
                                     err);
    p.action = cs_run_journal_prepare(
        journal, "SELECT round, kind, task, attempt FROM action ORDER BY round, seq", err);
    p.attempt = cs_run_journal_prepare(
        journal, "SELECT id, task, try, slots, start FROM attempt ORDER BY id", err);
    if (p.round && p.event && p.action && p.attempt)
        status = replay_play(&p, seen, who);
    sqlite3_finalize(p.round);
    sqlite3_finalize(p.event);
    sqlite3_finalize(p.action);
    sqlite3_finalize(p.attempt);
    cs_arena_destroy(p.arena);
    return status;
}
