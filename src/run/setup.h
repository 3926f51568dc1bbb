/* setup.h - the definition of a run: run file and input.
 *
 * The same bytes give the same setup, at the start and at every resume: the journal stores them, so
 * no other file is needed.
 */
#ifndef CS_RUN_SETUP_H
#define CS_RUN_SETUP_H

#include "base/arena.h"
#include "base/json.h"
#include "model/schedule.h"
#include "problems/malleable/malleable.h"

#include <cosched/error.h>

#include <stdbool.h>

struct cs_run_texts {
    int count;
    const char *const *text;
};

/* A way to ask an application for something. */
struct cs_run_ask {
    int signal;                  /* 0: by the others */
    const char *to;              /* the processes of this name, instead of the process group */
    const char *file, *text;     /* a file that is made with this text */
    struct cs_run_texts command; /* that is run */
};

/* Texts are templates (template.h). */
struct cs_run_checkpoint {
    struct cs_run_ask stop, save;
    struct cs_run_texts saved;   /* files whose modification indicates a save */
    struct cs_run_texts restart; /* the words of {restart} */
    const char *progress;        /* file, or NULL */
    const char *last;            /* regular expression of a line of it, or NULL */
    double of;                   /* what its first group is of */
    const char *done;            /* file that is there when it has finished, or NULL */
    int done_status;             /* with the same meaning; -1: none */
    double every;                /* seconds between two saves; 0: no requests */
    bool young;                  /* by Young's formula instead */
    double grace;                /* seconds that saving may take */
    double stall;                /* seconds without progress after a restart; 0: any */
};

static inline bool cs_run_ask_is_there(const struct cs_run_ask *ask)
{
    return ask->signal || ask->file || ask->command.count;
}

/* Read the object over what is there.  -1 with err. */
int cs_run_checkpoint_read(const struct cs_json_at *at, struct cs_arena *arena,
                           struct cs_run_checkpoint *checkpoint, struct cs_error *err);

/* For readers of settings: a text, or a list of at least so many, if the key is there. */
int cs_run_read_text(const struct cs_json_at *at, const char *key, struct cs_arena *arena,
                     const char **out, struct cs_error *err);
int cs_run_read_texts(const struct cs_json_at *at, const char *key, size_t least,
                      struct cs_arena *arena, struct cs_run_texts *out, struct cs_error *err);
int cs_run_read_seconds(const struct cs_json_at *at, const char *key, double *out,
                        struct cs_error *err);

/* A variable of the environment; a NULL value removes it. */
struct cs_run_variable {
    const char *name, *value; /* a template */
};

/* Settings of a task; texts are templates (template.h). */
struct cs_run_settings {
    struct cs_run_texts command;  /* program first */
    struct cs_run_texts launcher; /* before the command */
    bool launches;                /* the launcher was given, though it may be empty */
    struct cs_run_texts verify;
    struct cs_run_texts produces;
    double timeout;      /* seconds, or times the expected time; 0: none */
    bool timeout_scales; /* the latter */
    double grace, delay; /* seconds */
    int retries, max_corrupt;
    int variables;
    const struct cs_run_variable *variable;
    const char *cwd, *in, *out, *err; /* NULL: the default */
    int tasks_per_slot, cpus_per_task;
    double memory;                              /* bytes of each process; 0: unset */
    const struct cs_run_checkpoint *checkpoint; /* NULL: it does not save its state */
    bool waits; /* for what the program leaves behind, instead of killing it */
    bool paths; /* names and columns may have "/" within paths */
};

struct cs_run_task {
    const char *name;
    int procs;
    double expected; /* seconds of an attempt */
    int group;       /* in the plan, such as its pack; -1: none */
    const struct cs_run_settings *settings;
};

/* Which slots are wanted. */
struct cs_run_wanted {
    int count;        /* 0: as many as there are */
    const char *cpus; /* such as "0-7", or NULL */
    int cpus_per_slot;
    bool threads, pin, oversubscribe, by_cpu;
    double rate; /* steps a second, engine slurm */
};

struct cs_run_setup {
    const char *file, *folder; /* the run file as messages call it; what paths are relative to */
    const char *decide, *policy, *priority, *engine;
    bool barrier;
    bool strict;   /* warnings about the input are errors */
    int halt;      /* after so many failed tasks nothing more starts; 0: never */
    bool halt_now; /* and what runs is stopped */
    struct cs_run_wanted wanted;
    int tasks;
    const struct cs_run_task *task;
    int columns; /* further columns of the input */
    const char *const *column;
    const char *const *const *cell;  /* [column][task] */
    const double *seconds;           /* queue: by task */
    const int *procs;                /* queue: by task */
    struct cs_schedule_file *plan;   /* follow, else NULL */
    struct cs_workload *workload;    /* resize, else NULL */
    struct cs_malleable_rules rules; /* resize */
    double mtbf;                     /* of a slot; resize */
    bool pairs;                      /* slots are given and taken in twos; resize */
    const char *remark;              /* a warning about the input; NULL or "": none */
    bool old_names; /* a run of cosched 0.2: directories of tasks as it made them */
    void *names;    /* private */
};

/* Read a run file (an object) and the bytes of its input.  All lives in the arena, but for the
 * plan, which release destroys.  -1 with err. */
int cs_run_setup_read(const struct cs_json_at *root, const char *folder, const char *input,
                      const void *bytes, size_t size, struct cs_arena *arena,
                      struct cs_run_setup *setup, struct cs_error *err);
void cs_run_setup_release(struct cs_run_setup *setup);

/* The key "paths" of a run file or of settings: "allow" or "reject". */
int cs_run_read_paths(const struct cs_json_at *at, bool *allowed, struct cs_error *err);

/* Read the settings in an object over those that are there. */
int cs_run_settings_read(const struct cs_json_at *at, struct cs_arena *arena,
                         struct cs_run_settings *settings, struct cs_error *err);

/* Would the task, started now, be over before the run must end, or can it save its state? */
bool cs_run_setup_ends_by(const struct cs_run_setup *setup, int task, double now, double limit);

/* The problem and the policy in its schedule files. */
const char *cs_run_setup_problem(const struct cs_run_setup *setup);
const char *cs_run_setup_policy(const struct cs_run_setup *setup, struct cs_arena *arena);

#endif
