/* store_document.c - choosing a document of a store. */
#include "campaign/store.h"

#include <string.h>

#define SHORTEST 4 /* characters of a SHA-256 */
#define SHOWN 12

static bool is_meant(const struct cs_document *document, const char *name)
{
    size_t length = strlen(name);

    return !strcmp(document->name, name) ||
           (length >= SHORTEST && !strncmp(document->sha256, name, length));
}

/* "paper pack/fig2 (5f3a0c1d), sweep trial (0b1c2d3e)" */
static void put_list(struct cs_strbuf *out, const struct cs_document *list, int count,
                     const char *name)
{
    int shown = 0;

    for (int d = 0; d < count; d++) {
        if (name && !is_meant(&list[d], name))
            continue;
        if (shown == SHOWN) {
            cs_strbuf_puts(out, ", ...");
            return;
        }
        cs_strbuf_printf(out, "%s%s (%.8s%s)", shown++ ? ", " : "", list[d].name, list[d].sha256,
                         list[d].quick ? ", quick" : "");
    }
}

static int choose_refuse(const struct cs_store *store, const struct cs_document *list, int count,
                         const char *name, int found, struct cs_error *err)
{
    struct cs_strbuf names = CS_STRBUF_INIT;
    const char *path = cs_store_path(store);

    put_list(&names, list, count, found ? name : NULL);
    if (!count)
        cs_error_set(err, "%s: has no sweep and no paper yet", path);
    else if (!name)
        cs_error_set(err, "%s: has several documents, choose one with --document: %s", path,
                     names.text);
    else if (!found)
        cs_error_set(err, "%s: has no document '%s'; there are %s", path, name, names.text);
    else
        cs_error_set(err,
                     "%s: '%s' is the name of several documents; select one with --document and "
                     "the beginning of its SHA-256: %s",
                     path, name, names.text);
    cs_strbuf_release(&names);
    return -1;
}

const struct cs_document *cs_store_choose(struct cs_store *store, const char *name,
                                          struct cs_arena *arena, struct cs_error *err)
{
    const struct cs_document *meant = NULL;
    struct cs_document *list;
    int count, found = 0;

    if (cs_store_documents(store, arena, &list, &count, err))
        return NULL;
    for (int d = 0; d < count; d++)
        if (!name || is_meant(&list[d], name)) {
            meant = &list[d];
            found++;
        }
    if (found == 1)
        return meant;
    choose_refuse(store, list, count, name, found, err);
    return NULL;
}
