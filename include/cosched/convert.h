/* convert.h - what files hold, and job logs and schedules as the files of other programs.
 *
 *     const char *log[] = {"sacct.txt"};
 *     const struct cs_convert_options how = {.size = sizeof how, .to = "swf", .zone =
 * "Europe/Berlin"}; char *text = cs_convert(log, 1, &how, NULL, NULL, &err);
 *
 * What is read and written, docs/formats.md says; `cosched convert` does nothing else.
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

/* Members that are 0 or NULL say nothing; those of the other kind of file are not looked at. */
struct cs_convert_options {
    size_t size;         /* sizeof(struct cs_convert_options) */
    const char *to;      /* of a job log "swf", "batsim", "csv"; of a schedule "trace" (events for
                            Perfetto), "paje", "bars" (CSV), "flux-jobspec" */
    const char *command; /* the file says that this made it, where it can;
                            NULL: nothing, or that cs_convert did */
    const char *unit;    /* what processors are: "cpus" or "nodes"; NULL: nodes in logs of ALCF and
                            in jobs for Flux, else cpus */

    int64_t procs;    /* job logs: of the machine, wider jobs are left out; 0: what the log says */
    bool by_submit;   /* jobs arrive when they are submitted, eligible or not */
    const char *zone; /* of stamps without one, such as "Europe/Berlin"; NULL: UTC */
    double speed;     /* of a processor, flop/s, for profiles of Batsim that say flop */
    long lookahead;   /* lines of a file that may be out of order; 0: 200,000 */
    bool strict;      /* any malformed line is an error; otherwise more than 1 % are */

    const char *tracks;  /* schedules: what has a line of its own in a trace, "procs" or "tasks";
                            NULL: processors, tasks where there were more than 200,000 slices */
    const char *program; /* what a job of Flux runs, words with blanks between; NULL: the name of
                            the task */
    double margin;       /* a job of Flux may take so many times what is planned; 0: 1.2 */
};

/* Job logs, which are merged by time, or one schedule, from so many paths ("-": standard input):
 * the text of the other file, which the caller frees with cs_free (case.h).  *length is without the
 * 0 at its end and may be NULL.  The watch is warned of lines that are left out and of what the
 * other file cannot say.  NULL with err. */
CS_API char *cs_convert(const char *const *paths, int count, const struct cs_convert_options *how,
                        const struct cs_watch *watch, size_t *length, struct cs_error *err);

/* What a file holds ("-": standard input, packed ones too), by its first line or keys and then by
 * the reader that they call for, or what the folder of a run is, as JSON:
 *
 *     {"file": "log.swf", "kind": "job log", "form": "SWF",
 *      "words": "job log (SWF), 31 jobs, 64 processors",
 *      "commands": [{"command": "replay", "option": null}, ...]}
 *
 * The commands of the tool that take it, the likeliest first: as operand, or by that option.  The
 * caller frees it with cs_free; *length as above.  NULL with err: the sentence of that reader, or
 * that no reader knows it. */
CS_API char *cs_what(const char *path, size_t *length, struct cs_error *err);

/* A plan, one bar of work a task, as a batch script for Slurm, `--sbatch` of `cosched plan`: a step
 * for each task, begun as soon as those have ended that have its processors before it, and in the
 * problem ptg all that end before it starts.  `unit` is what a processor is called, "node" places
 * each task on nodes of its own, NULL is "processor"; the script says that `command` made it, or
 * NULL.  The text is as above.  NULL with err. */
CS_API char *cs_schedule_sbatch(const struct cs_schedule *schedule, const char *unit,
                                const char *command, size_t *length, struct cs_error *err);

CS_END_DECLS

#endif
