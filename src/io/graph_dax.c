/* graph_dax.c - DAX, the abstract workflows of Pegasus (2.1 to 3.x).
 *
 * A job is a task, its runtime times the speed is its work. A file that one job writes and another
 * one reads is an arc; <child ref><parent ref/></child> without a common file is one of 0 bytes.
 * Files without a writer or without a reader are ignored.
 */
#include "base/number.h"
#include "base/strbuf.h"
#include "base/vector.h"
#include "io/graph_build.h"
#include "io/xml.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct use {
    int file, job;
    double bytes;
    bool reads;
};

struct order {
    const char *parent, *child;
};

struct reader {
    struct cs_graph_draft draft;
    struct cs_names *files;
    struct use *use;
    int uses, use_room;
    struct order *order;
    int orders, order_room;
    const char *name, *child; /* of the whole; of the <child> that is open */
    int job;                  /* that is open, or -1 */
    bool root;                /* the document is an <adag> */
};

static int graph_dax_read_number(const struct cs_xml *xml, const char *element, const char *name,
                                 const char *text, double *out, struct cs_error *err)
{
    struct cs_strbuf found = CS_STRBUF_INIT;

    if (cs_number_double(text, out) == CS_NUMBER_FINE &&
        cs_number_meets(*out, CS_NUMBER_NOT_NEGATIVE))
        return 0;
    cs_strbuf_put_excerpt(&found, text);
    cs_xml_error(xml, err, "<%s %s=%s>: expected %s", element, name, found.text,
                 cs_number_wanted(CS_NUMBER_NOT_NEGATIVE));
    cs_strbuf_release(&found);
    return -1;
}

static int begin_job(struct reader *r, const struct cs_xml *xml, const char **attribute,
                     struct cs_error *err)
{
    const char *id = cs_xml_attribute(attribute, "id");
    const char *runtime = cs_xml_attribute(attribute, "runtime");
    struct cs_error fault = {0};
    double seconds;

    if (!id)
        return cs_xml_error(xml, err, "<job> has no id");
    if (!runtime)
        return cs_xml_error(xml, err, "<job id=\"%.60s\"> has no runtime", id);
    if (graph_dax_read_number(xml, "job", "runtime", runtime, &seconds, err))
        return -1;
    r->job = cs_graph_draft_task(&r->draft, id, seconds * r->draft.how->speed,
                                 cs_graph_draft_alpha(&r->draft), &fault);
    return r->job < 0 ? cs_xml_error(xml, err, "%s", fault.text) : 0;
}

static int begin_uses(struct reader *r, const struct cs_xml *xml, const char **attribute,
                      struct cs_error *err)
{
    const char *file = cs_xml_attribute(attribute, "file"), *size;
    const char *link = cs_xml_attribute(attribute, "link");
    struct use use = {.job = r->job};

    file = file ? file : cs_xml_attribute(attribute, "name");
    size = cs_xml_attribute(attribute, "size");
    if (r->job < 0)
        return 0;
    if (!file || !link)
        return cs_xml_error(xml, err, "<uses> has no %s", file ? "link" : "file");
    if (size && graph_dax_read_number(xml, "uses", "size", size, &use.bytes, err))
        return -1;
    if (strcmp(link, "input") && strcmp(link, "output"))
        return 0;
    use.reads = link[0] == 'i';
    use.file = cs_names_add(r->files, file);
    CS_ARENA_ROOM(r->draft.arena, r->use, r->uses, r->use_room, 64);
    r->use[r->uses++] = use;
    return 0;
}

static int begin_parent(struct reader *r, const struct cs_xml *xml, const char **attribute,
                        struct cs_error *err)
{
    const char *ref = cs_xml_attribute(attribute, "ref");

    if (!r->child || !ref)
        return cs_xml_error(xml, err, "<parent> %s", ref ? "is in no <child>" : "has no ref");
    CS_ARENA_ROOM(r->draft.arena, r->order, r->orders, r->order_room, 64);
    r->order[r->orders++] =
        (struct order){.parent = cs_arena_strdup(r->draft.arena, ref), .child = r->child};
    return 0;
}

