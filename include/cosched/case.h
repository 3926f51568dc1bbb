/* case.h - any problem, by names and JSON: what the tool does, for programs in any language.
 *
 *     struct cs_case *c = cs_case_open("rigid", "simulate", "{\"input\": \"jobs.csv\", \"procs\": "
 *                                      "5000, \"policy\": \"easy,greedy\"}", NULL, &err);
 *
 *     if (c && !cs_case_run(c, NULL, &err))
 *         for (int way = 0; way < cs_case_variants(c); way++)
 *             cs_case_column(c, way, "makespan", makespan, cs_case_runs(c), &err);
 *     cs_case_close(c);
 *
 * What can be said of a problem (its parameters), what comes out (its values) and in which ways it
 * can be run (its policies) is told by cs_case_describe; docs/parameters.md has the same lists.
 * Names, units and defaults are those of the tool, and so are the numbers, to the last bit.
 *
 * Different cases may be used by several threads at the same time, one case by one at a time.
 */
#ifndef COSCHED_CASE_H
#define COSCHED_CASE_H

#include <cosched/error.h>
#include <cosched/picture.h>
#include <cosched/watch.h>
#include <stddef.h>

CS_BEGIN_DECLS

/* A problem and the options it was given. */
struct cs_case;

/* Problems as JSON: {"version": ..., "problems": [{"name", "summary", "source", "ways": keys,
 * "group": what runs of a way can come in, such as "set", "size": what is in one, both or none
 * null, "choices": [...], "groups": [...], "parameters": [...], "values": [...], "policies":
 * [...]},
 * ...]}, the three last lists as those of `cosched list NAME --parameters|--metrics --format json`.
 * A choice is an option by which policies are chosen: {"option", "heading", "policies": how many},
 * those of each choice stand together, in this order, before the priorities; a group of parameters
 * is {"heading", "parameters": how many} in the same way; a heading may be null.  NULL: every
 * problem.  The caller frees the text with cs_free.  NULL with err. */
CS_API char *cs_case_describe(const char *problem, struct cs_error *err);

/* Are these options of the problem, of their kinds and within limits, is none missing, and do they
 * go together?  Nothing is read.  `verb` is "plan", "simulate" or "generate".  -1 with err. */
CS_API int cs_case_check(const char *problem, const char *verb, const char *options,
                         struct cs_error *err);

/* Check the options, read or generate what they name, find the ways.  `verb` is "plan" or
 * "simulate"; `options` is a JSON object: keys are those of cs_case_describe, "input" is a path or
 * a list of paths; a text that is not UTF-8, such as a path, is {"bytes": [47, 255]}.  NULL with
 * err. */
CS_API struct cs_case *cs_case_open(const char *problem, const char *verb, const char *options,
                                    const struct cs_watch *watch, struct cs_error *err);
CS_API void cs_case_close(struct cs_case *c); /* NULL is fine */

/* What made it, a line, which files with its plans and runs then tell; a copy is kept.  NULL:
 * nothing.  -1 with err. */
CS_API int cs_case_set_command(struct cs_case *c, const char *command, struct cs_error *err);

/* Plan or simulate every run of every way; once, before anything below is asked.  A plan against
 * chance (malleable) has a schedule and no values.  -1 with err. */
CS_API int cs_case_run(struct cs_case *c, const struct cs_watch *watch, struct cs_error *err);

/* Ways of running, such as a policy with an order of jobs: how many, how many words tell them
 * apart, the key of a word ("policy") and the word of a way ("easy").  Past the end: NULL. */
CS_API int cs_case_variants(const struct cs_case *c);
CS_API int cs_case_keys(const struct cs_case *c);
CS_API const char *cs_case_key(const struct cs_case *c, int key);
CS_API const char *cs_case_word(const struct cs_case *c, int variant, int key);

/* The runs (scenarios) of each way; run r of one way befalls the same as run r of another. */
CS_API long cs_case_runs(const struct cs_case *c);

/* The runs of a way come in groups of the same number each, such as one for each day of a log: how
 * many groups (1: they are one), and the name of a group, with how much is in it (such as jobs) in
 * *size, which may be NULL; cs_case_describe tells what a group is called, and what is in it.  Past
 * the end: NULL. */
CS_API int cs_case_groups(const struct cs_case *c);
CS_API const char *cs_case_group(const struct cs_case *c, int group, long *size);

/* The values that some run has, once they have run; past the end: NULL. */
CS_API int cs_case_values(const struct cs_case *c);
CS_API const char *cs_case_value(const struct cs_case *c, int value);

