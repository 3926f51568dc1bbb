/* availability_build.h - for the readers of availability only: stretches of hosts, in seconds. */
#ifndef CS_IO_AVAILABILITY_BUILD_H
#define CS_IO_AVAILABILITY_BUILD_H

#include "base/lines.h"
#include "io/availability.h"
#include "io/names.h"
#include "model/fleet.h"

struct cs_stretch {
    double from, to;
    const struct cs_stretch *before; /* of the same host in the file; NULL: none */
    char state;                      /* u, r, d */
};

/* From this moment on there are so many instances, or one of them is there or is not. */
struct cs_availability_change {
    double time;
    int count;    /* or -1 */
    int instance; /* host of that name, where count is -1 */
    bool comes;
};

/* The monitoring window of a host in the component table: NaN for NULL. */
struct cs_availability_window {
    double from, to;
    bool known; /* does the table name the host? */
};

/* One file, under way. */
struct cs_availability_draft {
    struct cs_arena *arena;
    struct cs_names *names; /* of the hosts */
    const char *kind;
    double gap; /* seconds of a slot, by the file; 0 if missing */
    const struct cs_stretch *
        *reported; /* by host, `reports` of them: the latest interval; NULL: none */
    size_t reports, report_room;
    size_t count;                          /* of stretches */
    double from, to;                       /* the earliest and the latest moment of any stretch */
    bool reports_up;                       /* an event table that lists available intervals */
    struct cs_availability_change *change; /* of instances, by time */
    size_t changes, change_room;
    double end; /* of the last count */
    const double *price;
    size_t prices;
    struct cs_availability_window *window; /* by host, `windows` of them */
    int windows;
    size_t window_room;
    double first, last; /* moment of any window; NaN without windows */
};

#define CS_AVAILABILITY_HOSTS_MOST 100000

/* From and to are finite; a stretch that ends before it begins is a bug. */
void cs_availability_add(struct cs_availability_draft *draft, int host, char state, double from,
                         double to);

void cs_availability_change(struct cs_availability_draft *draft,
                            const struct cs_availability_change *change);

/* Twice the room at least, and at least `least`. */
void *cs_availability_grow(struct cs_availability_draft *draft, void *old, size_t count,
                           size_t size, size_t least, size_t *room);

/* The number of a host of a count, which is called "I" or "NAME I". */
int cs_availability_host(struct cs_availability_draft *draft, int number);

#define CS_AVAILABILITY_FIELDS 64 /* of a line, at most */

/* True for NULL, NA or an empty text: unknown. */
bool cs_availability_unknown(const char *text);
int cs_availability_number(struct cs_lines *lines, const char *what, const char *text, double *out,
                           struct cs_error *err);

/* Which columns these names have in a header line; -1 with err when one is missing. */
int cs_availability_header(struct cs_lines *lines, char *line, const char *table,
                           const char *const *name, int columns, int *column, struct cs_error *err);

/* The fields of a line, which has all of these columns; -1 with err when there are too few. */
int cs_availability_row(struct cs_lines *lines, char *line, const char *const *name, int columns,
                        const int *column, char **field, struct cs_error *err);

/* The windows of hosts from a component table, which may name further hosts. */
int cs_availability_read_components(struct cs_availability_draft *draft, struct cs_lines *lines,
                                    struct cs_error *err);

/* One file cut into slots of this length: hosts, named as in the file, each of at most `slots`
 * slots. Lives in the arena. */
struct cs_availability_zone {
    struct cs_fleet_host *host;
    int hosts;
    int64_t slots;
    bool nested;
    struct cs_fleet_life *life;
    int64_t lifetimes;
};

int cs_availability_cut(struct cs_availability_draft *draft, const char *name, double slot,
                        int hosts, struct cs_availability_zone *zone, struct cs_arena *arena,
                        struct cs_error *err);

/* Where the text of a file begins, after blanks and a byte order mark; NULL for none. */
const char *cs_availability_begin(const char *bytes, size_t size);

/* All formats except JSON: detected from the first significant line. */
int cs_availability_read_lines(struct cs_availability_draft *draft, struct cs_lines *lines,
                               struct cs_error *err);

/* The readers; -1 with err. */
int cs_availability_read_json(struct cs_availability_draft *draft, const char *name,
                              const void *bytes, size_t size, struct cs_error *err);
int cs_availability_read_table(struct cs_availability_draft *draft, struct cs_lines *lines,
                               char *line, struct cs_error *err);
int cs_availability_read_spot(struct cs_availability_draft *draft, struct cs_lines *lines,
                              char *line, struct cs_error *err);

#endif
