/* record.h - what the keeper of an attempt has written (src/keeper/keeper.c). */
#ifndef CS_RUN_RECORD_H
#define CS_RUN_RECORD_H

#include "run/run.h"

#include <stddef.h>

#define CS_RUN_RECORD_SLOTS 1000 /* bytes of a set of slots that fits a claim */

struct cs_run_end {
    bool ended;
    int status; /* as from wait(2) */
    int fault;  /* errno when it could not be started, at that stage (1 folder, 2 stdin, 3 stdout,
                   4 stderr, 5 cpus, 6 exec) */
    int stage;
    int session;              /* of the program; 0: not known */
    unsigned long long start; /* of its first process, as /proc/PID/stat has it */
    bool timed_out, asked;
    double began, at; /* seconds since 1970 */
    double cpu;       /* seconds */
    long rss;         /* KiB */
    int left;
};

struct cs_run_record {
    bool claimed, closed, empty; /* empty: its creator wrote "void", or has written no line yet */
    bool voided;                 /* the executor took the place of a missing keeper */
    char host[65], boot[64];
    int pid;
    unsigned long long start; /* of the keeper, as /proc/PID/stat has it */
    double claimed_at;
    char group[500];                 /* cgroup of the attempt; "": none */
    int64_t round;                   /* of the journal, in which it was started; 0: unknown */
    int task, try;                   /* then -1, 0 */
    char slots[CS_RUN_RECORD_SLOTS]; /* as "0-3 7"; "": too many for a record */
    bool verifies;                   /* a verification began */
    struct cs_run_end program, verify;
};

/* Read the bytes of a record, as far as they go; what is no line of a record is not looked at. */
void cs_run_record_read(const char *bytes, size_t size, struct cs_run_record *record);

/* The record in a file: 1 read, 0 missing, -1 with err. */
int cs_run_record_load(const char *path, struct cs_run_record *record, struct cs_error *err);

/* How the attempt ended, when the record is closed. */
enum cs_run_outcome cs_run_record_outcome(const struct cs_run_record *record);

#endif
