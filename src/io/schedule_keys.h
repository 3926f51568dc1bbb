/* schedule_keys.h - the keys that a problem adds to schedule files, as a table.
 *
 * A row of src/model/keys/PROBLEM.def gives a key, its kind, the member of the problem's struct in
 * model/schedule.h, when the key is there, what checks it and its line of docs/formats.md:
 *
 *     CS_KEY(PROBLEM, "KEY", KIND(MEMBER, ...), "UNIT", WHEN, CHECK, WITHOUT, "TEXT")
 *
 * KEY      with dots within objects and their lists; its rows follow that of the object.
 * KIND     OTHER: read and written elsewhere.  OWN(NAME): by cs_key_put_NAME and cs_key_get_NAME,
 *          before the others.
 *          A value: BOOL(m), COUNT(m) (processors), INT(m, LOW, HIGH), NUMBER(m), CLAIM(m) (a
 * number that the checker rejects when it is negative), NOT_NEGATIVE(m), POSITIVE(m), TEXT(m),
 *          WORD(m, "first", ...) (its index), LABEL(m, "first", ...) (the text), TASK(m) (by name).
 *          A list of values, an element for each: EACH_KIND(m, PER, ...), where PER is TASKS or
 *          PER(STRUCT, COUNT).
 *          OBJECT, FLAT_OBJECT (on one line): its keys are members of the same struct.
 *          TABLE(PER) a list of objects, each key of which is an array of the struct, such as
 *          `procs`; OPEN_TABLE(n, LOW) one whose length becomes `n`, objects on several lines.
 *          ROWS(m, n) a list of objects, each of which is a struct of the array m.  LOOSE_ROWS may
 *          have other keys, OPEN_ROWS too, and take several lines for each object.
 * WHEN     REQUIRED.  OPTIONAL, OR(VALUE): always written; without it, 0, false, "" or VALUE.
 *          IF_SET, IF_NOT(VALUE): written when it is not 0, false, NULL, or VALUE, which it is when
 *          the key is missing.  IF_ANY: of a table, an array that is NULL when no object has it.
 *          IF(FLAG): written when the member FLAG is true, which the reader sets.  WITH_LAST: with
 *          the row before.
 * CHECK    the function of src/check or src/io that checks it, or NOT_CHECKED: nothing else in the
 *          file depends on the value.
 * WITHOUT  what becomes of a valid file without the key, or with null: FINE (it claims less),
 *          DEFAULT (another value takes its place, by which the file is valid or not, or what rests
 *          on it is wrong), INCOMPLETE (exit status 5), WRONG (not valid, or not readable).
 *
 * The writer and the reader follow the table; script/keys generates from it the properties of
 * docs/schema and the rows of docs/formats.md; src/check/file.c reads which key belongs to which
 * problem; tests/mutation/keys.py deletes, nulls and forges each, alone and in pairs.
 */
#ifndef CS_IO_SCHEDULE_KEYS_H
#define CS_IO_SCHEDULE_KEYS_H

#include "base/arena.h"
#include "base/json.h"
#include "base/jsonw.h"
#include "io/names.h"
#include "model/schedule.h"

enum cs_key_kind {
    CS_KEY_OTHER,
    CS_KEY_OWN,
    CS_KEY_BOOL,
    CS_KEY_INT,
    CS_KEY_NUMBER,
    CS_KEY_TEXT,
    CS_KEY_WORD,
    CS_KEY_LABEL,
    CS_KEY_TASK,
    CS_KEY_OBJECT,
    CS_KEY_TABLE,
    CS_KEY_ROWS,
};

enum cs_key_when {
    CS_KEY_REQUIRED,
    CS_KEY_OPTIONAL,
    CS_KEY_IF_SET,
    CS_KEY_IF_ANY,
    CS_KEY_IF,
    CS_KEY_WITH_LAST,
};

/* How many elements a list has: the tasks of the schedule, or an int of the struct. */
struct cs_key_per {
    size_t at;
    const char *noun; /* tasks; NULL: the reader stores the number at `at` */
};

/* The input of the reader. */
struct cs_key_source {
    const struct cs_names *names; /* of the tasks */
    int tasks;
    struct cs_arena *arena;
    struct cs_error *err;
};

struct cs_key {
    const char *name; /* NULL: the last row */
    enum cs_key_kind kind;
    enum cs_key_when when;
    bool list;             /* of values of the kind */
    bool open;             /* several lines */
    bool loose;            /* other keys are left alone */
    size_t at, size;       /* of the member; of an element */
    struct cs_key_per per; /* of a list */
    int64_t low, high;
    enum cs_number_want want;
    double missing; /* the value without the key */
    size_t flag;    /* IF */
    const char *const *word;
    void (*put)(struct cs_jsonw *w, const struct cs_schedule *schedule, const void *declared);
    int (*get)(const struct cs_json_at *at, const struct cs_key_source *source, void *declared);
};

extern const struct cs_key cs_keys_pack[];
extern const struct cs_key cs_keys_moldable[];
extern const struct cs_key cs_keys_malleable[];
extern const struct cs_key cs_keys_ptg[];
extern const struct cs_key cs_keys_rigid[];
extern const struct cs_key cs_keys_volatile[];
extern const struct cs_key cs_keys_spot[];

/* The keys of `declared`, in the order of the table. */
void cs_keys_put(struct cs_jsonw *w, const struct cs_key *table, const struct cs_schedule *schedule,
                 const void *declared);

/* Fill `declared`, which is all 0; its arrays and texts live in the arena.  -1 with err. */
int cs_keys_get(const struct cs_json_at *root, const struct cs_key *table,
                const struct cs_key_source *source, void *declared);

/* Keys of schedule files that no kind of row can write and read. */
#define CS_KEY_HAS_OWN(name_)                                                                      \
    void cs_key_put_##name_(struct cs_jsonw *w, const struct cs_schedule *schedule,                \
                            const void *declared);                                                 \
    int cs_key_get_##name_(const struct cs_json_at *at, const struct cs_key_source *source,        \
                           void *declared);

CS_KEY_HAS_OWN(bag_budgets)
CS_KEY_HAS_OWN(bag_resources)
CS_KEY_HAS_OWN(bag_use)
CS_KEY_HAS_OWN(moldable_area)
CS_KEY_HAS_OWN(moldable_certificate)
CS_KEY_HAS_OWN(moldable_stopped)
CS_KEY_HAS_OWN(ptg_graphs)

/* The lists of a general bag in the file, made with the first of its keys, and the parts of its
 * certificate. */
struct cs_bag_declared *cs_bag_declared_of(const struct cs_key_source *source, void *declared);
void cs_bag_certificate_put(struct cs_jsonw *w, const struct cs_bag_certificate *by);
int cs_bag_certificate_read(const struct cs_json_at *at, const struct cs_key_source *source,
                            struct cs_bag_certificate *by);

/* Checks and defaults that no row states.  -1 with err. */
int cs_key_finish_pack(const struct cs_json_at *root, const struct cs_key_source *source,
                       void *declared);
int cs_key_finish_moldable(const struct cs_json_at *root, const struct cs_key_source *source,
                           void *declared);
int cs_key_finish_rigid(const struct cs_json_at *root, const struct cs_key_source *source,
                        void *declared);
int cs_key_finish_volatile(const struct cs_json_at *root, const struct cs_key_source *source,
                           void *declared);

#endif
