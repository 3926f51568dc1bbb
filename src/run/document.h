/* document.h - from what the user gives to one run file and its input. */
#ifndef CS_RUN_DOCUMENT_H
#define CS_RUN_DOCUMENT_H

#include "base/arena.h"
#include "base/json.h"

struct cs_run_document {
    struct cs_hold held;    /* of what follows */
    json_t *json;           /* a run file */
    const char *file;       /* its name in messages */
    const char *folder;     /* what its paths are relative to, absolute */
    const char *input;      /* path of the input */
    struct cs_strbuf bytes; /* of the input */
};

/* Open a run file, or a plan or a list of jobs, for which an empty one is made.  `group`: others of
 * the group may write to it.  -1 with err.  Release it in any case. */
int cs_run_document_open(const char *path, bool group, struct cs_arena *arena,
                         struct cs_run_document *document, struct cs_error *err);
void cs_run_document_release(struct cs_run_document *document); /* NULL is fine */

/* Set a key of the run file, or one in an object of it; takes the value, NULL where there was no
 * memory for it. */
void cs_run_document_set(struct cs_run_document *document, const char *object, const char *key,
                         json_t *value);

/* Programs become paths, now and for good: PATH is not searched again. */
void cs_run_document_resolve(struct cs_run_document *document);

#endif
