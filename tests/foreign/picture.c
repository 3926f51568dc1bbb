/* picture.c - calls on pictures, which are never written. */
#include "calls.h"

#include <cosched/case.h>
#include <cosched/picture.h>

static struct cs_picture_options options_of(struct caller *c)
{
    return (struct cs_picture_options){
        .size = is_wild(c) ? 5 : sizeof(struct cs_picture_options),
        .width = whole(c, 240, 900),
        .height = is_wild(c) ? whole(c, 160, 900) : 0,
        .style = word(c, "grey"),
        .title = word(c, "a title"),
        .subtitle = word(c, "a subtitle"),
        .processor = word(c, "slot"),
        .group = word(c, "shelf"),
        .least_type = real(c, 0, 12),
    };
}

static void schedule(struct caller *c)
{
    const struct cs_picture_options how = options_of(c);
    size_t length;
    char *svg = cs_schedule_svg(pick(c, SCHEDULE), pick(c, SCHEDULE), is_wild(c) ? NULL : &how,
                                is_wild(c) ? NULL : &length, err_of(c));

    if (!c->tame || c->starved)
        told(c, !svg);
    cs_free(svg);
}

static void file(struct caller *c)
{
    told(c, cs_picture_check(word(c, "plan.svg"), err_of(c)) != 0);
    if (!c->tame)
        told(c, cs_picture_write(word(c, "/nowhere/plan.svg"), word(c, "<svg/>"), real(c, 24, 300),
                                 err_of(c)) != 0);
}

const struct call picture_calls[] = {
    {"schedule_svg", schedule},
    {"picture_file", file},
    {NULL, NULL},
};
