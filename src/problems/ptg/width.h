/* width.h - how many processors a task may try: efficiency, and a ladder of widths. */
#ifndef CS_PTG_WIDTH_H
#define CS_PTG_WIDTH_H

/* The greatest width of at most `procs` whose parallel efficiency 1 / (alpha n + 1 - alpha) is at
 * least `efficiency`; 1 at least. */
int cs_ptg_width_efficient(double alpha, double efficiency, int procs);

/* low, then steps of an eighth (1 at least) up to and with high; none when low > high.  Fills
 * ladder[], unless NULL, and returns how many there are: at most CS_PTG_LADDER. */
#define CS_PTG_LADDER 192
int cs_ptg_width_ladder(int low, int high, int *ladder);

/* As many processors of this speed as `power` (flop/s) has, `most` at most; 0 or less when it has
 * none. */
int cs_ptg_width_within(double power, double speed, int most);

#endif
