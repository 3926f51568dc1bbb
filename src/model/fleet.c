/* fleet.c - runs of slots. */
#include "model/fleet.h"

#include "base/bug.h"
#include "base/guard.h"
#include "base/plain.h"
#include "base/vector.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define LETTERS "urd?"
#define MOST_SLOTS ((int64_t)1 << 52)

char cs_fleet_letter(enum cs_fleet_state state)
{
    CS_ASK((int)state >= CS_FLEET_UP && state <= CS_FLEET_UNKNOWN, NULL, '\0');
    return LETTERS[state];
}

int cs_fleet_state_of(char letter)
{
    const char *at = letter ? strchr(LETTERS, letter) : NULL;

    return at ? (int)(at - LETTERS) : -1;
}

void cs_fleet_strip_add(struct cs_fleet_strip *s, enum cs_fleet_state state, int64_t end)
{
    struct cs_fleet_run *last = s->runs ? &s->run[s->runs - 1] : NULL;

    if (end <= (last ? last->end : 0))
        return;
    if (last && last->state == state) {
        last->end = end;
        return;
    }
    CS_ARENA_ROOM(s->arena, s->run, s->runs, s->room, 64);
    s->run[s->runs++] = (struct cs_fleet_run){end, state};
}

struct cs_fleet_host cs_fleet_strip_host(struct cs_fleet_strip *s, const char *name,
                                         struct cs_arena *arena)
{
    struct cs_fleet_run *run = CS_NEW_ARRAY(arena, struct cs_fleet_run, s->runs);
    struct cs_fleet_host host = {cs_arena_strdup(arena, name), s->runs, run};

    if (s->runs)
        memcpy(run, s->run, (size_t)s->runs * sizeof *run);
    s->runs = 0;
    return host;
}

static int read_letters(const char *text, struct cs_fleet_strip *strip, struct cs_error *err)
{
    for (int64_t t = 0; text[t]; t++) {
        int state = cs_fleet_state_of(text[t]);

        if (state < 0)
            return cs_error_set(err,
                                "slot %" PRId64 " is \"%.1s\", expected u (up), r (reclaimed), d "
                                "(down) or ? (unknown)",
                                t, text + t);
        cs_fleet_strip_add(strip, (enum cs_fleet_state)state, t + 1);
    }
    return 0;
}

static int read_runs(const char *text, struct cs_fleet_strip *strip, struct cs_error *err)
{
    int64_t end = 0;

    for (const char *at = text + strspn(text, " "); *at; at += strspn(at, " ")) {
        int state = cs_fleet_state_of(*at), used = 0;
        int64_t slots = 0;

        if (state < 0 || at[1] < '0' || at[1] > '9' ||
            sscanf(at + 1, "%16" SCNd64 "%n", &slots, &used) != 1 || slots < 1 ||
            slots > MOST_SLOTS - end || (at[1 + used] && at[1 + used] != ' '))
            return cs_error_set(err,
                                "found \"%.20s\", expected a letter of u, r, d or ? and a number "
                                "of slots, such as u12",
                                at);
        end += slots;
        cs_fleet_strip_add(strip, (enum cs_fleet_state)state, end);
        at += 1 + used;
    }
    return 0;
}

int cs_fleet_strip_text(struct cs_fleet_strip *strip, const char *text, struct cs_error *err)
{
    if (strpbrk(text, "0123456789") ? read_runs(text, strip, err) : read_letters(text, strip, err))
        return -1;
    return strip->runs ? 0 : cs_error_set(err, "there is no slot");
}

static int fleet_fill(struct cs_fleet *fleet, struct cs_fleet_host *host, const char *const *text,
                      struct cs_arena *scratch, struct cs_error *err)
{
    struct cs_fleet_strip strip = {.arena = scratch};

    for (int q = 0; q < fleet->hosts; q++) {
        char name[16];
        int64_t slots;

        cs_plain_print(name, sizeof name, "%d", q);
        if (read_runs(text[q], &strip, err))
            return cs_error_prefix(err, "host %d", q);
        if (!strip.runs)
            return cs_error_set(err, "host %d has no slot", q);
        host[q] = cs_fleet_strip_host(&strip, name, fleet->storage);
        slots = host[q].run[host[q].runs - 1].end;
        if (q == 0)
            fleet->slots = slots;
        if (slots != fleet->slots)
            return cs_error_set(err, "host %d has %" PRId64 " slots, host 0 has %" PRId64, q, slots,
                                fleet->slots);
    }
    return 0;
}

static bool has_hole(const char *const *text, int hosts)
{
    for (int i = 0; i < hosts; i++)
        if (!text[i])
            return true;
    return false;
}

struct cs_fleet *cs_fleet_create_text(int hosts, const char *const *text, double slot,
                                      struct cs_error *err)
{
    CS_ASK(text && !has_hole(text, hosts), err, NULL);
    CS_GUARD(err, NULL);
    struct cs_arena *arena, *scratch;
    struct cs_fleet_host *host;
    struct cs_fleet_zone *zone;
    struct cs_fleet *fleet;
    int status;

    if (hosts < 1 || !(slot > 0 && isfinite(slot))) {
        cs_error_set(err, "%d hosts in slots of %g s: there must be at least 1, and time", hosts,
                     slot);
        return NULL;
    }
    arena = cs_arena_create();
    scratch = cs_arena_create();
    fleet = CS_NEW(arena, struct cs_fleet);
    host = CS_NEW_ARRAY(arena, struct cs_fleet_host, hosts);
    zone = CS_NEW(arena, struct cs_fleet_zone);
    *fleet = (struct cs_fleet){
        .hosts = hosts, .slot = slot, .host = host, .zones = 1, .zone = zone, .storage = arena};
    status = fleet_fill(fleet, host, text, scratch, err);
    *zone =
        (struct cs_fleet_zone){.name = "0", .kind = "text", .hosts = hosts, .slots = fleet->slots};
    cs_arena_destroy(scratch);
    if (!status)
        return fleet;
    cs_arena_destroy(arena);
    return NULL;
}

struct cs_fleet *cs_fleet_of_hosts(int hosts, const struct cs_fleet_host *host, double slot,
                                   const char *kind, struct cs_arena *arena)
{
    struct cs_fleet *fleet = CS_NEW(arena, struct cs_fleet);
    struct cs_fleet_zone *zone = CS_NEW(arena, struct cs_fleet_zone);
    int64_t slots = cs_fleet_host_slots(host);

    *zone = (struct cs_fleet_zone){.name = "0", .kind = kind, .hosts = hosts, .slots = slots};
    *fleet = (struct cs_fleet){
        .hosts = hosts, .slots = slots, .slot = slot, .host = host, .zones = 1, .zone = zone};
    return fleet;
}

int64_t cs_fleet_host_slots(const struct cs_fleet_host *host)
{
    return host->runs ? host->run[host->runs - 1].end : 0;
}

void cs_fleet_destroy(struct cs_fleet *fleet)
{
    if (fleet)
        cs_arena_destroy(fleet->storage);
}

int64_t cs_fleet_run_at(const struct cs_fleet_host *host, int64_t slot)
{
    CS_ASK(host && host->runs >= 1 && slot >= 0 && slot < host->run[host->runs - 1].end, NULL, -1);
    int64_t low = 0, high = host->runs - 1;

    while (low < high) {
        int64_t middle = low + (high - low) / 2;

        if (host->run[middle].end > slot)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

int64_t cs_fleet_run_begin(const struct cs_fleet_host *host, int64_t run)
{
    CS_ASK(host && run >= 0 && run <= host->runs, NULL, -1);
    return run ? host->run[run - 1].end : 0;
}
