/* flow.h - entries of a legend one after the other, in as many rows as they need. */
#ifndef CS_REPORT_FLOW_H
#define CS_REPORT_FLOW_H

struct cs_flow {
    double left, right, row; /* edges, and the distance of rows */
    double x, y;             /* where the next entry goes */
};

/* Goes to the next row when an entry of this width does not fit into what is left of this one. */
static inline void cs_flow_make_room(struct cs_flow *flow, double width)
{
    if (flow->x > flow->left && flow->x + width > flow->right) {
        flow->x = flow->left;
        flow->y += flow->row;
    }
}

#endif
