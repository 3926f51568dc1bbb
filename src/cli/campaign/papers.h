/* papers.h - what the commands `paper list` and `paper run` share. */
#ifndef CS_CLI_PAPERS_H
#define CS_CLI_PAPERS_H

#include "campaign/experiment.h"
#include "campaign/store.h"
#include "cli/base/format.h"
#include "cli/campaign/paper_rows.h"
#include "cli/campaign/store_rows.h"
#include "report/table.h"

#include <cosched/error.h>

struct cs_papers {
    const char *folder;
    const char *const *name; /* count names, sorted */
    int count;
};

/* The papers below the folder that --papers names; else below the one that was installed with
 * this tool (../share/cosched/papers beside it), or that of the source it was built from.
 * -1 with err when there is none. */
int cs_papers_find(const struct cs_arguments *args, struct cs_arena *arena,
                   struct cs_papers *papers, struct cs_error *err);

/* Is there such a paper?  -1 with err, which says what may have been meant. */
int cs_papers_check(const struct cs_papers *papers, const char *name, struct cs_error *err);

/* The paper of this name; NULL with err. */
struct cs_experiment *cs_papers_read(const struct cs_papers *papers, const char *name, bool quick,
                                     struct cs_error *err);

/* What --format asks for. */
enum cs_table_format cs_papers_format(const struct cs_arguments *args);

/* How the store is opened: to write, as --other-build says. */
enum cs_store_mode cs_papers_store_mode(const struct cs_arguments *args);

/* For completion: the names, separated by blanks. */
void cs_papers_words(struct cs_strbuf *words);

#endif
