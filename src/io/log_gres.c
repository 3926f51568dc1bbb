/* log_gres.c - generic resources of jobs, each list once. */
#include "base/number.h"
#include "base/plain.h"
#include "io/log_row.h"

#include <string.h>

#define ITEMS 32 /* of a job */
#define PREFIX "gres/"

struct cs_log_gres_table {
    struct cs_arena *arena;
    struct cs_names *lists;
    int room;
    const struct cs_log_gres **of; /* by list */
};

struct cs_log_gres_table *cs_log_gres_create(struct cs_arena *arena)
{
    struct cs_log_gres_table *table = CS_NEW(arena, struct cs_log_gres_table);

    *table = (struct cs_log_gres_table){.arena = arena, .lists = cs_names_create(arena)};
    return table;
}

/* Of "gpu:a100=2", which ends before the comma; false if invalid. */
static bool read_item(const char *text, size_t length, struct cs_log_gres_item *item,
                      struct cs_arena *arena)
{
    const char *equals = memchr(text, '=', length), *colon;
    char *copy, *end;
    double total;

    if (!equals || equals == text)
        return false;
    copy = cs_arena_alloc(arena, length + 1, 1);
    memcpy(copy, text, length);
    copy[equals - text] = '\0';
    total = cs_plain_double(equals + 1, &end);
    colon = strchr(copy, ':');
    *item = (struct cs_log_gres_item){copy, colon ? colon + 1 : "", 0};
    if (colon)
        copy[colon - copy] = '\0';
    if (!(total >= 1 && total <= CS_LOG_LARGEST) || end == equals + 1)
        return false;
    item->total = (int64_t)total;
    return true;
}

/* The same name with a type, where this one has none? */
static bool is_sum(const struct cs_log_gres_item *item, int count, int at)
{
    for (int i = 0; i < count && !*item[at].type; i++)
        if (*item[i].type && !cs_plain_compare(item[i].name, item[at].name))
            return true;
    return false;
}

static const struct cs_log_gres *make_list(const char *text, struct cs_arena *arena)
{
    struct cs_log_gres *list = CS_NEW(arena, struct cs_log_gres);
    struct cs_log_gres_item *item = CS_NEW_ARRAY(arena, struct cs_log_gres_item, ITEMS);
    struct cs_log_gres_item *kept = CS_NEW_ARRAY(arena, struct cs_log_gres_item, ITEMS);
    int count = 0;

    for (; *text && count < ITEMS; text += *text == ',') {
        const size_t length = strcspn(text, ",");

        count += read_item(text, length, &item[count], arena);
        text += length;
    }
    for (int i = 0; i < count; i++)
        if (!is_sum(item, count, i))
            kept[list->count++] = item[i];
    list->item = kept;
    return list;
}

/* "gpu:a100=2,shard=1" of all that there is, in the order of the list. */
static void cut_list(const char *tres, struct cs_strbuf *out)
{
    for (; tres && *tres; tres += strcspn(tres, ","), tres += *tres == ',') {
        const size_t length = strcspn(tres, ",");

        if (length <= strlen(PREFIX) || !cs_plain_begins(tres, PREFIX))
            continue;
        cs_strbuf_puts(out, out->length ? "," : "");
        cs_strbuf_append(out, tres + strlen(PREFIX), length - strlen(PREFIX));
    }
}

static bool is_plain(const char *list)
{
    return cs_plain_begins(list, "gpu=") && !strchr(list, ',');
}

const struct cs_log_gres *cs_log_gres_read(struct cs_log_gres_table *table, const char *tres)
{
    struct cs_strbuf list = CS_STRBUF_INIT;
    int before, number = -1;

    if (!strstr(tres, PREFIX))
        return NULL;
    cs_names_list(table->lists, &before);
    cut_list(tres, &list);
    if (list.length && !is_plain(list.text))
        number = cs_names_add(table->lists, list.text);
    if (number == before) {
        if (number >= table->room) {
            const size_t old = (size_t)table->room;

            table->room = 2 * table->room + 16;
            table->of =
                cs_arena_grow(table->arena, table->of, old, (size_t)table->room, sizeof *table->of);
        }
        table->of[number] = make_list(list.text, table->arena);
    }
    cs_strbuf_release(&list);
    return number < 0 ? NULL : table->of[number];
}

void cs_log_gres_lacks(struct cs_log_counts *counts, const struct cs_log_gres_item *item)
{
    if (counts->lacking++ == 0)
        cs_plain_print(counts->lacks, sizeof counts->lacks, "%.60s%s%.60s", item->name,
                       *item->type ? ":" : "", item->type);
}