/* A value of every run of a way, NaN where a run has none; `room` is that of `out`, at least
 * cs_case_runs.  What all runs have together stands in each of them.  -1 with err. */
CS_API int cs_case_column(const struct cs_case *c, int variant, const char *value, double *out,
                          long room, struct cs_error *err);

/* Figures over the runs of a way that have the value: mean, half the width of the 95 % confidence
 * interval of the mean, deviation, minimum, quantiles, maximum, in the order of cs_case_figure,
 * which names them ("mean", "confidence95", ...; NULL past the end).  NaN where there is none.  -1
 * with err. */
CS_API const char *cs_case_figure(int figure);
CS_API int cs_case_figures(const struct cs_case *c, int variant, const char *value, double *out,
                           int room, struct cs_error *err);

/* A value of a way against that of the reference, run by run, where both have it and it is
 * positive: pairs of runs, the geometric mean of the ratio of way to reference, the ends of its
 * 95 % confidence interval, and the share of pairs in which it is at most 1; NaN without pairs.
 * `room` of `out` is at least CS_CASE_PAIRINGS.  -1 with err. */
enum cs_case_pairing {
    CS_CASE_PAIRS,
    CS_CASE_OVER,
    CS_CASE_OVER_LOW,
    CS_CASE_OVER_HIGH,
    CS_CASE_WINS,
};
#define CS_CASE_PAIRINGS 5

CS_API int cs_case_compare(const struct cs_case *c, const char *value, int variant, int reference,
                           double *out, int room, struct cs_error *err);

/* What it came to, as `cosched plan` and `cosched simulate` tell it: "table" (also NULL), for
 * people, whose tables fit so many columns (0: they are as wide as they get); "json"; "csv"; or
 * "runs", CSV with a row for every run of every way.  The caller frees the text with cs_free;
 * *length is without the 0 at its end and may be NULL.  NULL with err. */
CS_API char *cs_case_text(const struct cs_case *c, const char *form, int columns, size_t *length,
                          struct cs_error *err);

/* One run as the text of a schedule file (cosched-schedule-1), which the caller frees with
 * cs_free; *length is without the 0 at its end and may be NULL.  The run is run once more for it,
 * unless it is the one that was asked for last; the watch may stop that.  NULL with err. */
CS_API char *cs_case_schedule(const struct cs_case *c, int variant, long run,
                              const struct cs_watch *watch, size_t *length, struct cs_error *err);

/* One run as a picture (SVG): hosts over time for volatile, applications for malleable, processors
 * for the others.  `how` may be NULL; where it has no title, subtitle or word for a processor the
 * picture has what suits.  Watch and text are as above.  NULL with err. */
CS_API char *cs_case_svg(const struct cs_case *c, int variant, long run,
                         const struct cs_picture_options *how, const struct cs_watch *watch,
                         size_t *length, struct cs_error *err);

/* One run as a table of its jobs, a row for every attempt, in the form of Batsim (CSV): of rigid
 * jobs that arrive.  Watch and text are as above.  NULL with err. */
CS_API char *cs_case_jobs(const struct cs_case *c, int variant, long run,
                          const struct cs_watch *watch, size_t *length, struct cs_error *err);

/* Write what the options say (verb "generate") to a file.  A watch that stops it leaves no file, or
 * the one that was there.  -1 with err. */
CS_API int cs_case_generate(const char *problem, const char *options, const char *path,
                            const struct cs_watch *watch, struct cs_error *err);

/* The text of a schedule file as a picture (SVG), so many pixels wide (0: what suits); freed with
 * cs_free.  NULL with err. */
CS_API char *cs_schedule_text_svg(const char *text, size_t size, int width, const char *title,
                                  size_t *length, struct cs_error *err);

/* What the checker says of the text of a schedule file, by what it declares; and when nothing is
 * wrong with that, by the `count` files that it was made from (judge.h; 0: none are given), as
 * JSON: {"verdict": "valid", "general" or
 * "not valid", "violations": [{"kind", "task", "time", "text"}], "total": all that there are,
 * "missing": why only the general rules could be applied, "note": what was not judged};
 * freed with cs_free.  NULL with err when it, or they, cannot be read. */
CS_API char *cs_schedule_text_check(const char *text, size_t size, const char *const *inputs,
                                    int count, struct cs_error *err);

CS_API const char *cs_version(void);
CS_API void cs_free(void *memory); /* NULL is fine */

CS_END_DECLS

#endif
