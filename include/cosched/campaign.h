/* campaign.h - campaigns: sweeps are run into a store, papers into files; stores of both are asked
 * how far they are and whether they are whole, and several are made into one.
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
    bool other_build;         /* go on with a store that has runs of another version, commit or
                                 compiler than this library's: results may differ */
    bool foreign;             /* the store may hold another campaign, to which this one is added */
    const char *command;      /* what the store says was called; NULL: "cs_campaign_run" */
};

struct cs_campaign_ran {
    int64_t runs;    /* that were asked for: of the shard, and with the conditions */
    int64_t lacking; /* of them, that the store did not have */
    int64_t done;    /* of those, that have been run */
};

/* Run what a store lacks of a sweep (docs/formats.md, "Experiment, JSON"), a file or, with `text`,
 * the name that it goes by; files of its parameters are named from its folder on.  The store is
 * made when it is missing; ":memory:" is kept by nobody.  Each run is stored as soon as it is
 * finished: stopped or killed and called again, it goes on where it was.
 *
 * The text is an object: "name" and "store", "runs" and "replicates" (asked for), "columns",
 * "rows", an array of values in the order of the columns for each combination that has run, and
 * "warnings", sentences.  A column has a "name" and a "kind": "axis" (what varies; "numbers" says
 * of which type), "runs", "mean" (of the "metric", over the replicates) and "confidence95" (half
 * the width of the interval of the mean); null: none.
 *
 * The watch may stop it, also in the middle of runs, and is warned of names of former releases; its
 * progress is that of runs that the store lacks, and 0 when the store is open.  `ran` (may be NULL)
 * is kept up to date while it lasts, and says on return how far it has come.  Policies that are
 * programs are refused unless COSCHED_PROGRAMS=run is in the environment.  NULL with err, "stopped"
 * when the watch wanted that: what is finished is in the store; the message of a run that failed
 * begins with its parameters. */
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
    const char *const *sbatch; /* words that whoever submits gives to sbatch too: what the merge
                                  says to type after a failure has them */
    int words;                 /* of `sbatch` */
    int tasks;                 /* elements of the array, 1 to 1000000; 0: 8 */
};

/* A sweep as an array of jobs for Slurm, whose element I runs shard I into the store
 * shard-I-of-N.db of the folder, and a job that merges these; and how far that has come.  Reads the
 * file of the sweep and the stores that are there; writes and submits nothing.
 *
 * The text is an object: "name"; "folder" and "store", absolute; "tasks"; "runs" of the sweep;
 * "lacking", of them, that the merged store does not have; "elements", how many shards are
 * unfinished; "unfinished", which these are, as `sbatch --array` takes them ("1-3,7"), null: none;
 * "array" and "merge", the scripts.  Options may be NULL.  NULL with err for a folder with shards
 * of another sweep or another number of tasks, for more tasks than runs, and as cs_campaign_run. */
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
    bool usual;              /* the papers are found there without being asked for: commands that
                                are written need not say where */
    bool quick;              /* fewer values and replicates: a first look */
    const char *input;       /* the file that papers need which cannot come along; NULL: none */
    const char *const *give; /* other values of parameters that papers do not vary,
                                "scenarios=100" */
    int supplied;            /* of `give` */
    bool seeded;             /* of all that is random is `seed`, not that of the paper's file */
    uint64_t seed;
    int threads;         /* 0: all that there are */
    const char *output;  /* the folder for files, made when it is missing; NULL: none are
                            written, and their texts are told */
    const char *store;   /* keeps every run as soon as it is finished; NULL: nothing does */
    bool other_build;    /* go on with a store that has runs of another version, commit or
                            compiler than this library's: results may differ */
    bool foreign;        /* the store may hold another campaign, to which this one is added */
    const char *command; /* what the store says was called; NULL: "cs_paper_run" */
};

struct cs_paper_ran {
    int papers;      /* that were asked for, without those that are skipped */
    int finished;    /* of them */
    int64_t lacking; /* runs of the one in hand (or the last), that the store did not have */
    int64_t done;    /* of those, that have been run */
    int64_t added;   /* runs of the finished ones, that the store did not have */
};

/* Compute figures and tables of papers again and compare them with what the papers state
 * (docs/papers.md).  A name is that of a paper ("pack/fig2"), of a folder of papers ("rigid") or
 * "all"; of the two latter, papers that lack what they need are skipped with a warning.  NAME.csv
 * (every value), NAME.svg, NAME.png (when the build can) and NAME.md (the claims) of each paper are
 * written when it is finished, with - for / in the name.
 *
 * The text is an object: "papers", a list of objects with "name", "place", "title", "citation",
 * "quick", "seed", "runs", "stem" (how its files begin), "summary" ("7 claims: 5 agree, 2 not
 * checked"), "warnings", "claims", and where no files are written "csv", "svg" and "markdown".
 * A claim has the "paper", its number ("claim", from 1), the "verdict" ("agrees", "agrees in part",
 * "does not agree", "undecided", "not checked"), the "text" of the paper, the "reading" that made a
 * number of it, a "remark", why it is "unchecked" (null: none), and "checks": a "label" of what is
 * compared, whether it is "counted" in the verdict of the claim, what was "found" with half the
 * width of its 95 % confidence interval, "confidence95", the "relation" ("<", "<=", ">", ">=",
 * "between") that it should have to "wanted" (and "to"), and the "verdict"; null: not in this run.
 *
 * Options may be NULL.  The watch may stop it, also in the middle of runs, and is warned of what is
 * skipped and of what runs warn of; its progress is that of the papers, and 0 when the store is
 * open.  `ran` (may be NULL) is kept up to date while it lasts.  NULL with err as of
 * cs_campaign_run: files of papers that were finished before are there. */
CS_API char *cs_paper_run(const char *const *names, int count,
                          const struct cs_paper_run_options *options, const struct cs_watch *watch,
                          struct cs_paper_ran *ran, struct cs_error *err);

/* How far each sweep and paper in so many stores has come, with the keys of `campaign status
 * --format json`: a list of objects, one for each of them
 * in each store, and after these one ("store": "all") where several stores have it.  "share" is
 * done / runs; times are seconds, "since" is universal time; null: not known.  NULL with err when
 * a store cannot be read. */
CS_API char *cs_campaign_status(const char *const *stores, int count, struct cs_error *err);

/* Read all of a store, and run so many cells of each campaign once more (0: none), evenly chosen,
 * on so many threads (0: all that there are): an object with the keys of `campaign verify --format
 * json`.  "verdict" is "whole", "damaged", or "not
 * run" when it is whole as far as it was read but `again` could not run; "why" is the sentence of
 * the two latter, else null.  The watch may stop it.  NULL with err when it was stopped, and for a
 * call that makes no sense. */
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

/* Add everything in so many stores to the target, which is made when it is missing.  Refused are
 * runs that two stores have with different values, targets that hold only other campaigns, and
 * missing stores and runs, unless the options (NULL: none) say otherwise.  The watch is warned of
 * what is missing; it cannot stop a merge, which is short.  `merged` may be NULL.  -1 with err:
 * nothing has changed. */
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
 * vary, replicate, seed, SHA-256 of the instance, metrics.  A finished campaign gives the same
 * bytes whatever happened to it on the way.  Options may be NULL.  The caller frees the text with
 * cs_free; *length is without the 0 at its end and may be NULL.  NULL with err, also when runs are
 * missing and `partial` does not say otherwise. */
CS_API char *cs_campaign_export(const char *store, const struct cs_campaign_export_options *options,
                                const struct cs_watch *watch, size_t *length, struct cs_error *err);

CS_END_DECLS

#endif
