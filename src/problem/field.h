/* field.h - what can be said of a problem or to a command, as data.
 *
 * A field is an option of the tool, a parameter of an experiment, a key in JSON, a row of --help,
 * of a manual page and of completion, and a member of a struct of options.  It has one name, one
 * unit, one default and one meaning; everything else is made from these tables (problem.h).
 *
 * On the command line a field is --mtbf-of-all, in JSON mtbf_of_all; either spelling is understood
 * in JSON.  A table ends with a NULL name; NULL is an empty table.
 */
#ifndef CS_PROBLEM_FIELD_H
#define CS_PROBLEM_FIELD_H

#include "base/arena.h"
#include "base/digest.h"
#include "base/jsonw.h"
#include "base/strbuf.h"

#include <cosched/case.h>
#include <cosched/error.h>
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The member of the options, and what it is when nothing was said: FLAG bool, false; INTEGER
 * int64_t, CS_FIELD_NONE; REAL double, NaN; SECONDS (base/seconds.h) double, NaN; TEXT and PATH
 * const char *, NULL; CHOICE int, its index, -1. */
#define CS_FIELD_NONE INT64_MIN

struct cs_problem_choice;

struct cs_field {
    const char *name; /* with dashes */
    char letter;      /* the same as -letter, or 0 */
    enum cs_field_kind kind;
    const char *argument; /* what its value is called, such as "P"; flags: NULL */
    const char *choices;  /* CHOICE: "first|second|..." */
    const char *fallback; /* the value when not given, or NULL */
    double low, high;     /* numbers: the limits, both allowed; high 0: none */
    bool repeats;         /* may be given several times: its member has all, a line each */
    bool runs;           /* its value is a command that is run: experiments want consent (cell.h) */
    const char *needs;   /* another field, without which this one means nothing; or NULL */
    const char *group;   /* heading in help; NULL: that of the line before */
    const char *summary; /* whole sentences without a full stop at the end */
    void (*values)(struct cs_strbuf *words);  /* TEXT: words that completion offers, or NULL */
    const char *words;                        /* the same, said already; or NULL */
    const struct cs_problem_choice *policies; /* TEXT: it names some of these; or NULL */
    bool chooses;                             /* the same of what lives elsewhere */
    bool list; /* TEXT: several of these words may be given, with commas between them */

    /* Fields of problems. */
    unsigned verbs, of; /* sets of the above */
    unsigned required;  /* the verbs in which it must be given */
    size_t at;          /* offsetof in the options */
    const char *old;    /* its name in former releases, also understood; or NULL */
    bool old_stays;     /* the old name is as good: nothing is said when it is used */
    double old_unit;    /* numbers under that name are over so much; 0: 1 */
};

/* Rows that problems and other commands have alike. */
#define CS_FIELD_FORMAT(heading, verbs_, at_)                                                      \
    {                                                                                              \
        .name = "format", .kind = CS_FIELD_CHOICE, .choices = "table|json|csv",                    \
        .fallback = "table", .group = heading,                                                     \
        .summary = "how results are printed: for people, or for programs", .verbs = verbs_,        \
        .at = at_,                                                                                 \
    }

#define CS_STRICT_WORDS                                                                            \
    "warnings about the input are errors: columns that look like requirements and are not read, "  \
    "times that cannot be"

#define CS_FIELD_THREADS(verbs_, at_)                                                              \
    {                                                                                              \
        .name = "threads", .kind = CS_FIELD_INTEGER, .argument = "T", .fallback = "0", .low = 0,   \
        .high = 1024, .summary = "0 is all that there are; results do not depend on it",           \
        .verbs = verbs_, .at = at_,                                                                \
    }

struct cs_field_value {
    const char *text; /* as given; NULL: not given and no fallback */
    int64_t integer;
    double real;
    int choice;
};

/* The value that a text says; `as` is what messages call the field, such as "--procs".  The text
 * stays where it is.  -1 with err: what was found, what would be right. */
int cs_field_read(const struct cs_field *field, const char *as, const char *text,
                  struct cs_field_value *value, struct cs_error *err);

/* The same from JSON: a number, a text as on the command line, true or false (1 and 0) for flags
 * and for choices that begin with "no|", of which they are the first two. */
int cs_field_read_json(const struct cs_field *field, const char *as, const json_t *json,
                       struct cs_field_value *value, struct cs_error *err);

/* The lines of such a member, apart; they end with NULL.  The lines are in the arena. */
const char *const *cs_field_lines(const char *text, struct cs_arena *arena);

/* Put the value into its member of the options. */
void cs_field_store(const struct cs_field *field, const struct cs_field_value *value,
                    void *options);

/* Every member as when nothing is said. */
void cs_fields_reset(const struct cs_field *fields, void *options);

/* The rows that the verb takes, in the arena.  A heading stands over the first of its group that is
 * left. */
const struct cs_field *cs_fields_select(const struct cs_field *all, unsigned verb,
                                        struct cs_arena *arena);

/* The field of that name, with dashes or underscores, or of that old name (*old is then true), that
 * one of the verbs (0: any) takes.  NULL with err, which offers what is near. */
const struct cs_field *cs_fields_find(const struct cs_field *fields, unsigned verbs,
                                      const char *name, bool *old, struct cs_error *err);

/* Is it on or off: a flag, or a choice that begins with "no|"? */
bool cs_field_is_switch(const struct cs_field *field);

/* Integers, reals and seconds. */
bool cs_field_is_number(const struct cs_field *field);

/* Is that its name, with dashes or underscores, or its old one? */
bool cs_field_is(const struct cs_field *field, const char *name);
bool cs_field_was(const struct cs_field *field, const char *name); /* its old one, in either way */

/* The digest of the members that something depends on: those of `of` (a set of CS_OF_*; 0: all) but
 * the names in `without` ("day|seed"; or NULL).  Equal options have equal digests, however they
 * were given. */
void cs_fields_digest(const struct cs_field *fields, const void *options, unsigned of,
                      const char *without, char text[CS_DIGEST_TEXT]);

/* What its value is: "a whole number from 1 to 10", "first, second or third", "a flag". */
void cs_field_put_kind(const struct cs_field *field, struct cs_strbuf *out);

/* Keys kind, values (those words), low, high, choices, default. */
void cs_field_put_values(const struct cs_field *field, struct cs_jsonw *w);

/* The name as in JSON. */
void cs_field_put_key(const struct cs_field *field, struct cs_strbuf *out);

/* For messages and parsers of operands: the index of a choice, -1 for none; "NAME cannot be ..." */
int cs_choice_index(const char *choices, const char *text);
int cs_choice_error(const char *as, const char *text, const char *choices, struct cs_error *err);

#endif
