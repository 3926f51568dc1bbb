/* field.h - what can be said of a problem or a replay, a parameter at a time: how options of a tool
 * are made.
 *
 *     struct cs_case_field field;
 *
 *     for (int i = 0; cs_case_field_at("pack", i, &field, sizeof field, NULL) > 0; i++)
 *         if (field.verbs & CS_PLAN)
 *             printf("--%s %s: %s\n", field.name, field.argument, field.summary);
 *
 * cs_case_describe (case.h) says the same of all at once, as JSON.
 */
#ifndef COSCHED_FIELD_H
#define COSCHED_FIELD_H

#include <cosched/error.h>
#include <stdbool.h>
#include <stddef.h>

CS_BEGIN_DECLS

enum cs_field_kind {
    CS_FIELD_FLAG = 1, /* takes no value */
    CS_FIELD_INTEGER,  /* a whole number */
    CS_FIELD_REAL,     /* a number */
    CS_FIELD_SECONDS,  /* a time, with a unit or in seconds */
    CS_FIELD_TEXT,     /* anything but the empty text */
    CS_FIELD_CHOICE,   /* one of `choices` */
    CS_FIELD_PATH,     /* a file name */
};

/* What depends on a field; a set. */
enum cs_field_of {
    CS_OF_NOTHING = 0,   /* where results go, how they look */
    CS_OF_GENERATOR = 1, /* what is generated */
    CS_OF_INSTANCE = 2,  /* what is given: tasks, machine */
    CS_OF_VARIANT = 4,   /* how it is run: policies and rules */
    CS_OF_DRAW = 8,      /* what befalls it: failures, arrivals, scenarios */
};

/* The verbs that take a field; a set. */
enum cs_field_verb {
    CS_PLAN = 1,
    CS_SIMULATE = 2,
    CS_GENERATE = 4,
    CS_EXPERIMENT = 8, /* a cell of an experiment */
};

/* Texts are the library's and stay; a text that says nothing is NULL. */
struct cs_case_field {
    const char *name;     /* with dashes */
    const char *argument; /* what its value is called, such as "P"; flags: NULL */
    const char *choices;  /* CHOICE: "first|second|..." */
    const char *fallback; /* the value when not given */
    const char *needs;    /* another field, without which this one means nothing */
    const char *group;    /* a heading; NULL: that of the field before */
    const char *summary;  /* whole sentences without a full stop at the end */
    const char *old;      /* its name in former releases, also understood */
    double low, high;     /* numbers: the limits, both allowed; high 0: none */
    double old_unit;      /* numbers under the old name are over so much; 0: 1 */
    enum cs_field_kind kind;
    unsigned verbs, of; /* sets of the above */
    unsigned required;  /* the verbs in which it must be given */
    char letter;        /* a short name, or 0 */
    bool repeats;       /* may be given several times */
    bool list;          /* TEXT: several words may be given, with commas between them */
    bool chooses;       /* TEXT: it names policies */
    bool says_words;    /* TEXT: cs_case_words knows some */
    bool old_stays;     /* the old name is as good */
};

/* The field of a problem, or of "replay" (cs_replay_run_json), with that index, in the order of
 * help, in `size` bytes.  1, or 0 past the last; -1 with err for a problem that is not there and
 * for another size. */
CS_API int cs_case_field_at(const char *problem, int index, struct cs_case_field *out, size_t size,
                            struct cs_error *err);

/* Words that the value of that field can be, such as the names of policies, with blanks between;
 * freed with cs_free (case.h).  NULL with err. */
CS_API char *cs_case_words(const char *problem, int index, struct cs_error *err);

CS_END_DECLS

#endif
