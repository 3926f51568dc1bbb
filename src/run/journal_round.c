/* journal_round.c - a round, written as one transaction. */
#include "run/journal.h"

#include "base/row_hash.h"
#include "run/values.h"

#include <math.h>
#include <string.h>

/* The row that is bound: its statement, and its hash so far. */
struct row {
    struct cs_run_journal *journal;
    sqlite3_stmt *statement;
    int columns;
    uint64_t hash;
};

static struct row begin_row(struct cs_run_journal *j, sqlite3_stmt *statement,
                            enum cs_run_table table)
{
    return (struct row){j, statement, 0, table};
}

static void bind_nothing(struct row *row)
{
    sqlite3_bind_null(row->statement, ++row->columns);
    row->hash = cs_row_hash_nothing(row->hash);
}

static void bind_integer(struct row *row, int64_t value)
{
    sqlite3_bind_int64(row->statement, ++row->columns, value);
    row->hash = cs_row_hash_integer(row->hash, value);
}

/* -1 is nothing. */
static void bind_index(struct row *row, int64_t value)
{
    if (value < 0)
        bind_nothing(row);
    else
        bind_integer(row, value);
}

/* NaN is nothing. */
static void bind_real(struct row *row, double value)
{
    if (isnan(value)) {
        bind_nothing(row);
        return;
    }
    sqlite3_bind_double(row->statement, ++row->columns, value);
    row->hash = cs_row_hash_real(row->hash, value);
}

/* NULL is nothing. */
static void bind_text(struct row *row, const char *text)
{
    size_t size = text ? strlen(text) : 0;

    if (!text) {
        bind_nothing(row);
        return;
    }
    sqlite3_bind_text(row->statement, ++row->columns, text, (int)size, SQLITE_STATIC);
    row->hash = cs_row_hash_text(row->hash, text, size);
}

static int journal_round_step(struct cs_run_journal *j, sqlite3_stmt *s, struct cs_error *err)
{
    int status = sqlite3_step(s) == SQLITE_DONE ? 0 : cs_run_journal_fail(j, err);

    sqlite3_reset(s);
    return status;
}

static int end_row(const struct row *row, struct cs_error *err)
{
    row->journal->sum += row->hash;
    return journal_round_step(row->journal, row->statement, err);
}

static int put_event(struct cs_run_journal *j, int seq, const struct cs_run_event *event,
                     struct cs_error *err)
{
    struct row row = begin_row(j, j->put_event, CS_RUN_TABLE_EVENT);

    bind_integer(&row, j->round);
    bind_integer(&row, seq);
    bind_text(&row, cs_run_event_kind_name(event->kind));
    bind_index(&row, event->task);
    bind_index(&row, event->attempt ? event->attempt : -1);
    bind_index(&row, event->slot);
    bind_real(&row, event->time);
    bind_text(&row, event->outcome ? cs_run_outcome_name(event->outcome) : NULL);
    bind_integer(&row, event->status);
    bind_real(&row, event->value);
    bind_text(&row, event->detail);
    return end_row(&row, err);
}

static int put_end(struct cs_run_journal *j, const struct cs_run_event *event,
                   const struct cs_run_finish *f, struct cs_error *err)
{
    struct row row = begin_row(j, j->put_end, CS_RUN_TABLE_ATTEMPT_END);

    bind_integer(&row, event->attempt);
    bind_real(&row, f->began);
    bind_real(&row, f->ended);
    bind_real(&row, f->verify_began);
    bind_real(&row, f->verify_ended);
    bind_integer(&row, f->status);
    bind_integer(&row, f->verify_status);
    bind_real(&row, f->cpu);
    bind_integer(&row, f->rss);
    bind_integer(&row, f->left);
    bind_text(&row, cs_run_outcome_name(event->outcome));
    return end_row(&row, err);
}

