/* faults_build.h - for the readers of failures only. */
#ifndef CS_IO_FAULTS_BUILD_H
#define CS_IO_FAULTS_BUILD_H

#include "io/faults.h"

#include <stdbool.h>

/* The latest time of a failure, in seconds: thirty million years. */
#define CS_FAULTS_LATEST 1e15

void cs_faults_add(struct cs_faults *faults, const struct cs_fault *fault);

/* Is this the failure data of Los Alamos? */
bool cs_faults_is_lanl(const char *bytes, size_t size);

/* Add the failures of one system.  The bytes are changed.  -1 with err. */
int cs_faults_read_lanl(struct cs_faults *faults, const char *name, char *bytes, size_t size,
                        int system, struct cs_error *err);

#endif
