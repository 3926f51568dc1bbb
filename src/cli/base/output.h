/* output.h - results to standard output, messages to standard error.
 *
 * Files are written by base/file.h, which never leaves partial files; these functions check before
 * the work whether a file can be written.
 */
#ifndef CS_CLI_OUTPUT_H
#define CS_CLI_OUTPUT_H

#include "base/strbuf.h"
#include "problem/arguments.h"
#include "report/table.h"

#include <cosched/error.h>

#include <jansson.h>

/* Detect file names with the extension of another format.
 *
 * The argument of an output option states its format ("FILE.json"); a name with the extension of
 * another format (plan.csv, plan.json.gz) is rejected before the work, others (plan, plan.txt) are
 * accepted. Charts are written in the format of their extension and are checked elsewhere.
 */
/* `argument` has the endings that are right, such as "FILE.json" or ".csv"; "DIR": none is.  `as`
 * is the option. */
int cs_ending_check(const char *as, const char *path, const char *argument, struct cs_error *err);

/* All options of outputs that were given; a name that is an operand too is judged elsewhere.  One
 * of them may be "-": standard output is left to it. */
int cs_endings_check(const struct cs_arguments *args, struct cs_error *err);

/* Convert JSON of the library to rows of a table. */
/* Texts that the library made, which are freed; NULL for NULL. */
json_t *cs_rows_parse(char *text);

/* A row: of each column the value of its key; null, or a key that is missing: not known. */
void cs_rows_put(struct cs_table *table, const struct cs_column *column, size_t columns,
                 const json_t *row);

/* The same of values in the order of the columns. */
void cs_rows_put_list(struct cs_table *table, const struct cs_column *column, size_t columns,
                      const json_t *row);

/* How a table is written for a choice of --format (enum cs_format). */
enum cs_table_format cs_rows_format(int choice);

/* To standard output. Write errors are checked once, at the end. Text of files, names and programs
 * reaches terminals only through this and the functions to standard error below: control characters
 * are escaped (cs_utf8_show() of base/utf8.h), but in --format csv and json only where standard
 * output is a terminal. */
void cs_output_put(const struct cs_strbuf *text);

/* The same through the pager of the environment (PAGER; less), if standard output is a terminal
 * with fewer lines than the text. */
void cs_output_page(const struct cs_strbuf *text);

/* Tables of CSV get an apostrophe before cells that spreadsheets take for formulas: the option of
 * CS_PARAM_CSV_SAFE_ROW (format.h). */
void cs_output_csv_safe(void);

/* Flush the output. */
void cs_output_flush(void);

/* Columns of the terminal on standard output; 0: no terminal, or unknown. COLUMNS in the
 * environment has precedence. */
int cs_output_columns(void);

/* As cs_table_write, but where standard output is a terminal that is narrower than `width`, the
 * table fits it. */
void cs_output_table(const struct cs_table *table, enum cs_table_format format, int width,
                     struct cs_strbuf *out);

/* Has all of it been written? -1 with err if not; without a message if the reader has closed the
 * pipe. */
int cs_output_finish(struct cs_error *err);

/* A line to standard error: the text, "cosched: TEXT", or "cosched: warning: TEXT". */
void cs_output_note(const char *text);
void cs_output_error(const char *text);
void cs_output_warn(const char *text);

/* To standard error as it is, to move the cursor: text of the tool and what was escaped before. */
void cs_output_draw(const char *text);

/* Each line of the text. */
void cs_output_warn_lines(const char *text);

/* The same for the `warn` of any watch. */
void cs_output_warn_of(void *who, const char *error_text);

/* Check whether the file can be written, as far as known before writing. "-" and NULL always
 * can. */
int cs_output_check(const char *path, struct cs_error *err);

/* Is an output another file than `other`, an input or a second output, also when links lead to it?
 * "-", NULL and what is no regular file are never the same.  `why` ends the sentence. */
int cs_output_apart(const char *path, const char *other, const char *why, struct cs_error *err);

/* Is an output different from the store and from the files of SQLite and the lock next to it? */
int cs_output_apart_store(const char *path, const char *store, struct cs_error *err);

/* Both checks for the files of options, which must be distinct; `option` ends with NULL. */
int cs_output_check_options(const struct cs_arguments *args, const char *const *option,
                            const char *other, const char *why, struct cs_error *err);

/* To the file, "-" and NULL being standard output, and the text is released. */
int cs_output_save(const char *path, struct cs_strbuf *text, struct cs_error *err);

#endif
