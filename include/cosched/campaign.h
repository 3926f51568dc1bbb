/* campaign.h - campaigns: run sweeps into a store and papers into files; report the status of
 * stores, verify, merge and export them.
 *
 *     char *means = cs_campaign_run("sweep.json", "sweep.db", NULL, NULL, NULL, &err);
 *     char *table = cs_campaign_export("sweep.db", NULL, NULL, NULL, &err);
 *
 * A store is also what `cosched campaign run --store` and `paper run --store` write.  One process
 * and one thread runs into a store at a time; all others may be called meanwhile, and by several
 * threads at the same time.  Texts are JSON (UTF-8); the caller frees them with cs_free (case.h).
 */
#ifndef COSCHED_CAMPAIGN_H
#define COSCHED_CAMPAIGN_H

#include <cosched/error.h>
#include <cosched/watch.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

CS_BEGIN_DECLS

struct cs_campaign_run_options {
    size_t size;              /* sizeof(struct cs_campaign_run_options) */
    const char *text;         /* the sweep itself, JSON; NULL: it is read from the file */
    const char *const *where; /* only the runs in which what varies has this value, "policy=easy" or
                                 "replicate=0"; the same name again is an alternative */
    int conditions;           /* of `where` */
    int shard, shards;        /* only the shard-th (from 1) of so many shares; 0 and 0: all */
    int threads;              /* 0: all that there are */
    bool other_build;    /* accept a store that has runs of another version, commit or compiler than
                            this library's: results may differ */
    bool foreign;        /* the store may hold another campaign, to which this one is added */
    const char *command; /* command recorded in the store; NULL: "cs_campaign_run" */
};

struct cs_campaign_ran {
    int64_t runs;    /* requested: of the shard, and with the conditions */
    int64_t lacking; /* of them, that the store did not have */
    int64_t done;    /* of those, that have been run */
};

/* Run the cells of a sweep that a store lacks (docs/formats.md, "Experiment, JSON"), a file or,
 * with `text`, the name that it goes by; files of its parameters are named from its folder on. A
 * missing store is created; ":memory:" stores no file. Each run is stored as soon as it is
 * finished: after a stop or kill the next call resumes.
 *
 * The text is an object: "name" and "store", "runs" and "replicates" (requested), "columns",
 * "rows", an array of values in the order of the columns for each combination that has run, and
 * "warnings" (texts). A column has a "name" and a "kind": "axis" (a varied parameter; "numbers" is
 * its type), "runs", "mean" (of the "metric", over the replicates) and "confidence95" (half the
 * width of the interval of the mean); null if missing.
 *
 * The watch may stop it, also in the middle of runs, and is warned of names of former releases; its
 * progress is that of runs that the store lacks, and 0 when the store is open. `ran` (may be NULL)
 * is kept up to date while it lasts, and holds the progress on return. Policies that are programs
 * are rejected unless COSCHED_PROGRAMS=run is in the environment. NULL with err, "stopped" when the
 * watch stopped it: finished runs are in the store; the message of a run that failed begins with
 * its parameters. */
CS_API char *cs_campaign_run(const char *sweep, const char *store,
                             const struct cs_campaign_run_options *options,
                             const struct cs_watch *watch, struct cs_campaign_ran *ran,
                             struct cs_error *err);

struct cs_campaign_slurm_options {
    size_t size;        /* sizeof(struct cs_campaign_slurm_options) */
    const char *tool;   /* the program that jobs call; NULL: "cosched", which is then found */
    const char *folder; /* for scripts, shards and what jobs print; NULL: the sweep's name with
                           "-slurm" */
    const char *store;  /* where all runs are in the end; NULL: the sweep's name with ".db" */
    const char *const *sbatch; /* additional arguments of sbatch; the merge script prints them in
                                  the command that resumes after a failure */
    int words;                 /* of `sbatch` */
    int tasks;                 /* elements of the array, 1 to 1000000; 0: 8 */
};

/* A sweep as an array of jobs for Slurm, whose element I runs shard I into the store
 * shard-I-of-N.db of the folder, and a job that merges these; and the progress. Reads the file of
 * the sweep and the existing stores; writes and submits nothing.
 *
 * The text is an object: "name"; "folder" and "store", absolute; "tasks"; "runs" of the sweep;
 * "lacking", of them, that the merged store does not have; "elements", how many shards are
 * unfinished; "unfinished", their numbers in the syntax of `sbatch --array` ("1-3,7"), or null;
 * "array" and "merge", the scripts. Options may be NULL. NULL with err for a folder with shards of
 * another sweep or another number of tasks, for more tasks than runs, and as cs_campaign_run. */
