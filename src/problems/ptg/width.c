/* width.c - candidate widths of a task.
 *
 * Source: spec/ptg.md III.1, `efficient` and `ladder`.
 *
 * Idea: planners do not try every width.  They try a ladder whose steps are an eighth of the width
 * (at least 1), which is every width up to 16 and 8 + 8 ln(p / 8) widths up to p: 29 for 120.
 *
 * Invariants
 *   - the ladder rises strictly, begins with low and ends with high; it is empty when low > high.
 *   - CS_PTG_LADDER is enough for any int: 8 + 8 ln(2^31 / 8) is 164.
 *   - the largest efficient width is in 1 .. procs.
 *
 * Constants: the eighth is from spec/ptg.md III.1, half and double not measured; 1e-9 is for
 * rounding.
 */
#include "problems/ptg/width.h"

#include <math.h>

int cs_ptg_width_efficient(double alpha, double efficiency, int procs)
{
    double most;

    if (!(alpha > 0) || !(efficiency > 0))
        return procs;
    most = floor(1 + (1 / efficiency - 1) / alpha + 1e-9);
    if (!(most < procs))
        return procs;
    return most < 1 ? 1 : (int)most;
}

int cs_ptg_width_ladder(int low, int high, int *ladder)
{
    int count = 0;

    if (low > high)
        return 0;
    for (int n = low; n<high; n += n / 8> 1 ? n / 8 : 1) {
        if (ladder)
            ladder[count] = n;
        count++;
        if (n > high - n / 8)
            break;
    }
    if (ladder)
        ladder[count] = high;
    return count + 1;
}

int cs_ptg_width_within(double power, double speed, int most)
{
    double procs = floor(power / speed * (1 + 1e-9));

    return procs < most ? (int)fmax(procs, 0) : most;
}
