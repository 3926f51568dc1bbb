/* faults.h - failures of processors from a file.
 *
 * A list has a line "time,processor" for each failure, in any order: seconds from the start and a
 * number from 0 on; a header with these words, blank lines and comments (#) are allowed.
 *
 * The failure data of Los Alamos (LA-UR-05-7318) hold 22 systems, a row a failure of a node. One
 * system is taken; its nodes are the processors (a node fails as a whole), by their number
 * "nodenumz"; time 0 is midnight before its first failure. Rows without a node are left out and
 * counted.
 *
 * Files may be packed (gzip, xz) or standard input ("-").
 */
#ifndef CS_IO_FAULTS_H
#define CS_IO_FAULTS_H

#include "model/fault.h"

#include <cosched/error.h>
#include <stddef.h>

struct cs_faults {
    const char *kind; /* "list of failures" or "failure log" */
    size_t count;
    struct cs_fault *fault; /* by time, those of one time in the order of the file */
    long lines, skipped;    /* of the list, or of the system; those left out */
    int processors;         /* the largest number + 1; 0 for no failure */
    size_t room;            /* private */
};

/* `system` is the number of a system of Los Alamos, 0 for a list.  NULL with err. */
struct cs_faults *cs_faults_read(const char *path, int system, struct cs_error *err);

/* The same for bytes; `name` is for messages. */
struct cs_faults *cs_faults_read_memory(const char *name, const void *bytes, size_t size,
                                        int system, struct cs_error *err);

void cs_faults_destroy(struct cs_faults *faults); /* NULL is fine */

#endif
