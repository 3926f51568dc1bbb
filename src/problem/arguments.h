/* arguments.h - options and operands as tables.
 *
 * A command says what it takes in two tables, of fields (study/field.h) and of operands.  Parsing,
 * --help, the manual page and shell completion all come from them, so they cannot disagree.
 *
 * A schedule file says the line that made it (face/judge_schedule.c), so it is not the tool's
 * alone.
 *
 * Options are GNU long options: "--name value", "--name=value", any beginning of a name that
 * is no beginning of another; "--" ends them.  A few have a letter too ("-o FILE", "-oFILE").  The
 * whole name that an option had in a former release is understood, with a warning.
 * Options and operands may be mixed.  An option with a value is given once, unless it repeats.
 */
#ifndef CS_PROBLEM_ARGUMENTS_H
#define CS_PROBLEM_ARGUMENTS_H

#include "base/arena.h"
#include "problem/field.h"

/* What stands on the command line besides options. */
struct cs_operand {
    const char *name; /* such as "INPUT" */
    bool optional;
    bool repeats;            /* the last one only: one or more (optional: any number) */
    enum cs_field_kind kind; /* PATH, CHOICE or TEXT */
    const char *choices;     /* CHOICE */
    const char *summary;
    void (*values)(struct cs_strbuf *words);
};

/* Both tables end with a NULL name; NULL is an empty table. */

/* The words that can complete a value, with blanks between; none when it is of its own. */
void cs_field_put_words(const struct cs_field *field, struct cs_strbuf *out);
bool cs_field_has_words(const struct cs_field *field);

struct cs_option_value;

struct cs_arguments {
    const struct cs_field *options;
    struct cs_option_value *value; /* private, one for each option */
    int operands;
    const char *const *operand;
    bool help; /* --help or -h was seen; then nothing else was checked */
    int words;
    char *const *word;      /* all of it, as it was typed */
    struct cs_arena *arena; /* in which texts are joined */
    int notes;
    const char **note; /* options that have another name by now: sentences, also when it failed */
};

/* Read argv[0 .. argc - 1], which is what follows the words of the command.  The texts stay
 * where they are.  -1 with err says what was found and what would be right. */
int cs_arguments_parse(int argc, char *const *argv, const struct cs_field *options,
                       const struct cs_operand *operands, struct cs_arena *arena,
                       struct cs_arguments *args, struct cs_error *err);

/* Put what was given, and fallbacks, into a struct of options (the fields' `at`). */
void cs_arguments_store(const struct cs_arguments *args, void *options);

/* Values by option name, given or fallback; asking for a name or kind that is not in the
 * table, or for a number without fallback that was not given, is a bug. */
bool cs_arguments_has(const struct cs_arguments *args, const char *name); /* FLAG: is it set */
int64_t cs_arguments_integer(const struct cs_arguments *args, const char *name);
double cs_arguments_real(const struct cs_arguments *args, const char *name);      /* SECONDS too */
int cs_arguments_choice(const struct cs_arguments *args, const char *name);       /* index */
const char *cs_arguments_text(const struct cs_arguments *args, const char *name); /* or NULL */

/* All values of an option that repeats, *count of them (0 when not given). */
const char *const *cs_arguments_texts(const struct cs_arguments *args, const char *name,
                                      int *count);

/* The operand of that position, or NULL when there is none. */
const char *cs_arguments_operand(const struct cs_arguments *args, int position);

/* Append what was typed, " FIRST SECOND ...", as a shell takes it. */
void cs_arguments_put(const struct cs_arguments *args, struct cs_strbuf *out);

/* Append "cosched WORDS ..." as it was typed, but for --threads, on which nothing depends. */
void cs_arguments_put_line(const struct cs_arguments *args, const char *words,
                           struct cs_strbuf *out);

#endif