CS_API char *cs_campaign_slurm(const char *sweep, const struct cs_campaign_slurm_options *options,
                               struct cs_error *err);

/* The papers below a folder, such as share/cosched/papers (NULL: those that are installed with this
 * library): a list of objects with "name" (such as
 * "pack/fig2"), "place" in the paper, "title", "runs" and "claims" (how many), "needs" (what has to
 * be given, "PARAMETER: WHAT" with semicolons between; "": nothing), "citation" and "file".  Sorted
 * by name.  `brief` is a list of the names alone, for which no file is read.  NULL with err when
 * there is no such folder or a file is no paper. */
CS_API char *cs_paper_list(const char *folder, bool brief, struct cs_error *err);

struct cs_paper_run_options {
    size_t size;             /* sizeof(struct cs_paper_run_options) */
    const char *folder;      /* where the papers are; NULL: those installed with this library */
    bool usual;              /* the default directory of papers: recorded commands omit it */
    bool quick;              /* fewer values and replicates: a first look */
    const char *input;       /* the file that papers need which cannot come along; NULL: none */
    const char *const *give; /* other values of parameters that papers do not vary,
                                "scenarios=100" */
    int supplied;            /* of `give` */
    bool seeded;             /* of all that is random is `seed`, not that of the paper's file */
    uint64_t seed;
    int seeds;           /* so many from it on, pooled; 0: one */
    int threads;         /* 0: all that there are */
    const char *output;  /* the directory for files, created if missing; NULL: no files, the texts
                            are returned */
    const char *store;   /* stores every run as soon as it is finished; NULL: no store */
    bool other_build;    /* accept a store that has runs of another version, commit or compiler than
                            this library's: results may differ */
    bool foreign;        /* the store may hold another campaign, to which this one is added */
    const char *command; /* command recorded in the store; NULL: "cs_paper_run" */
};

struct cs_paper_ran {
    int papers;      /* requested, without skipped ones */
    int finished;    /* of them */
    int64_t lacking; /* runs of the one in hand (or the last), that the store did not have */
    int64_t done;    /* of those, that have been run */
    int64_t added;   /* runs of the finished ones, that the store did not have */
};

/* Compute figures and tables of papers again and compare them with what the papers state
 * (docs/papers.md).  A name is that of a paper ("pack/fig2"), of a folder of papers ("rigid") or
 * "all"; of the two latter, papers with missing requirements are skipped with a warning.  NAME.csv
 * (every value), NAME.svg, NAME.png (when the build can) and NAME.md (the claims) of each paper are
 * written when it is finished, with - for / in the name.
 *
 * The text is an object: "papers", a list of objects with "name", "place", "title", "citation",
 * "quick", "seed", "runs", "stem" (how its files begin), "summary" ("7 claims: 5 agree, 2 not
 * checked"), "warnings", "claims", and where no files are written "csv", "svg" and "markdown". A
 * claim has the "paper", its number ("claim", from 1), the "verdict" ("agrees", "agrees in part",
 * "does not agree", "undecided", "not checked") and the same as "words" for people, with several
 * "seeds" how many of them have this verdict alone ("4 of 5"), "stand_in"
 * (its input is invented: not counted), the numbers "checks_counted",
 * "checks_agree", "checks_differ" and "checks_open", the "text" of the paper, the "reading" that
 * made a number of it, a "remark", why it is "unchecked" (or null), and "checks": a "label",
 * whether it is "counted" in the verdict of the claim, the value "found" with half the width of its
 * 95 % confidence interval, "confidence95", the expected "relation" ("<", "<=", ">", ">=",
 * "between") to "wanted" (and "to"), and the "verdict"; null: not in this run. Where a paper has a
 * second column of values, a claim has its "second_title" and a check its value "second".
 *
 * Options may be NULL. The watch may stop it, also in the middle of runs, and receives warnings of
 * skipped papers and of runs; its progress is that of the papers, and 0 when the store is open.
 * `ran` (may be NULL) is kept up to date while it lasts. NULL with err as of cs_campaign_run: files
 * of papers that finished before are kept. */
CS_API char *cs_paper_run(const char *const *names, int count,
                          const struct cs_paper_run_options *options, const struct cs_watch *watch,
                          struct cs_paper_ran *ran, struct cs_error *err);