static int graph_dax_begin(void *who, struct cs_xml *xml, const char *element,
                           const char **attribute, struct cs_error *err)
{
    struct reader *r = who;
    const char *ref;

    if (!r->root && strcmp(element, "adag"))
        return cs_xml_error(xml, err, "found <%.60s>, expected <adag>: this is not DAX", element);
    if (!r->root) {
        const char *name = cs_xml_attribute(attribute, "name");

        r->root = true;
        r->name = name ? cs_arena_strdup(r->draft.arena, name) : NULL;
        return 0;
    }
    if (!strcmp(element, "job"))
        return begin_job(r, xml, attribute, err);
    if (!strcmp(element, "uses"))
        return begin_uses(r, xml, attribute, err);
    if (!strcmp(element, "parent"))
        return begin_parent(r, xml, attribute, err);
    if (strcmp(element, "child"))
        return 0;
    ref = cs_xml_attribute(attribute, "ref");
    if (!ref)
        return cs_xml_error(xml, err, "<child> has no ref");
    r->child = cs_arena_strdup(r->draft.arena, ref);
    return 0;
}

static int graph_dax_end(void *who, struct cs_xml *xml, const char *element, struct cs_error *err)
{
    struct reader *r = who;

    (void)xml;
    (void)err;
    if (!strcmp(element, "job"))
        r->job = -1;
    if (!strcmp(element, "child"))
        r->child = NULL;
    return 0;
}

static int by_file(const void *a, const void *b)
{
    const struct use *x = a, *y = b;

    if (x->file != y->file)
        return x->file < y->file ? -1 : 1;
    if (x->reads != y->reads)
        return x->reads ? 1 : -1;
    if (x->job != y->job)
        return x->job < y->job ? -1 : 1;
    return (x->bytes < y->bytes) - (x->bytes > y->bytes);
}

static bool graph_dax_same(const struct use *a, const struct use *b)
{
    return a->file == b->file && a->reads == b->reads && a->job == b->job;
}

/* One file: the uses from first to last - 1, those that write it in front, no job twice. */
static int link_file(struct reader *r, int first, int last, struct cs_error *err)
{
    int writers = first;

    while (writers < last && !r->use[writers].reads)
        writers++;
    for (int w = first; w < writers; w++)
        for (int i = writers; i < last; i++)
            if (r->use[w].job != r->use[i].job &&
                cs_graph_draft_arc(&r->draft, r->use[w].job, r->use[i].job, r->use[w].bytes, err))
                return -1;
    return 0;
}

static int link_files(struct reader *r, struct cs_error *err)
{
    int kept = 0, first = 0;

    if (r->uses > 0)
        qsort(r->use, (size_t)r->uses, sizeof *r->use, by_file);
    for (int i = 0; i < r->uses; i++)
        if (i == 0 || !graph_dax_same(&r->use[i], &r->use[i - 1]))
            r->use[kept++] = r->use[i];
    for (int i = 1; i <= kept; i++)
        if (i == kept || r->use[i].file != r->use[first].file) {
            if (link_file(r, first, i, err))
                return -1;
            first = i;
        }
    return 0;
}

static int link_orders(struct reader *r, struct cs_error *err)
{
    for (int o = 0; o < r->orders; o++) {
        int from = cs_graph_draft_find(&r->draft, r->order[o].parent);
        int to = cs_graph_draft_find(&r->draft, r->order[o].child);

        if (from < 0 || to < 0)
            return cs_error_set(err,
                                "%s: <child ref=\"%.60s\"> of <parent ref=\"%.60s\">: unknown "
                                "task %.60s",
                                r->draft.file, r->order[o].child, r->order[o].parent,
                                from < 0 ? r->order[o].parent : r->order[o].child);
        if (cs_graph_draft_arc(&r->draft, from, to, 0, err))
            return -1;
    }
    return 0;
}

struct cs_graph *cs_graph_dax_read(const char *file, const char *bytes, size_t size,
                                   const struct cs_graph_reading *how, struct cs_error *err)
{
    static const struct cs_xml_reader handlers = {graph_dax_begin, graph_dax_end};
    struct reader r = {.job = -1};
    int status;

    cs_graph_draft_begin(&r.draft, file, how);
    r.files = cs_names_create(r.draft.arena);
    status = cs_xml_parse(file, bytes, size, &handlers, &r, err);
    if (status == 0)
        status = link_files(&r, err);
    if (status == 0)
        status = link_orders(&r, err);
    return cs_graph_draft_end(&r.draft, status, r.name, err);
}
