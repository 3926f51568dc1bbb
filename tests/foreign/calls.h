/* calls.h - a foreign program that calls every public function, rightly and wrongly.
 *
 * Bytes say what is called and with what: numbers in and out of range, objects that do not go
 * together, NULL.  Nothing may end the program; a function that fails says why, one that does not
 * says nothing.  Only public headers are included here.
 */
#ifndef CS_TESTS_FOREIGN_CALLS_H
#define CS_TESTS_FOREIGN_CALLS_H

#include <cosched/error.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum kind {
    WORKLOAD,
    PLATFORM,
    GRAPH,
    FLEET,
    SCHEDULE,
    REPORT,
    PACK,
    PACK_PLAN,
    MOLDABLE,
    MOLDABLE_PLAN,
    MALLEABLE,
    TRACE,
    SIMULATION,
    RECORD,
    PTG,
    PTG_PLAN,
    METRICS,
    SCENARIOS,
    HOSTS,
    SOURCE,
    LIFETIME_MODEL,
    CASE,
    SCHEDULE_FILE,
    KINDS,
};

#define POOL 6

struct caller {
    const uint8_t *byte, *end;
    bool tame;    /* everything is as it must be */
    bool starved; /* memory may run out: what has no struct cs_error may fail too */
    bool closed;  /* new objects are destroyed at once */
    void *object[KINDS][POOL];
    int objects[KINDS];
    struct {
        void *object;
        void (*destroy)(void *object);
    } made[KINDS * POOL]; /* in this order */
    int all;
    struct cs_error err;
};

/* A byte; 0 when there are no more. */
unsigned draw(struct caller *c);
bool is_wild(struct caller *c); /* now and then, unless tame */

/* A number from low to high, or one that is not; `count` is one that an array of `most` bears. */
int whole(struct caller *c, int low, int high);
int count(struct caller *c, int most);
int few(struct caller *c,
        int most); /* the upper half of most; never millions: for what takes long */
double real(struct caller *c, double low, double high);
const char *target(struct caller *c);                  /* where to write: nothing is left behind */
const char *word(struct caller *c, const char *right); /* or NULL, or another */

void *pick(struct caller *c, enum kind kind); /* or NULL */
void keep(struct caller *c, enum kind kind, void *object, void (*destroy)(void *object));

/* Where to put a sentence; then: did it fail with one, or succeed without? */
struct cs_error *err_of(struct caller *c);
bool reported(struct caller *c, bool failed); /* returns !failed */

struct call {
    const char *name;
    void (*make)(struct caller *c);
};

/* Lists that end with a NULL name, creators before users. */
extern const struct call model_calls[], pack_calls[], moldable_calls[], malleable_calls[],
    ptg_calls[], rigid_calls[], volatile_calls[], case_calls[], store_calls[], picture_calls[],
    arrow_calls[], reader_calls[];

/* How many files a reader reads, by its first byte; 0 for a call that is none of reader_calls.  It
 * leaves nothing behind. */
int reader_files(const struct call *call);

int calls_count(void);
const struct call *calls_at(int index);
void calls_end(struct caller *c); /* destroy all that was made, the last first */

/* A whole program. */
void calls_run(const uint8_t *bytes, size_t size);

#endif
