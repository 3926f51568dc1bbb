/* param.h - the options of problems and commands, as data.
 *
 * A parameter is an option of the tool, a parameter of an experiment, a key in JSON, a row of
 * --help, of a manual page and of completion, and a member of a struct of options. It has one name,
 * one unit, one default and one meaning; all other forms are made from these tables (problem.h).
 *
 * On the command line a parameter is --mtbf-of-all, in JSON mtbf_of_all; JSON accepts either
 * spelling. A table ends with a NULL name; NULL is an empty table.
 */
#ifndef CS_PROBLEM_PARAM_H
#define CS_PROBLEM_PARAM_H

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

/* The type of the member in the options, and its value without an option or default: FLAG bool,
 * false; INTEGER int64_t, CS_PARAM_NONE; REAL double, NaN; SECONDS (base/number.h) double, NaN;
 * TEXT and PATH const char *, NULL; CHOICE int, its index, -1. */
#define CS_PARAM_NONE INT64_MIN

/* A member of INTEGER, or another value when it is not set. */
static inline int64_t cs_param_or(int64_t member, int64_t fallback)
{
    return member == CS_PARAM_NONE ? fallback : member;
}

struct cs_problem_choice;

struct cs_param {
    const char *name; /* with dashes */
    char letter;      /* the same as -letter, or 0 */
    enum cs_param_kind kind;
    const char *argument;     /* name of its value in help, such as "P"; flags: NULL */
    const char *choices;      /* CHOICE: "first|second|..." */
    const char *default_text; /* the default, or NULL */
    double low, high;         /* numbers: inclusive limits; high 0: no upper limit */
    bool repeats;             /* may be given several times: the member has one value per line */
    bool runs;           /* its value is a command to run: experiments need permission (cell.h) */
    const char *needs;   /* another parameter that must be given with it; or NULL */
    const char *group;   /* heading in help; NULL: that of the previous row */
    const char *summary; /* prose without a final full stop */
    void (*values)(struct cs_strbuf *words);  /* TEXT: words that completion offers, or NULL */
    const char *words;                        /* the same as a constant; or NULL */
    const struct cs_problem_choice *policies; /* TEXT: it names policies of this list; or NULL */
    bool chooses;                             /* it names policies of a list that is elsewhere */
    bool list; /* TEXT: several of these words may be given, separated by commas */

    /* Parameters of problems. */
    unsigned actions, scope; /* sets of enum cs_case_action and CS_SCOPE_* (case.h) */
    unsigned required;       /* the actions in which it must be given */
    size_t at;               /* offsetof in the options */
    const char *old;         /* its name in former releases, also understood; or NULL */
    bool old_stays;          /* the old name stays valid: no warning when it is used */
    bool old_stored; /* stores and digests keep the old name: those of cosched 0.2 continue */
    double old_unit; /* numbers under the old name are multiplied by this; 0: by 1 */
    const char *old_choice; /* CHOICE: a former word and its successor, "step=measured"; or NULL */
    bool old_choice_stored; /* stores keep the former word */
    const char *moved;      /* FLAG: it selects this problem by now; or NULL */
};

/* Rows that problems and other commands share. */
#define CS_PARAM_FORMAT(heading, actions_, at_)                                                    \
    {                                                                                              \
        .name = "format", .kind = CS_PARAM_CHOICE, .choices = "table|json|csv",                    \
        .default_text = "table", .group = heading,                                                 \
        .summary = "how results are printed: for people, or for programs", .actions = actions_,    \
        .at = at_,                                                                                 \
    }

/* A flag. The tool writes its own CSV so; problems only the files that they write. */
#define CS_PARAM_CSV_SAFE(actions_, at_)                                                           \
    {                                                                                              \
        .name = "csv-safe", .kind = CS_PARAM_FLAG,                                                 \
        .summary = "CSV for spreadsheets: cells that begin with = + - @ tab or CR, and are "       \
                   "not numbers, get an apostrophe in front, so they are not read as formulas",    \
        .actions = actions_, .at = at_,                                                            \
    }

