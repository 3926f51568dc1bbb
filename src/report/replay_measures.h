/* replay_measures.h - what is measured of a row of a replay, and what its tables are by. */
#ifndef CS_REPORT_REPLAY_MEASURES_H
#define CS_REPORT_REPLAY_MEASURES_H

#include "problems/queue/replay_request.h"

/* A measure of a row, in the order in which JSON and CSV have them; NULL ends. */
struct cs_replay_measure {
    const char *key;
    double (*of)(const struct cs_queue_log_row *row);
};
extern const struct cs_replay_measure cs_replay_measures[];

/* "width", "time", "class", ... */
const char *cs_replay_by_word(enum cs_queue_by by);

#endif
