/* error.h - one way to fail, with words in it.
 *
 * A function that can fail returns 0, or -1 (NULL where it returns a pointer)
 * with one sentence in the caller's struct cs_error: it names the file, line,
 * field or task at fault, what was found and what would be right.  Such a
 * function changes nothing when it fails.  The library never prints and never
 * exits; a mistake of its own aborts, with a message on standard error.
 *
 * A mistake of the caller is an error too: an object that is NULL where nothing says
 * that it may be, an index past the end, a plan or a policy that does not go with the
 * instance.  Functions without a struct cs_error then give NULL, NaN, -1 or, where a
 * count is asked for, 0; those that return nothing do nothing.  The same holds when
 * memory runs out.  What nobody can look at is the caller's to see to: that an object
 * is alive, and that an array is as long as the count beside it.
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
    CS_ERROR_SYSTEM,  /* the operating system said no */
    CS_ERROR_MISSING, /* this build lacks a library */
    CS_ERROR_STOPPED, /* whoever watches said so (watch.h) */
    CS_ERROR_POLICY,  /* a policy of somebody else failed */
    CS_ERROR_MEMORY,  /* there is none left */
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
