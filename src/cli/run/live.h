/* live.h - a table of what runs, drawn again and again at the same place of a terminal. */
#ifndef CS_CLI_RUN_LIVE_H
#define CS_CLI_RUN_LIVE_H

#include "base/strbuf.h"

#include <cosched/run.h>

struct cs_run_live {
    struct cs_strbuf drawn; /* what stands there now: whole lines; begins as CS_STRBUF_INIT */
    int wakes;              /* of the state at that time */
    int columns, rows;      /* of the terminal */
};

/* Can standard error show one, and is it this process's to draw on? */
bool cs_run_live_is_possible(void);
bool cs_run_live_is_ours(void);

/* Has the terminal got another size? */
bool cs_run_live_is_resized(const struct cs_run_live *live);

/* The lines of `head`, and what runs; as much as there is room for.  Nothing while the terminal
 * takes nothing. */
void cs_run_live_draw(struct cs_run_live *live, const struct cs_run_look *run,
                      const struct cs_run_state *state, const char *head);

/* Nothing stands there any more. */
void cs_run_live_wipe(struct cs_run_live *live);
void cs_run_live_release(struct cs_run_live *live);

#endif
