/* papers_folder.h - where the papers are that come with cosched. */
#ifndef CS_CLI_PAPERS_FOLDER_H
#define CS_CLI_PAPERS_FOLDER_H

#include "base/arena.h"

/* PREFIX/share/cosched/papers when this tool is PREFIX/bin/cosched comes first, then those of the
 * source it was built from. */
const char *cs_papers_folder(struct cs_arena *arena);

#endif
