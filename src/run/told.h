/* told.h - what schedule files of runs have in common, whether programs ran or would have run. */
#ifndef CS_RUN_TOLD_H
#define CS_RUN_TOLD_H

#include "base/jsonw.h"
#include "run/setup.h"

/* Key saves: the tasks that save their state, so that attempts go on where others ended; none when
 * there are none. */
void cs_run_told_saves(struct cs_jsonw *w, const struct cs_run_setup *setup);

#endif
