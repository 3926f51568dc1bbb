/* hosts.h - a file of hosts as an instance, and an instance as a file of hosts. */
#ifndef CS_VOLATILE_HOSTS_H
#define CS_VOLATILE_HOSTS_H

#include "io/hosts.h"
#include "problems/volatile/study.h"

/* The instance of a scenario; hosts without a chain get that of their trace's first `history`
 * slots (0: all of it), and with `fitted` all hosts that have a trace do.  NULL with err. */
struct cs_volatile_instance *cs_volatile_from_scenario(const struct cs_hosts *scenario, bool fitted,
                                                       int64_t history, struct cs_error *err);

/* The scenario of an instance, without traces; its texts are those of the instance.  The caller
 * destroys it. */
struct cs_hosts *cs_hosts_from_volatile(const struct cs_volatile_instance *instance);

#endif
