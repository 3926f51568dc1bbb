/* paper_choose.h - which papers are run, with what the user gives them. */
#ifndef CS_CLI_PAPER_CHOOSE_H
#define CS_CLI_PAPER_CHOOSE_H

#include "campaign/experiment.h"
#include "cli/campaign/papers.h"

struct cs_paper_choice {
    const char *folder;
    int count;
    struct cs_experiment **paper;
};

/* Read what the operands name, each once: papers, folders of papers ("rigid"), or all.  --input and
 * --set must suit a paper that is named; of a folder or of all, the papers that they suit take
 * them, and papers that still need something are skipped with a warning.  -1 with err. */
int cs_paper_choose(const struct cs_arguments *args, struct cs_arena *arena,
                    struct cs_paper_choice *choice, struct cs_error *err);

void cs_paper_choice_release(struct cs_paper_choice *choice);

#endif
