/* check_show.h - the verdicts of "check", for people and as rows. */
#ifndef CS_CLI_CHECK_SHOW_H
#define CS_CLI_CHECK_SHOW_H

#include "base/strbuf.h"
#include "cli/base/format.h"
#include "report/table.h"

#include <cosched/check.h>
#include <jansson.h>

/* So many violations of a file are kept to be shown. */
#define CS_CHECK_SHOWN 100

struct cs_check_show {
    struct cs_table *row;  /* one for each violation */
    struct cs_strbuf text; /* verdicts in words */
};

void cs_check_show_init(struct cs_check_show *show);
void cs_check_show_release(struct cs_check_show *show);

/* Append the name of task number `task` in a report to out. */
typedef void cs_check_name_f(const void *who, int task, struct cs_strbuf *out);

/* "PATH: valid: WORDS", or how many violations there are and which. */
void cs_check_show_add(struct cs_check_show *show, const char *path,
                       const struct cs_check_report *report, const char *words,
                       cs_check_name_f *name, const void *who);

/* The same for a verdict of the library (check.h).  The exit status that it means. */
int cs_check_show_finding(struct cs_check_show *show, const char *path, const json_t *finding);

/* The exit status of two files together: `one` is the later. */
int cs_check_worse(int status, int one);

/* To standard output: the verdicts, or the rows. */
void cs_check_show_put(struct cs_check_show *show, enum cs_format format);

#endif
