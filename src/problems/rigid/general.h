/* general.h - forms of policies for any machine, and for orders that change with time. */
#ifndef CS_RIGID_GENERAL_H
#define CS_RIGID_GENERAL_H

#include "problems/rigid/policy.h"
#include "problems/rigid/urgency.h"

extern const struct cs_rigid_policy cs_rigid_list_general;
extern const struct cs_rigid_policy cs_rigid_easy_general;
extern const struct cs_rigid_policy cs_rigid_textbook_general;

#endif
