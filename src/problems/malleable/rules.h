/* rules.h - names of things, and the rules of a simulation. */
#ifndef CS_MALLEABLE_RULES_H
#define CS_MALLEABLE_RULES_H

#include "problems/malleable/malleable.h"

#define CS_MALLEABLE_PERIOD_FACTOR 0.5
#define CS_MALLEABLE_KAPPA 1.0
#define CS_MALLEABLE_HYSTERESIS 0.02

#endif
