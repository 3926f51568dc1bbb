/* checkpoint.h - how an application that saves its state is asked for it, and what it shows. */
#ifndef CS_RUN_CHECKPOINT_H
#define CS_RUN_CHECKPOINT_H

#include "base/arena.h"
#include "base/json.h"

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
    struct cs_run_texts saved;   /* files whose modification tells that state was saved */
    struct cs_run_texts restart; /* the words that {restart} stands for */
    const char *progress;        /* file, or NULL */
    const char *last;            /* regular expression of a line of it, or NULL */
    double of;                   /* what its first group is of */
    const char *done;            /* file that is there when it has finished, or NULL */
    int done_status;             /* that says the same; -1: none */
    double every;                /* seconds between two saves; 0: it is not asked */
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

#endif