/* The progress of each sweep and paper in `count` stores, with the keys of `campaign status
 * --format json`: a list of objects, one for each of them in each store, and after these one
 * ("store": "all") where several stores have it. "share" is done / runs; times are seconds, "since"
 * is universal time; null if unknown. NULL with err when a store cannot be read. */
CS_API char *cs_campaign_status(const char *const *stores, int count, struct cs_error *err);

/* Read all of a store, and repeat `again` cells of each campaign (0: none), evenly chosen, on
 * `threads` threads (0: all processors): an object with the keys of `campaign verify --format
 * json`. "verdict" is "whole", "damaged", or "not run" when it is whole as far as it was read but
 * `again` could not run; "why" is the reason for the two latter, else null. The watch may stop it.
 * NULL with err when it was stopped, and for an invalid call. */
CS_API char *cs_campaign_verify(const char *store, int again, int threads,
                                const struct cs_watch *watch, struct cs_error *err);

struct cs_campaign_merge_options {
    size_t size;      /* sizeof(struct cs_campaign_merge_options) */
    bool partial;     /* stores and runs may be missing */
    bool other_build; /* also runs of other versions, commits and compilers than this library's */
    bool foreign;     /* the target may hold another campaign, to which this one is added */
};

struct cs_campaign_merged {
    int64_t runs;  /* that the stores have, those that several have counted once */
    int64_t added; /* of them, not in the target before */
};

/* Add all of `count` stores to the target, which is created if missing. Runs with different values
 * in two stores, targets that hold only other campaigns, and missing stores and runs are rejected
 * unless the options (may be NULL) allow them. The watch is warned of what is missing; it cannot
 * stop a merge, which is short. `merged` may be NULL. -1 with err: nothing has changed. */
CS_API int cs_campaign_merge(const char *const *stores, int count, const char *target,
                             const struct cs_campaign_merge_options *options,
                             const struct cs_watch *watch, struct cs_campaign_merged *merged,
                             struct cs_error *err);

struct cs_campaign_export_options {
    size_t size;          /* sizeof(struct cs_campaign_export_options) */
    const char *document; /* a sweep or paper by its name, or by the beginning of its SHA-256; NULL:
                             the only one */
    const char *metrics;  /* names with commas between; NULL: those of the sweep, or of a paper all
                             that are no measured times */
    bool json;            /* an array of objects; else CSV with a header */
    bool partial;         /* leave out runs that are missing, of which the watch is warned */
};

/* The runs of a campaign as a tidy table, a row a run, at one moment of the store: parameters that
 * vary, replicate, seed, SHA-256 of the instance, metrics. A finished campaign gives the same bytes
 * regardless of threads, interruptions and shards. Options may be NULL. The caller frees the text
 * with cs_free; *length is without the 0 at its end and may be NULL. NULL with err, also when runs
 * are missing and `partial` is not set. */
CS_API char *cs_campaign_export(const char *store, const struct cs_campaign_export_options *options,
                                const struct cs_watch *watch, size_t *length, struct cs_error *err);

struct cs_campaign_compare_options {
    size_t size;           /* sizeof(struct cs_campaign_compare_options) */
    const char *by;        /* the parameter that is compared; NULL: the policy, or the only one that
                              varies */
    const char *reference; /* one of its values; NULL: the first */
    const char *metrics;   /* names with commas between; NULL: as cs_campaign_export */
    const char *better;    /* "smaller", "larger"; NULL: as usual for the metric */
    double confidence;     /* below 1; 0: 0.95 */
    bool all_pairs;        /* all pairs of values, instead of the reference with each */
    const char *const *where; /* only these runs, "NAME=VALUE", */
    int conditions;           /* so many */
    const char *document;     /* as cs_campaign_export */
    bool partial;             /* runs may be missing */
    bool other_instances;     /* runs that are compared may have had different random input */
    bool diagram; /* the critical-difference diagram of the first metric as SVG, instead of JSON */
};

/* Paired differences of the runs of a campaign, replicate by replicate: means, Student's and
 * jackknife intervals, Wilcoxon's signed ranks with Holm's adjustment, and for three or more values
 * Friedman's test with Nemenyi's critical difference (docs/spec/science.md, section 7): JSON with
 * the keys of `campaign compare --format json`. Options may be NULL. The caller frees the text with
 * cs_free. NULL with err: nothing varies, an unknown name, a missing run, or pairs with different
 * instances. */
CS_API char *cs_campaign_compare(const char *store,
                                 const struct cs_campaign_compare_options *options,
                                 struct cs_error *err);

CS_END_DECLS

#endif