/* Options for timings of other tools; `at_`(member) is the place of each. */
#define CS_ROWS_TIMINGS(actions_, scope_, at_)                                                     \
    {.name = "app",                                                                                \
     .kind = CS_PARAM_TEXT,                                                                        \
     .argument = "NAME",                                                                           \
     .summary = "name of the application, where timings lack it",                                  \
     .actions = actions_,                                                                          \
     .scope = scope_,                                                                              \
     .at = at_(app)},                                                                              \
        {.name = "count",                                                                          \
         .kind = CS_PARAM_TEXT,                                                                    \
         .argument = "REGEX",                                                                      \
         .summary = "the count in a command, the first group of an expression; or a number, with " \
                    "--app; or a parameter of Extra-P",                                            \
         .actions = actions_,                                                                      \
         .scope = scope_,                                                                          \
         .at = at_(count)},                                                                        \
        {.name = "count-unit",                                                                     \
         .kind = CS_PARAM_TEXT,                                                                    \
         .argument = "node|processor",                                                             \
         .summary = "which count is read, where timings have both",                                \
         .actions = actions_,                                                                      \
         .scope = scope_,                                                                          \
         .at = at_(unit)},                                                                         \
        {.name = "metric",                                                                         \
         .kind = CS_PARAM_TEXT,                                                                    \
         .argument = "NAME",                                                                       \
         .summary = "which of several times is read",                                              \
         .actions = actions_,                                                                      \
         .scope = scope_,                                                                          \
         .at = at_(metric)},                                                                       \
        {.name = "region",                                                                         \
         .kind = CS_PARAM_TEXT,                                                                    \
         .argument = "NAME",                                                                       \
         .summary = "which of several regions of Extra-P is read",                                 \
         .actions = actions_,                                                                      \
         .scope = scope_,                                                                          \
         .at = at_(region)},                                                                       \
    {                                                                                              \
        .name = "decimal", .kind = CS_PARAM_TEXT, .argument = "comma|point",                       \
        .summary = "the decimal sign, where a table is ambiguous", .actions = actions_,            \
        .scope = scope_, .at = at_(decimal)                                                        \
    }

#define CS_STRICT_WORDS                                                                            \
    "warnings about the input are errors: columns that look like requirements and are not read, "  \
    "times that cannot be"

#define CS_PARAM_THREADS(actions_, at_)                                                            \
    {                                                                                              \
        .name = "threads", .kind = CS_PARAM_INTEGER, .argument = "T", .default_text = "0",         \
        .low = 0, .high = 1024, .summary = "0 is all that there are; results do not depend on it", \
        .actions = actions_, .at = at_,                                                            \
    }

#define CS_PARAM_NOWHERE(member) 0

/* The power of nodes, from which the energy of schedules is computed. */
#define CS_PARAM_WATTS(actions_, at_)                                                              \
    {.name = "watts",                                                                              \
     .kind = CS_PARAM_TEXT,                                                                        \
     .argument = "busy=W,idle=W[,off=W][,off-after=TIME][,wake=JOULES]",                           \
     .group = "Energy",                                                                            \
     .summary = "also compute the energy of schedules, from the power of a node",                  \
     .actions = actions_,                                                                          \
     .scope = CS_SCOPE_VARIANT,                                                                    \
     .at = at_(watts)},                                                                            \
    {                                                                                              \
        .name = "procs-per-node", .needs = "watts", .kind = CS_PARAM_INTEGER, .argument = "C",     \
        .default_text = "1", .low = 1, .high = 100000000,                                          \
        .summary = "nodes are groups of C consecutive processors", .actions = actions_,            \
        .scope = CS_SCOPE_VARIANT, .at = at_(procs_per_node),                                      \
    }

