/* template.h - what the words of templates stand for, in an attempt. */
#ifndef CS_RUN_TEMPLATE_H
#define CS_RUN_TEMPLATE_H

#include "base/strbuf.h"
#include "run/engine.h"

#include <cosched/error.h>

#include <stdbool.h>
#include <stddef.h>

/* Gives the value of a word: appends it and returns 1; 0 when there is no such word; -1 with err
 * when it cannot be had. */
typedef int cs_run_word_f(void *who, const char *word, size_t length, struct cs_strbuf *out,
                          struct cs_error *err);

struct cs_run_values {
    const struct cs_run_setup *setup;
    const char *folder; /* of the run, absolute */
    const struct cs_run_slot *slot;
    int task, try, count;
    int64_t attempt;
    const int *held; /* count slots */
    bool restarts;   /* {restart} stands for its words */
    bool makes;      /* folders and files that words stand for */
};

/* A cs_run_word_f for a struct cs_run_values. */
int cs_run_values_get(void *values, const char *word, size_t length, struct cs_strbuf *out,
                      struct cs_error *err);

/* Append the text of a template; -1 with err, which names the task. */
int cs_run_values_expand(struct cs_run_values *values, const char *text, struct cs_strbuf *out,
                         struct cs_error *err);

/* The same of a path: relative ones are below the folder of the setup. */
int cs_run_values_path(struct cs_run_values *values, const char *text, struct cs_strbuf *out,
                       struct cs_error *err);

/* Append the texts, one argument each, to a list. */
int cs_run_values_list(struct cs_run_values *values, const struct cs_run_texts *texts,
                       struct cs_run_list *out, struct cs_error *err);

/* The newest of the files that indicate a save of the task, which has a checkpoint, or the first if
 * none exists; *changed is its modification time (seconds since 1970) or -INFINITY. */
int cs_run_values_saved(struct cs_run_values *values, struct cs_strbuf *path, double *changed,
                        struct cs_error *err);

/* When a file was modified, seconds since 1970; false when it is not there. */
bool cs_run_file_modified(const char *path, double *seconds);

/* "RUN/a/000", and in it "000001.ENDING" */
void cs_run_attempt_folder(const char *folder, int64_t attempt, struct cs_strbuf *out);
void cs_run_attempt_path(const char *folder, int64_t attempt, const char *ending,
                         struct cs_strbuf *out);

/* The names of the hosts of some slots, commas between them; and how many there are. */
int cs_run_put_hosts(const struct cs_run_slot *slot, const int *held, int count,
                     struct cs_strbuf *out);

/* The slots as a set, "0-3 7". */
void cs_run_put_slots(const int *held, int count, struct cs_strbuf *out);

#endif
