/* known.h - what is proven of the optimum of an instance (docs/spec/science.md 12.2). */
#ifndef CS_MODEL_KNOWN_H
#define CS_MODEL_KNOWN_H

#include "base/json.h"
#include "base/jsonw.h"

/* Numbers that are null in the file are NaN. */
struct cs_known {
    double optimum, at_least, at_most;
    int procs;        /* of which this holds */
    int pack_size;    /* the same; 0: any */
    char problem[16]; /* the same; "": any */
    const char *text; /* the object as JSON; in the arena */
};

/* Read the key `known` of a file; *known stays as it is without one. -1 with err. */
int cs_known_get(const struct cs_json_at *root, const struct cs_known **known,
                 struct cs_arena *arena, struct cs_error *err);

/* The same object from its text. */
int cs_known_parse(const char *text, struct cs_known *known, struct cs_arena *arena,
                   struct cs_error *err);

/* The text of the object: all keys up to the name of the trap, whose numbers follow; the end. An
 * optimum that is NaN is null, as is most. */
void cs_known_open(struct cs_jsonw *w, double optimum, double least, double most, int procs,
                   const char *trap);
void cs_known_close(struct cs_jsonw *w, const char *why);

/* Write the key `known`. */
void cs_known_put(const struct cs_known *known, struct cs_jsonw *w);

#endif
