/* hosts.h - hosts that come and go and an application for them, as JSON: cosched-volatile-1.
 *
 * Each host has a speed (slots of computation for a task), a capacity, and what is known of its
 * states: the Markov chain of up, reclaimed and down, or a trace of letters u, r, d and ?, one a
 * slot or with numbers of slots, or both.  docs/formats.md describes every key.
 */
#ifndef CS_IO_HOSTS_H
#define CS_IO_HOSTS_H

#include "base/arena.h"
#include "base/json.h"
#include "base/jsonw.h"
#include "model/fleet.h"
#include "model/known.h"

#define CS_HOSTS_FORMAT "cosched-volatile-1"
#define CS_HOSTS_HOSTS_MOST 100000
#define CS_HOSTS_SLOTS_MOST 100000000

struct cs_host {
    const char *name; /* NULL: its number */
    int slots;        /* of computation for a task, at least 1 */
    int capacity;     /* tasks at the same time; -1: no limit */
    bool has_chain;
    double chain[3][3];
    struct cs_fleet_host trace; /* all hosts as many slots; no runs without */
};

/* How long hosts stay in a state, with the means of their chains. */
enum cs_hosts_law {
    CS_HOSTS_MARKOV,
    CS_HOSTS_WEIBULL,
    CS_HOSTS_LOGNORMAL,
};

struct cs_hosts {
    const char *source; /* where it comes from, "" */
    double slot;        /* seconds; NaN if missing */
    int tasks, iterations, program, data, transfers, cap;
    int save_every, save_cost, spares; /* checkpoints and warm spares; 0: none */
    enum cs_hosts_law law;
    double shape; /* of the Weibull law, or sigma of the log-normal */
    int hosts;
    const struct cs_host *host;   /* all have a trace or none; else all have a chain */
    int64_t slots;                /* of the traces; 0 without */
    const struct cs_known *known; /* what is proven of its optimum; or NULL */
    struct cs_arena *arena;
};

/* "-" is standard input, gzip and xz are unpacked. Only the file is checked here; the problem
 * checks whether hosts and application are compatible. NULL with err. */
struct cs_hosts *cs_hosts_read(const char *path, struct cs_error *err);
struct cs_hosts *cs_hosts_read_memory(const char *name, const void *bytes, size_t size,
                                      struct cs_error *err);
struct cs_hosts *cs_hosts_from_json(const struct cs_json_at *root, struct cs_error *err);

void cs_hosts_destroy(struct cs_hosts *scenario); /* NULL is fine */

/* The whole document. */
void cs_hosts_put(const struct cs_hosts *scenario, struct cs_jsonw *w);

/* "markov", "weibull", "lognormal". */
const char *cs_hosts_law_name(enum cs_hosts_law law);

#endif
