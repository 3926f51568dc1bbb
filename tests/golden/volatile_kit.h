/* volatile_kit.h - golden cases of fleets, which spec/volatile.md, Part III adds. */
#ifndef CS_TESTS_GOLDEN_VOLATILE_KIT_H
#define CS_TESTS_GOLDEN_VOLATILE_KIT_H

#include "model/fleet.h"

#include <jansson.h>

/* The kinds fleet-read, laws, fleet and deadline. */
int golden_fleet_read(const json_t *json, struct cs_error *err);
int golden_fleet_laws(const json_t *json, struct cs_error *err);
int golden_fleet_run(const json_t *json, struct cs_error *err);
int golden_fleet_deadline(const json_t *json, struct cs_error *err);

/* The hosts of a case as a fleet in slots of one second. */
struct cs_fleet *golden_fleet(const json_t *json, struct cs_error *err);

int golden_int(const json_t *object, const char *key);
double golden_real(const json_t *object, const char *key);

/* Is `got` the expected number to this relative tolerance? */
int golden_close(const json_t *want, double got, double tolerance, const char *what,
                 struct cs_error *err);

#endif
