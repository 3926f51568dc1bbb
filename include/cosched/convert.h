/* convert.h - identify files, and convert job logs and schedules to formats of other programs.
 *
 *     const char *log[] = {"sacct.txt"};
 *     const struct cs_convert_options how = {
 *         .size = sizeof how, .to = "swf", .zone = "Europe/Berlin"};
 *     char *text = cs_convert(log, 1, &how, NULL, NULL, &err);
 *
 * docs/formats.md describes the formats; `cosched convert` uses these functions.
 */
#ifndef COSCHED_CONVERT_H
#define COSCHED_CONVERT_H

#include <cosched/error.h>
#include <cosched/schedule.h>
#include <cosched/watch.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

CS_BEGIN_DECLS

/* Members that are 0 or NULL are unset; those of the other kind of file are ignored. */
struct cs_convert_options {
    size_t size;    /* sizeof(struct cs_convert_options) */
    const char *to; /* of a job log "swf", "batsim", "csv"; of a schedule "trace" (events for
                       Perfetto), "paje", "bars" (CSV), "flux-jobspec"; of timings "timings" */
    const char
        *command; /* command recorded in the file, if the format can; NULL: none, or cs_convert */
    const char *unit; /* what processors are: "cpus" or "nodes"; NULL: nodes in logs of ALCF and
                         in jobs for Flux, else cpus */

    int64_t procs;    /* job logs: of the machine, wider jobs are left out; 0: from the log */
    bool by_submit;   /* jobs arrive when they are submitted, eligible or not */
    const char *zone; /* of stamps without one, such as "Europe/Berlin"; NULL: UTC */
    double speed;     /* of a processor, flop/s, for profiles of Batsim in flop */
    long lookahead;   /* lines of a file that may be out of order; 0: 200,000 */
    bool strict;      /* any malformed line is an error; otherwise more than 1 % are */

    const char *tracks;  /* schedules: rows of a trace, "procs" or "tasks"; NULL: processors, tasks
                            if there are more than 200,000 slices */
    const char *program; /* what a job of Flux runs, words with blanks between; NULL: the name of
                            the task */
    double margin;       /* a job of Flux may take so many times what is planned; 0: 1.2 */

    /* timings: as the members of struct cs_workload_options (workload.h); count_unit is its unit */
    const char *app, *count, *count_unit, *metric, *region, *decimal;
};

/* Job logs, which are merged by time, one schedule, or timings of several files and directories,
 * from `count` paths ("-": standard input), as the text of another format, which the caller frees
 * with cs_free (case.h). *length is without the 0 at its end and may be NULL. The watch is warned
 * of lines that are left out and of data that the other format cannot represent. NULL with err. */
CS_API char *cs_convert(const char *const *paths, int count, const struct cs_convert_options *how,
                        const struct cs_watch *watch, size_t *length, struct cs_error *err);

/* The same text written to a file ("-": standard output) while it is made, so that memory does not
 * hold that of a schedule: to a new file in the same directory, which then replaces the old one. -1
 * with err, and the old file is as before. */
CS_API int cs_convert_write(const char *const *paths, int count,
                            const struct cs_convert_options *how, const char *path,
                            const struct cs_watch *watch, struct cs_error *err);

/* Identify a file ("-": standard input, compressed ones too) by its first line or keys and by
 * reading it, or the directory of a run, as JSON:
 *
 *     {"file": "log.swf", "kind": "job log", "form": "SWF",
 *      "words": "job log (SWF), 31 jobs, 64 processors",
 *      "commands": [{"command": "replay", "option": null}, ...]}
 *
 * "commands" are the commands that read it, the likeliest first: as operand, or with that option.
 * The caller frees the text with cs_free; *length as above. NULL with err: the error of the reader,
 * or an unknown format. */
CS_API char *cs_what(const char *path, size_t *length, struct cs_error *err);

/* A plan, one bar of work a task, as a batch script for Slurm, `--sbatch` of `cosched plan`: a step
 * for each task, started as soon as the previous tasks on its processors have ended, and in the
 * problem ptg all tasks that end before its start. `unit` is the name of a processor ("node" gives
 * each task separate nodes; NULL: "processor"); `command` (may be NULL) is recorded in the script.
 * The text is as above. NULL with err. */
CS_API char *cs_schedule_sbatch(const struct cs_schedule *schedule, const char *unit,
                                const char *command, size_t *length, struct cs_error *err);

CS_END_DECLS

#endif
