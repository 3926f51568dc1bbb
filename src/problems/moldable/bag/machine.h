/* machine.h - what tasks need and what the machine has become a general or a plain bag (spec/bag.md
 * 2.5, 3, 12.1). */
#ifndef CS_MOLDABLE_BAG_MACHINE_H
#define CS_MOLDABLE_BAG_MACHINE_H

#include "base/arena.h"
#include "base/strbuf.h"
#include "model/modes.h"

#include <cosched/error.h>
#include <cosched/workload.h>
#include <stdbool.h>

/* The machine beyond its processors, as options have it; NULL: not given. */
struct cs_bag_machine {
    int procs;
    int nodes;    /* 0: not given */
    bool by_node; /* each processor is a node, unless there are `nodes` */
    bool general; /* the bag is one in any case */
    double margin;
    const char *resource; /* lines or commas: NAME=AMOUNT[/node|/proc] */
    const char *budget;   /* lines or commas: [NAME=]AMOUNT */
    const char *capacity; /* a table of windows: from,to,resource,less */
};

/* Combine both.  *out: NULL if the workload is planned unchanged; else one without modes, of
 * the counts that are left of a plain bag; or one whose modes are those that tasks may take, with
 * capacities, budgets and dates.  *remark: lines for people, or "", in the arena.  -1 with err. */
int cs_bag_machine_apply(const struct cs_workload *workload, const struct cs_bag_machine *machine,
                         struct cs_workload **out, const char **remark, struct cs_arena *arena,
                         struct cs_error *err);

/* Append a time as 6:10 or 6:10:30. */
void cs_bag_put_clock(struct cs_strbuf *out, double seconds);

/* Append an amount: bytes of memory with a unit and four digits, else the number. */
void cs_bag_put_amount(struct cs_strbuf *out, const char *resource, int64_t amount);

#endif
