/* file.h - whole files. */
#ifndef CS_BASE_FILE_H
#define CS_BASE_FILE_H

#include "base/arena.h"
#include "base/guard.h"
#include "base/strbuf.h"

#include <cosched/error.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* File systems that machines of a network share. */
/* Is the file (or folder) on one?  There SQLite needs a rollback journal, because WAL needs memory
 * that all share who have the file open.  Always, when COSCHED_STORE_JOURNAL=delete is in the
 * environment, for tests.  What does not exist is on none. */
bool cs_remote_is(const char *path);

#define CS_FILE_LARGEST ((size_t)1 << 30)

/* Append all of a file ("-": standard input), unpacked when it is gzip or xz.  More than `limit`
 * bytes are refused.  When it fails, `out` is as before. */
int cs_file_read(const char *path, size_t limit, struct cs_strbuf *out, struct cs_error *err);

/* The first `most` bytes of a regular file of at least `least` bytes, unpacked; false for another
 * file, and when they cannot be read. */
bool cs_file_read_start(const char *path, size_t least, size_t most, struct cs_strbuf *out);

/* Make the file hold exactly these bytes: they are written to a new file in the same directory,
 * which then replaces it, so readers never see a partial file and a failure leaves the old one.
 * Devices and pipes are written directly; a symbolic link stays a link. "-" is standard output;
 * control characters are escaped on a terminal. */
int cs_file_write(const char *path, const char *bytes, size_t length, struct cs_error *err);

/* The same for what is too long for memory: `fill` writes it with cs_file_put() and returns -1
 * with `errno` where it cannot. */
int cs_file_fill(const char *path, int (*fill)(void *who, int fd), void *who, struct cs_error *err);
int cs_file_put(int fd, const char *bytes, size_t length);

/* A text that is passed on in pieces while it grows, so that memory holds one of them. */
struct cs_spill {
    struct cs_strbuf *out;
    int (*put)(void *who, const char *bytes, size_t length); /* -1 with errno; NULL: it stays */
    void *who;
    int error; /* errno of the first failure, after which the rest is dropped */
};

#define CS_SPILL_PIECE ((size_t)256 << 10)

/* To a file that is open; fd < 0: it stays in memory. */
struct cs_spill cs_spill_to(struct cs_strbuf *out, int fd);

/* Pass on what is longer than `most`: CS_SPILL_PIECE after each line or value, 0 at the end. */
void cs_spill_some(struct cs_spill *spill, size_t most);

/* The first bytes, `size` at most; how many, or -1 with `errno`.  No memory is needed. */
ssize_t cs_file_head(const char *path, void *bytes, size_t size);

/* Close it where memory runs out, or at cs_release (guard.h). */
void cs_file_hold(struct cs_hold *hold, int fd);

/* The same of the folder that opendir() has opened; NULL is fine. */
void cs_folder_hold(struct cs_hold *hold, void *folder);

/* Make this directory and those above it, where they are missing. */
int cs_file_make_directories(const char *path, struct cs_error *err);

/* Is it a directory, and no document in memory? */
bool cs_file_is_folder(const char *path);

/* The regular files in a directory and in those below it, *count of them, sorted by path; names
 * that begin with a point are left out. Texts are in the arena. -1 with err. */
int cs_file_list(const char *folder, struct cs_arena *arena, const char *const **files, int *count,
                 struct cs_error *err);

/* Give a file, which is on the disk then, the name of another in the same folder, which it
 * replaces.
 */
int cs_file_rename(const char *from, const char *to, struct cs_error *err);

#endif
