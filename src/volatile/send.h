/* send.h - what hosts have, and what the master sends them in a slot.
 *
 * Candidates are members that are up and need something: those with a message that is partly there
 * come first, then the lowest index.  The first `transfers` of them are served.  The program comes
 * before data, and messages come one at a time.  What is left of the master's bound may go to hosts
 * outside the configuration (prefetch): they get the program, the host that would be best alone
 * first (rising -m w log P+), and then data.
 */
#ifndef CS_VOLATILE_SEND_H
#define CS_VOLATILE_SEND_H

#include "volatile/policy.h"
#include "volatile/view.h"

/* All hosts in a run; see struct cs_volatile_view. */
struct cs_volatile_fleet {
    const struct cs_volatile_instance *in;
    unsigned char *state;
    int64_t *since; /* slot in which a host that is up came up */
    int *program, *got, *part;
    int *tasks, *member, members;
    int *touched, touches; /* hosts of which something has changed since it was settled, */
    bool *is_touched;      /* and by host: is it among them? */
    int64_t stamp; /* goes up when another host is up, or a host that may be up has other things */
};

void cs_volatile_fleet_init(struct cs_volatile_fleet *fleet, const struct cs_volatile_instance *in,
                            struct cs_arena *arena);
/* `age`, by host: slots that it has been up before slot 0, or NULL. */
void cs_volatile_fleet_begin(struct cs_volatile_fleet *fleet, const unsigned char *first,
                             const int64_t *age);

/* Something of a host has changed, in the eyes of a policy. */
static inline void cs_volatile_fleet_touch(struct cs_volatile_fleet *fleet, int host)
{
    if (!fleet->is_touched[host])
        fleet->touched[fleet->touches++] = host;
    fleet->is_touched[host] = true;
}

/* The policy has seen it all. */
void cs_volatile_fleet_settle(struct cs_volatile_fleet *fleet);

/* A host that is down has nothing. */
void cs_volatile_fleet_lose(struct cs_volatile_fleet *fleet, int host);

/* An iteration has ended: nobody has data. */
void cs_volatile_fleet_forget_data(struct cs_volatile_fleet *fleet);

struct cs_volatile_sending {
    const struct cs_volatile_instance *in;
    enum cs_volatile_prefetch prefetch;
    int *order;          /* of prefetching */
    int *host;           /* that receive something in this slot */
    int *late;           /* room: members that nothing has been sent to yet */
    int count, enrolled; /* the first `enrolled` of them are members */
};

void cs_volatile_sending_init(struct cs_volatile_sending *sending,
                              const struct cs_volatile_instance *in,
                              enum cs_volatile_prefetch prefetch, struct cs_arena *arena);

/* Nobody receives anything yet. */
void cs_volatile_sending_begin(struct cs_volatile_sending *sending);

/* Serve members; true when any of them needs something, served or not. */
bool cs_volatile_sending_serve(struct cs_volatile_sending *sending,
                               const struct cs_volatile_fleet *fleet);

/* Serve others. */
void cs_volatile_sending_prefetch(struct cs_volatile_sending *sending,
                                  const struct cs_volatile_fleet *fleet);

/* Serve the program to these hosts, which are not members, in this order. */
void cs_volatile_sending_spares(struct cs_volatile_sending *sending,
                                const struct cs_volatile_fleet *fleet, const int *host, int hosts);

/* At most `slots`, so that no message ends before the last of them. */
int64_t cs_volatile_sending_least(const struct cs_volatile_sending *sending,
                                  const struct cs_volatile_fleet *fleet, int64_t slots);

/* So many slots go by, no more than that. */
void cs_volatile_sending_advance(struct cs_volatile_sending *sending,
                                 struct cs_volatile_fleet *fleet, int64_t slots);

/* A host leaves the configuration: what does it keep? */
void cs_volatile_sending_dismiss(const struct cs_volatile_sending *sending,
                                 struct cs_volatile_fleet *fleet, int host);

/* P, D for members that receive, p, d for others. */
void cs_volatile_sending_letters(const struct cs_volatile_sending *sending,
                                 const struct cs_volatile_fleet *fleet, char *act);

#endif