static int put_attempt(struct cs_run_journal *j, const struct cs_run_attempt *attempt,
                       double restart, struct cs_error *err)
{
    struct row row = begin_row(j, j->put_attempt, CS_RUN_TABLE_ATTEMPT);
    struct cs_strbuf slots = CS_STRBUF_INIT;
    int status;

    cs_run_put_slots(attempt->slot, attempt->count, &slots);
    bind_integer(&row, attempt->number);
    bind_integer(&row, j->round);
    bind_integer(&row, attempt->task);
    bind_integer(&row, attempt->try);
    bind_text(&row, slots.text);
    bind_real(&row, attempt->start);
    bind_real(&row, attempt->expected);
    bind_real(&row, restart);
    status = end_row(&row, err);
    cs_strbuf_release(&slots);
    return status;
}

static int put_action(struct cs_run_journal *j, const struct cs_run *run, int seq,
                      struct cs_error *err)
{
    const struct cs_run_action *action = &run->action[seq];
    const struct cs_run_attempt *attempt;
    struct row row = begin_row(j, j->put_action, CS_RUN_TABLE_ACTION);

    bind_integer(&row, j->round);
    bind_integer(&row, seq);
    bind_text(&row, cs_run_action_kind_name(action->kind));
    bind_integer(&row, action->task);
    bind_index(&row, action->attempt ? action->attempt : -1);
    bind_text(&row, action->why);
    if (end_row(&row, err))
        return -1;
    if (action->kind != CS_RUN_START)
        return 0;
    attempt = cs_run_attempt_find(run, action->attempt);
    return put_attempt(j, attempt, attempt->restarts ? run->usage[attempt->task].saved_share : NAN,
                       err);
}

/* The row of an attempt that the journal had lost. */
static int put_found(struct cs_run_journal *j, const struct cs_run *run,
                     const struct cs_run_event *event, struct cs_error *err)
{
    int *slot = cs_block_zero((size_t)event->count + 1, sizeof *slot);
    const struct cs_run_attempt attempt = {
        .number = event->attempt,
        .task = event->task,
        .try = event->try,
        .count = event->count,
        .slot = slot,
        .start = event->start,
        .expected = run->setup->task[event->task].expected,
    };
    int status;

    memcpy(slot, event->held, (size_t)event->count * sizeof *slot);
    status = put_attempt(j, &attempt, NAN, err);
    cs_block_free(slot);
    return status;
}

/* The round itself, the last of its rows: it has the sum of all. */
static int journal_round_put_head(struct cs_run_journal *j, double now, bool asked,
                                  struct cs_error *err)
{
    struct row row = begin_row(j, j->put_round, CS_RUN_TABLE_ROUND);

    bind_integer(&row, j->round);
    bind_integer(&row, j->executor);
    bind_real(&row, now);
    bind_integer(&row, asked);
    if (j->format >= 2)
        sqlite3_bind_int64(row.statement, row.columns + 1, (sqlite3_int64)(j->sum + row.hash));
    return end_row(&row, err);
}

static int put_all(struct cs_run_journal *j, const struct cs_run *run, bool asked,
                   const struct cs_run_event *event, const struct cs_run_finish *finish, int count,
                   struct cs_error *err)
{
    for (int e = 0; e < count; e++)
        if (put_event(j, e, &event[e], err) ||
            (event[e].kind == CS_RUN_FOUND && put_found(j, run, &event[e], err)) ||
            (event[e].outcome && put_end(j, &event[e], &finish[e], err)))
            return -1;
    for (int a = 0; a < run->actions; a++)
        if (put_action(j, run, a, err))
            return -1;
    return journal_round_put_head(j, run->now, asked, err);
}

int cs_run_journal_put_round(struct cs_run_journal *j, const struct cs_run *run, bool asked,
                             const struct cs_run_event *event, const struct cs_run_finish *finish,
                             int count, struct cs_error *err)
{
    const uint64_t before = j->sum;

    if (journal_round_step(j, j->begin, err)) {
        j->failure = sqlite3_errcode(j->db);
        return -1;
    }
    j->round++;
    if (!put_all(j, run, asked, event, finish, count, err) &&
        !journal_round_step(j, j->commit, err))
        return 0;
    j->round--;
    j->sum = before;
    j->failure = sqlite3_errcode(j->db);
    if (!sqlite3_get_autocommit(j->db))
        sqlite3_exec(j->db, "ROLLBACK", NULL, NULL, NULL);
    return -1;
}
