/* journal_round.c - a round, written as one transaction. */
#include "run/journal.h"
#include "run/values.h"

#include <math.h>

/* -1 and NaN are nothing. */
static void bind_index(sqlite3_stmt *s, int column, int64_t value)
{
    if (value < 0)
        sqlite3_bind_null(s, column);
    else
        sqlite3_bind_int64(s, column, value);
}

static void bind_text(sqlite3_stmt *s, int column, const char *text)
{
    if (text)
        sqlite3_bind_text(s, column, text, -1, SQLITE_STATIC);
    else
        sqlite3_bind_null(s, column);
}

static int step(struct cs_run_journal *j, sqlite3_stmt *s, struct cs_error *err)
{
    int status = sqlite3_step(s) == SQLITE_DONE ? 0 : cs_run_journal_fail(j, err);

    sqlite3_reset(s);
    return status;
}

static int put_event(struct cs_run_journal *j, int seq, const struct cs_run_event *event,
                     struct cs_error *err)
{
    sqlite3_stmt *s = j->put_event;

    sqlite3_bind_int64(s, 1, j->round);
    sqlite3_bind_int(s, 2, seq);
    bind_text(s, 3, cs_run_event_kind_name(event->kind));
    bind_index(s, 4, event->task);
    bind_index(s, 5, event->attempt ? event->attempt : -1);
    bind_index(s, 6, event->slot);
    sqlite3_bind_double(s, 7, event->time);
    bind_text(s, 8, event->outcome ? cs_run_outcome_name(event->outcome) : NULL);
    sqlite3_bind_int(s, 9, event->status);
    sqlite3_bind_double(s, 10, event->value);
    bind_text(s, 11, event->detail);
    return step(j, s, err);
}

static int put_end(struct cs_run_journal *j, const struct cs_run_event *event,
                   const struct cs_run_finish *f, struct cs_error *err)
{
    sqlite3_stmt *s = j->put_end;

    sqlite3_bind_int64(s, 1, event->attempt);
    sqlite3_bind_double(s, 2, f->began);
    sqlite3_bind_double(s, 3, f->ended);
    sqlite3_bind_double(s, 4, f->verify_began);
    sqlite3_bind_double(s, 5, f->verify_ended);
    sqlite3_bind_int(s, 6, f->status);
    sqlite3_bind_int(s, 7, f->verify_status);
    sqlite3_bind_double(s, 8, f->cpu);
    sqlite3_bind_int64(s, 9, f->rss);
    sqlite3_bind_int(s, 10, f->left);
    bind_text(s, 11, cs_run_outcome_name(event->outcome));
    return step(j, s, err);
}

static int put_attempt(struct cs_run_journal *j, const struct cs_run *run,
                       const struct cs_run_attempt *attempt, struct cs_error *err)
{
    struct cs_strbuf slots = CS_STRBUF_INIT;
    sqlite3_stmt *s = j->put_attempt;
    int status;

    cs_run_put_slots(attempt->slot, attempt->count, &slots);
    sqlite3_bind_int64(s, 1, attempt->number);
    sqlite3_bind_int64(s, 2, j->round);
    sqlite3_bind_int(s, 3, attempt->task);
    sqlite3_bind_int(s, 4, attempt->try);
    sqlite3_bind_text(s, 5, slots.text, -1, SQLITE_STATIC);
    sqlite3_bind_double(s, 6, attempt->start);
    sqlite3_bind_double(s, 7, attempt->expected);
    if (attempt->restarts)
        sqlite3_bind_double(s, 8, run->ledger[attempt->task].saved_share);
    else
        sqlite3_bind_null(s, 8);
    status = step(j, s, err);
    cs_strbuf_release(&slots);
    return status;
}

static int put_action(struct cs_run_journal *j, const struct cs_run *run, int seq,
                      struct cs_error *err)
{
    const struct cs_run_action *action = &run->action[seq];
    sqlite3_stmt *s = j->put_action;

    sqlite3_bind_int64(s, 1, j->round);
    sqlite3_bind_int(s, 2, seq);
    bind_text(s, 3, cs_run_action_kind_name(action->kind));
    sqlite3_bind_int(s, 4, action->task);
    bind_index(s, 5, action->attempt ? action->attempt : -1);
    bind_text(s, 6, action->why);
    if (step(j, s, err))
        return -1;
    return action->kind == CS_RUN_START
               ? put_attempt(j, run, cs_run_attempt_find(run, action->attempt), err)
               : 0;
}

static int put_all(struct cs_run_journal *j, const struct cs_run *run, bool asked,
                   const struct cs_run_event *event, const struct cs_run_finish *finish, int count,
                   struct cs_error *err)
{
    sqlite3_bind_int64(j->put_round, 1, j->round);
    sqlite3_bind_int64(j->put_round, 2, j->executor);
    sqlite3_bind_double(j->put_round, 3, run->now);
    sqlite3_bind_int(j->put_round, 4, asked);
    if (step(j, j->put_round, err))
        return -1;
    for (int e = 0; e < count; e++)
        if (put_event(j, e, &event[e], err) ||
            (event[e].kind == CS_RUN_ENDED && put_end(j, &event[e], &finish[e], err)))
            return -1;
    for (int a = 0; a < run->actions; a++)
        if (put_action(j, run, a, err))
            return -1;
    return 0;
}

int cs_run_journal_put_round(struct cs_run_journal *j, const struct cs_run *run, bool asked,
                             const struct cs_run_event *event, const struct cs_run_finish *finish,
                             int count, struct cs_error *err)
{
    if (step(j, j->begin, err)) {
        j->failure = sqlite3_errcode(j->db);
        return -1;
    }
    j->round++;
    if (!put_all(j, run, asked, event, finish, count, err) && !step(j, j->commit, err))
        return 0;
    j->round--;
    j->failure = sqlite3_errcode(j->db);
    if (!sqlite3_get_autocommit(j->db))
        sqlite3_exec(j->db, "ROLLBACK", NULL, NULL, NULL);
    return -1;
}
