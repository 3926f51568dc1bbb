/* conservative - backfilling of Mu'alem and Feitelson 2001: everybody has a reservation
 * from the decision after the arrival on, and starts then or earlier.
 *
 * R-LIST with m = all differs: it makes reservations anew when something ends early, and so breaks
 * promises.
 */
#include "rigid/textbook.h"

#include "rigid/general.h"

static const struct cs_rigid_policy *choose(const struct cs_rigid_instance *in, const double *param)
{
    (void)in;
    (void)param;
    return &cs_rigid_textbook_general;
}

static const struct cs_param params[] = {
    {
        .name = "compress",
        .kind = CS_PARAM_INTEGER,
        .fallback = "full",
        .choices = CS_RIGID_COMPRESS_CHOICES,
        .low = 0,
        .high = 1000000000,
        .summary = "who is moved when something ends early: all to the earliest (full), the first "
                   "so many and the others if they can start now, all if they can start now, none",
    },
    {0},
};

const struct cs_rigid_policy cs_rigid_policy_textbook = {
    .info =
        {
            .name = "conservative",
            .problem = "rigid",
            .summary = "conservative backfilling: a reservation for everybody, which is kept",
            .source = "Mu'alem and Feitelson 2001",
            .params = params,
        },
    .choose = choose,
};
