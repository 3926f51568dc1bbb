/* request.h - what `cosched replay` was asked for, and what came of it. */
#ifndef CS_CLI_REPLAY_REQUEST_H
#define CS_CLI_REPLAY_REQUEST_H

#include "base/jsonw.h"
#include "cli/base/option.h"
#include "io/site_file.h"
#include "model/outside.h"
#include "rigid/log_study.h"

/* The options, as they are stored (replay.c has the table). */
struct cs_replay_options {
    int64_t procs, nodes;
    const char *machine, *alloc;
    int unit;
    const char *policy, *priority, *program;
    double patience;
    int estimates, overrun;
    double grace, default_request;
    int arrive, partition_field;
    const char *zone, *from, *to, *outages;
    int64_t user_jobs, user_procs;
    double mean, mtbe, verification;
    const char *failures;
    int64_t scenarios, seed;
    double warmup, cooldown;
    const char *by;
    int64_t top, fairness;
    const char *jobs, *series, *report, *draw, *output, *gantt;
    int jobs_format, format;
    int64_t lookahead;
    bool strict;
    int64_t threads;
};

struct cs_replay_request {
    const struct cs_replay_options *options;
    const char *const *path;
    int files;
    struct cs_arena *arena;
    struct cs_zone *zone;            /* or NULL */
    const char *zone_name;           /* or NULL */
    const struct cs_site_file *file; /* or NULL */
    unsigned by;                     /* tables to show */
    enum cs_log_kind kind;           /* of the first file */
    bool dated;
    int64_t epoch;
    struct cs_rigid_multifactor multifactor;
    struct cs_rigid_log_study study;
    struct cs_outside *outside; /* what the policy `program` asks, or NULL */
    char spool[64];             /* a file with standard input; "" for none */
    const char *const *shown;   /* the policy of each way as it was asked for */
    int scenarios;              /* of failures, a row each */
    int warnings;
    const char **warning;
};

/* Make the study of the options and logs.  -1 with err. */
int cs_replay_prepare(const char *const *path, int files, const struct cs_replay_options *options,
                      struct cs_arena *arena, struct cs_replay_request *request,
                      struct cs_error *err);
void cs_replay_release(struct cs_replay_request *request);

void cs_replay_warn(struct cs_replay_request *request, const char *format, ...) CS_PRINTF(2, 3);

/* Is there a row of what was recorded: have half of the jobs a start? */
bool cs_replay_has_recorded(const struct cs_log_counts *counts,
                            const struct cs_rigid_log_rows *rows);

/* The name of a row: "recorded", "easy", "easy, wfp3" where there are several priorities. */
void cs_replay_put_row(const struct cs_replay_request *request, int row, struct cs_strbuf *out);

/* The warnings that follow from the rows (doubts.c). */
void cs_replay_doubt(struct cs_replay_request *request, const struct cs_rigid_log_rows *rows);

/* What is printed (show.c), and the other files. */
void cs_replay_show(const struct cs_replay_request *request, const struct cs_rigid_log_rows *rows,
                    struct cs_strbuf *out);
void cs_replay_json(const struct cs_replay_request *request, const struct cs_rigid_log_rows *rows,
                    const struct cs_arguments *args, struct cs_strbuf *out);
void cs_replay_csv(const struct cs_replay_request *request, const struct cs_rigid_log_rows *rows,
                   struct cs_strbuf *out);
void cs_replay_series_csv(const struct cs_replay_request *request,
                          const struct cs_rigid_log_rows *rows, struct cs_strbuf *out);

/* The schedule of the only row, as --output and --gantt ask for (schedule.c).  -1 with err. */
int cs_replay_write_schedule(const struct cs_replay_request *request,
                             const struct cs_rigid_log_rows *rows, const struct cs_arguments *args,
                             struct cs_error *err);

/* A measure of a row, in the order in which JSON and CSV have them; NULL ends. */
struct cs_replay_measure {
    const char *key;
    double (*of)(const struct cs_rigid_log_row *row);
};
extern const struct cs_replay_measure cs_replay_measures[];

/* The names of the cells of a table; or NULL. */
const struct cs_log_names *cs_replay_names(const struct cs_log *log, enum cs_rigid_by by);
const char *cs_replay_by_word(enum cs_rigid_by by);

#endif
