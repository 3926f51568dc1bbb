/* journal_checksum.c - what the rows of a journal add up to. */
#include "run/journal.h"

#include "base/plain.h"
#include "base/row_hash.h"

/* By cs_run_table, with whose number the hash of a row begins. */
static const struct {
    const char *name, *what, *rows;
} table[] = {
    {"run", "settings", "SELECT key, value FROM run"},
    {"input", "inputs", "SELECT name, sha256 FROM input"},
    {"task", "tasks", "SELECT id, name, procs, expected FROM task"},
    {"executor", "executors", "SELECT id, host, boot, pid, job, began, ended FROM executor"},
    {"round", "rounds", "SELECT id, executor, time, asked FROM round"},
    {"event", "rounds",
     "SELECT round, seq, kind, task, attempt, slot, time, outcome, status, value, detail "
     "FROM event"},
    {"action", "rounds", "SELECT round, seq, kind, task, attempt, detail FROM action"},
    {"attempt", "rounds",
     "SELECT id, round, task, try, slots, start, expected, restart FROM attempt"},
    {"attempt_end", "rounds",
     "SELECT attempt, began, ended, verify_began, verify_ended, status, "
     "verify_status, cpu, rss, leftovers, outcome FROM attempt_end"},
};

static uint64_t hash_column(uint64_t hash, sqlite3_stmt *s, int column)
{
    switch (sqlite3_column_type(s, column)) {
    case SQLITE_INTEGER:
        return cs_row_hash_integer(hash, sqlite3_column_int64(s, column));
    case SQLITE_FLOAT:
        return cs_row_hash_real(hash, sqlite3_column_double(s, column));
    case SQLITE_NULL:
        return cs_row_hash_nothing(hash);
    case SQLITE_TEXT:
        return cs_row_hash_text(hash, sqlite3_column_text(s, column),
                                (size_t)sqlite3_column_bytes(s, column));
    default:
        return cs_row_hash_blob(hash, sqlite3_column_blob(s, column),
                                (size_t)sqlite3_column_bytes(s, column));
    }
}

struct checksum {
    int64_t rows;
    uint64_t sum;
};

static int add_up(const struct cs_run_journal *journal, int which, struct checksum *checksum,
                  struct cs_error *err)
{
    sqlite3_stmt *s = cs_run_journal_prepare(journal, table[which].rows, err);
    int step = SQLITE_ERROR, status;

    while (s && (step = sqlite3_step(s)) == SQLITE_ROW) {
        uint64_t hash = (uint64_t)which;

        for (int c = 0; c < sqlite3_column_count(s); c++)
            hash = hash_column(hash, s, c);
        checksum->sum += hash;
        checksum->rows++;
    }
    status = !s ? -1 : step == SQLITE_DONE ? 0 : cs_run_journal_fail(journal, err);
    sqlite3_finalize(s);
    return status;
}

static int journal_checksum_put(struct cs_run_journal *journal, const char *name,
                                struct checksum checksum, struct cs_error *err)
{
    sqlite3_stmt *s =
        cs_run_journal_prepare(journal, "INSERT OR REPLACE INTO seal VALUES(?, ?, ?)", err);
    int status;

    if (!s)
        return -1;
    sqlite3_bind_text(s, 1, name, -1, SQLITE_STATIC);
    sqlite3_bind_int64(s, 2, checksum.rows);
    sqlite3_bind_int64(s, 3, (sqlite3_int64)checksum.sum);
    status = sqlite3_step(s) == SQLITE_DONE ? 0 : cs_run_journal_fail(journal, err);
    sqlite3_finalize(s);
    return status;
}

int cs_run_journal_checksum(struct cs_run_journal *journal, enum cs_run_table which,
                            struct cs_error *err)
{
    struct checksum checksum = {0, 0};

    if (journal->format < 2)
        return 0;
    return add_up(journal, (int)which, &checksum, err)
               ? -1
               : journal_checksum_put(journal, table[which].name, checksum, err);
}

int cs_run_journal_checksum_rounds(struct cs_run_journal *journal, struct cs_error *err)
{
    return journal->format < 2
               ? 0
               : journal_checksum_put(journal, "round",
                                      (struct checksum){journal->round, journal->sum}, err);
}

/* The row of a statement for a name or a number; false if it does not exist. */
static bool journal_checksum_find(const struct cs_run_journal *journal, const char *sql,
                                  const char *name, int64_t number, struct checksum *checksum)
{
    sqlite3_stmt *s = cs_run_journal_prepare(journal, sql, NULL);
    bool found;

    if (!s)
        return false;
    if (name)
        sqlite3_bind_text(s, 1, name, -1, SQLITE_STATIC);
    else
        sqlite3_bind_int64(s, 1, number);
    found = sqlite3_step(s) == SQLITE_ROW;
    if (found)
        *checksum =
            (struct checksum){sqlite3_column_int64(s, 0), (uint64_t)sqlite3_column_int64(s, 1)};
    sqlite3_finalize(s);
    return found;
}

static bool find_checksum(const struct cs_run_journal *journal, const char *name,
                          struct checksum *checksum)
{
    return journal_checksum_find(journal, "SELECT rows, digest FROM seal WHERE name = ?", name, 0,
                                 checksum);
}

static bool find_round(const struct cs_run_journal *journal, int64_t round,
                       struct checksum *checksum)
{
    *checksum = (struct checksum){0, 0};
    return round == 0 || journal_checksum_find(journal, "SELECT id, digest FROM round WHERE id = ?",
                                               NULL, round, checksum);
}

static int journal_checksum_fail(const struct cs_run_journal *journal, const char *what,
                                 struct cs_error *err)
{
    char text[80];

    cs_plain_print(text, sizeof text, "its %s are not those that were written", what);
    return cs_run_journal_damaged(journal, text, err);
}

static int check_rounds(struct cs_run_journal *journal, struct cs_error *err)
{
    struct checksum last, left, then, all = {0, 0};

    for (int t = CS_RUN_TABLE_ROUND; t <= CS_RUN_TABLE_ATTEMPT_END; t++)
        if (add_up(journal, t, &all, err))
            return -1;
    if (!find_round(journal, journal->round, &last) || last.sum != all.sum)
        return journal_checksum_fail(journal, table[CS_RUN_TABLE_ROUND].what, err);
    if (!find_checksum(journal, "round", &left) || left.rows < 0 || left.rows > journal->round ||
        !find_round(journal, left.rows, &then) || then.sum != left.sum)
        return journal_checksum_fail(journal, "last rounds", err);
    journal->sum = all.sum;
    return 0;
}

int cs_run_journal_check_seals(struct cs_run_journal *journal, struct cs_error *err)
{
    if (journal->format < 2)
        return 0;
    for (int t = 0; t < CS_RUN_TABLE_ROUND; t++) {
        struct checksum now = {0, 0}, then;

        if (add_up(journal, t, &now, err))
            return -1;
        if (!find_checksum(journal, table[t].name, &then) || then.rows != now.rows ||
            then.sum != now.sum)
            return journal_checksum_fail(journal, table[t].what, err);
    }
    return check_rounds(journal, err);
}