/* And the end of the time that counts. `at_`: as above; commands have no such place. */
#define CS_PARAM_ENERGY(actions_, at_)                                                             \
    CS_PARAM_WATTS(actions_, at_),                                                                 \
    {                                                                                              \
        .name = "energy-until", .needs = "watts", .kind = CS_PARAM_SECONDS, .argument = "TIME",    \
        .low = 0, .high = 1e15, .summary = "nodes draw power until then (default: the makespan)",  \
        .actions = actions_, .scope = CS_SCOPE_VARIANT, .at = at_(energy_until),                   \
    }

struct cs_param_value {
    const char *text; /* as given or default; NULL: neither */
    int64_t integer;
    double real;
    int choice;
};

/* Parse the text of a value. `as` is the name of the parameter in messages, such as "--procs". The
 * text is not copied. -1 with err, which names the found and the expected value. */
int cs_param_read(const struct cs_param *param, const char *as, const char *text,
                  struct cs_param_value *value, struct cs_error *err);

/* The same from JSON: a number; a text as on the command line; true or false (1 or 0) for flags and
 * for choices that begin with "no|", where they select the second and the first choice. */
int cs_param_read_json(const struct cs_param *param, const char *as, const json_t *json,
                       struct cs_param_value *value, struct cs_error *err);

/* Split the member of a parameter that repeats into its lines. The lines and their array, which
 * ends with NULL, live in the arena. */
const char *const *cs_param_lines(const char *text, struct cs_arena *arena);

/* Store the value in its member of the options. */
void cs_param_store(const struct cs_param *param, const struct cs_param_value *value,
                    void *options);

/* Set the member of every parameter that has actions to its default. */
void cs_params_reset(const struct cs_param *params, void *options);

/* The rows that the action takes, in the arena. The first remaining row of each group has its
 * heading. */
const struct cs_param *cs_params_select(const struct cs_param *all, unsigned action,
                                        struct cs_arena *arena);

/* The parameter of that name, with dashes or underscores, or of that old name (*old is then true),
 * that one of the actions (0: any) takes. NULL with err, which suggests a similar name. */
const struct cs_param *cs_params_find(const struct cs_param *params, unsigned actions,
                                      const char *name, bool *old, struct cs_error *err);

/* Check that no parameter that the action takes is in the object under two names. -1 with err. */
int cs_params_check_once(const struct cs_param *params, unsigned action, const json_t *parameters,
                         struct cs_error *err);

/* Is it a switch: a flag, or a choice that begins with "no|"? */
bool cs_param_is_switch(const struct cs_param *param);

/* Integers, reals and seconds. */
bool cs_param_is_number(const struct cs_param *param);

/* Is `name` its name, with dashes or underscores, or its old name? */
bool cs_param_is(const struct cs_param *param, const char *name);
bool cs_param_was(const struct cs_param *param, const char *name); /* its old name */

/* The word of today for a choice; other texts are returned as they are. */
const char *cs_choice_now(const struct cs_param *param, const char *text);

/* Append the key of the parameter in stores, which may be its old name. */
void cs_param_put_stored(const struct cs_param *param, struct cs_strbuf *out);

/* Append a warning about the old name, if it was used, and about the old choice, if `text` (or
 * NULL) is that. */
void cs_param_put_renamed(const struct cs_param *param, bool old, const char *text,
                          struct cs_strbuf *out);

/* The digest of the members with one of the scopes `scope` (a set of CS_SCOPE_*; 0: all), except
 * the names in `without` ("day|seed"; or NULL). Equal options have equal digests, regardless of
 * their spelling. */
void cs_params_digest(const struct cs_param *params, const void *options, unsigned scope,
                      const char *without, char text[CS_DIGEST_TEXT]);

/* Append the keys kind, values (the kind in words), low, high, choices, default. */
void cs_param_put_values(const struct cs_param *param, struct cs_jsonw *w);

/* Append the name as spelled in JSON. */
void cs_param_put_key(const struct cs_param *param, struct cs_strbuf *out);

/* For messages and parsers of operands: the index of a choice, or -1; the error "NAME cannot be
 * ..." (returns -1). */
int cs_choice_index(const char *choices, const char *text);
int cs_choice_error(const char *as, const char *text, const char *choices, struct cs_error *err);

#endif
