/* arguments.h - options and operands as tables.
 *
 * A command lists its options in a table of parameters (problem/param.h) and its operands in a
 * table of struct cs_operand. Parsing, --help, the manual page and shell completion use the same
 * tables, so they cannot disagree.
 *
 * A schedule file contains the command line that made it; api/check_schedule.c parses that line
 * with these functions too.
 *
 * Options are GNU long options: "--name value", "--name=value", any unambiguous prefix of a name;
 * "--" ends them. Some have a letter too ("-o FILE", "-oFILE"). The full name of an option in a
 * former release is accepted, with a warning unless `old_stays`. Options and operands may be mixed.
 * An option with a value is given once, unless it repeats.
 */
#ifndef CS_PROBLEM_ARGUMENTS_H
#define CS_PROBLEM_ARGUMENTS_H

#include "base/arena.h"
#include "problem/param.h"

/* An operand: a positional argument of the command line. */
struct cs_operand {
    const char *name; /* such as "INPUT" */
    bool optional;
    bool repeats;            /* last operand only: one or more values (optional: any number) */
    enum cs_param_kind kind; /* PATH, CHOICE or TEXT */
    const char *choices;     /* CHOICE */
    const char *summary;
    void (*values)(struct cs_strbuf *words);
};

/* Both tables end with a NULL name; NULL is an empty table. */

/* Append the words that complete a value of the parameter, separated by blanks; no words for free
 * text.
 */
void cs_param_put_words(const struct cs_param *param, struct cs_strbuf *out);
bool cs_param_has_words(const struct cs_param *param);

struct cs_option_value;

struct cs_arguments {
    const struct cs_param *options;
    struct cs_option_value *value; /* private, one for each option */
    int operands;
    const char *const *operand;
    bool help; /* --help or -h was found; the other arguments were not checked */
    int words;
    char *const *word;      /* all arguments, as typed */
    struct cs_arena *arena; /* for joined texts */
    int notes;
    const char **note; /* warnings about renamed options; also set after a failure */
};

/* Parse argv[0 .. argc - 1], the arguments that follow the words of the command. Texts are not
 * copied: argv must outlive `args`. -1 with err, which names the found and the expected value. */
int cs_arguments_parse(int argc, char *const *argv, const struct cs_param *options,
                       const struct cs_operand *operands, struct cs_arena *arena,
                       struct cs_arguments *args, struct cs_error *err);

/* Store the given values and the defaults in a struct of options (member `at` of each parameter).
 */
void cs_arguments_store(const struct cs_arguments *args, void *options);

/* Values by option name, given or default. A name or kind that is not in the table is a bug of the
 * caller, and so is a number that was not given and has no default. */
bool cs_arguments_has(const struct cs_arguments *args, const char *name); /* FLAG: is it set */
int64_t cs_arguments_integer(const struct cs_arguments *args, const char *name);
double cs_arguments_real(const struct cs_arguments *args, const char *name);      /* SECONDS too */
int cs_arguments_choice(const struct cs_arguments *args, const char *name);       /* index */
const char *cs_arguments_text(const struct cs_arguments *args, const char *name); /* or NULL */

/* All values of an option that repeats, *count of them (0 when not given). */
const char *const *cs_arguments_texts(const struct cs_arguments *args, const char *name,
                                      int *count);

/* The operand at this position (from 0), or NULL if fewer were given. */
const char *cs_arguments_operand(const struct cs_arguments *args, int position);

/* Append the arguments as typed, " FIRST SECOND ...", quoted for a shell. */
void cs_arguments_put(const struct cs_arguments *args, struct cs_strbuf *out);

/* Append the command line as typed, "cosched WORDS ...", without --threads: results do not depend
 * on it. */
void cs_arguments_put_line(const struct cs_arguments *args, const char *words,
                           struct cs_strbuf *out);

#endif
