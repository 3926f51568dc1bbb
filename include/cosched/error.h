/* error.h - error messages and codes.
 *
 * A function that can fail returns 0, or -1 (NULL where it returns a pointer) with one message in
 * the caller's struct cs_error: it names the file, line, field or task, the value found and the
 * expected one. Such a function changes nothing when it fails. The library never prints and never
 * exits; a mistake of its own aborts, with a message on standard error.
 *
 * A mistake of the caller is an error too: an object that is NULL where this is not documented as
 * allowed, an index past the end, a plan or a policy of another instance. Functions without a
 * struct cs_error then return NULL, NaN, -1 or, for a count, 0; void functions have no effect. The
 * same holds when memory runs out. The caller is responsible for conditions that cannot be checked:
 * an object is alive, and an array is as long as its count.
 */
#ifndef COSCHED_ERROR_H
#define COSCHED_ERROR_H

/* Which functions the shared library shows. */
#if defined(__GNUC__)
#define CS_API __attribute__((visibility("default")))
#define CS_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define CS_API
#define CS_PRINTF(text, first)
#endif

#ifdef __cplusplus
#define CS_BEGIN_DECLS extern "C" {
#define CS_END_DECLS }
#else
#define CS_BEGIN_DECLS
#define CS_END_DECLS
#endif

CS_BEGIN_DECLS

#define CS_ERROR_SIZE 1024
#define CS_ERROR_WHERE 256

enum cs_error_kind {
    CS_ERROR_NONE,
    CS_ERROR_INPUT,   /* a file or a value is wrong */
    CS_ERROR_USAGE,   /* the call makes no sense: a mistake in the program that called */
    CS_ERROR_SYSTEM,  /* a call of the operating system failed */
    CS_ERROR_MISSING, /* this build lacks a library */
    CS_ERROR_STOPPED, /* stopped by the watch (watch.h) */
    CS_ERROR_POLICY,  /* an external policy failed */
    CS_ERROR_MEMORY,  /* out of memory */
};

/* Start with { 0 }: the first message wins, later ones are dropped. */
struct cs_error {
    char text[CS_ERROR_SIZE];
    enum cs_error_kind kind;    /* of the message, for programs */
    char where[CS_ERROR_WHERE]; /* the file that is wrong, or cannot be read, as it was named, cut
                                   at the end; "": none, or the message is all that is known */
    long line;                  /* of that file, from 1; 0: none */
};

/* Put the sentence into err (which may be NULL), cut at CS_ERROR_SIZE - 1 bytes, as CS_ERROR_INPUT.
 * Returns -1, so that a function can end with: return cs_error_set(err, ...);
 */
CS_API int cs_error_set(struct cs_error *err, const char *format, ...) CS_PRINTF(2, 3);

/* The same as an error of another kind. */
CS_API int cs_error_set_as(struct cs_error *err, enum cs_error_kind kind, const char *format, ...)
    CS_PRINTF(3, 4);

/* Put the message that `why` holds into err, with its kind and its place.  Returns -1. */
CS_API int cs_error_pass(struct cs_error *err, const struct cs_error *why);

/* Put "CONTEXT: " in front of the message that err already holds.  Returns -1. */
CS_API int cs_error_prefix(struct cs_error *err, const char *format, ...) CS_PRINTF(2, 3);

CS_END_DECLS

#endif
