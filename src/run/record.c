/* record.c - lines of "key=value". */
#define _GNU_SOURCE
#include "run/record.h"

#include "base/number.h"
#include "base/plain.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define LARGEST 8192
#define LONGEST_LINE 2000

/* The text behind "KEY=" in a line, or NULL. */
static const char *record_find(const char *line, const char *key)
{
    size_t length = strlen(key);

    for (const char *at = line; (at = strstr(at, key)); at++)
        if (at > line && at[-1] == ' ' && at[length] == '=')
            return at + length + 1;
    return NULL;
}

static double record_number(const char *line, const char *key)
{
    const char *at = record_find(line, key);

    const double value = at ? cs_number_prefix(at) : 0;

    return isnan(value) ? 0 : value;
}

static long record_whole(const char *line, const char *key)
{
    const char *at = record_find(line, key);

    return at ? strtol(at, NULL, 10) : 0;
}

static void record_word(const char *line, const char *key, char *out, size_t size)
{
    const char *at = record_find(line, key);
    size_t length = at ? strcspn(at, " \n") : 0;

    length = length < size ? length : size - 1;
    memcpy(out, at ? at : "", length);
    out[length] = '\0';
}

static void read_claim(const char *line, struct cs_run_record *r)
{
    const char *start = record_find(line, "start");

    r->claimed = true;
    record_word(line, "host", r->host, sizeof r->host);
    record_word(line, "boot", r->boot, sizeof r->boot);
    r->pid = (int)record_whole(line, "pid");
    r->start = start ? strtoull(start, NULL, 10) : 0;
    r->claimed_at = record_number(line, "at");
    r->round = record_whole(line, "round");
    r->task = record_find(line, "task") ? (int)record_whole(line, "task") : -1;
    r->try = (int)record_whole(line, "try");
    record_word(line, "slots", r->slots, sizeof r->slots);
    for (char *c = r->slots; *c; c++)
        *c = *c == ',' ? ' ' : *c;
}

static void read_begin(const char *line, struct cs_run_end *end)
{
    const char *start = record_find(line, "start");

    end->began = record_number(line, "at");
    end->session = (int)record_whole(line, "sid");
    end->start = start ? strtoull(start, NULL, 10) : 0;
}

static void read_end(const char *line, struct cs_run_end *end)
{
    end->ended = true;
    end->status = (int)record_whole(line, "status");
    end->fault = (int)record_whole(line, "errno");
    end->stage = (int)record_whole(line, "stage");
    end->timed_out = record_whole(line, "timeout");
    end->asked = record_whole(line, "asked");
    end->at = record_number(line, "at");
    end->cpu = record_number(line, "cpu");
    end->rss = record_whole(line, "rss");
    end->left = (int)record_whole(line, "left");
}

static bool record_begins(const char *line, const char *word)
{
    size_t length = strlen(word);

    return !strncmp(line, word, length) && (line[length] == ' ' || !line[length]);
}

static void read_line(const char *line, struct cs_run_record *r)
{
    if (record_begins(line, "void")) {
        r->voided = true;
    } else if (record_begins(line, "claim")) {
        read_claim(line, r);
    } else if (record_begins(line, "group")) {
        cs_plain_print(r->group, sizeof r->group, "%s", line[5] ? line + 6 : "");
    } else if (record_begins(line, "app")) {
        read_begin(line, &r->program);
    } else if (record_begins(line, "end")) {
        read_end(line, &r->program);
    } else if (record_begins(line, "verify")) {
        r->verifies = true;
        read_begin(line, &r->verify);
    } else if (record_begins(line, "verified")) {
        read_end(line, &r->verify);
    } else if (record_begins(line, "closed")) {
        r->closed = r->claimed && r->program.ended;
    }
}

/* A line counts when it has its end. */
void cs_run_record_read(const char *bytes, size_t size, struct cs_run_record *record)
{
    char line[LONGEST_LINE];

    *record = (struct cs_run_record){.empty = size == 0, .task = -1};
    while (size > 0) {
        const char *end = memchr(bytes, '\n', size);
        size_t length = end ? (size_t)(end - bytes) : 0;

        if (!end)
            return;
        if (length < sizeof line && !memchr(bytes, '\0', length)) {
            memcpy(line, bytes, length);
            line[length] = '\0';
            read_line(line, record);
        }
        size -= length + 1;
        bytes = end + 1;
    }
}

int cs_run_record_load(const char *path, struct cs_run_record *record, struct cs_error *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    char bytes[LARGEST];
    ssize_t got, size = 0;

    if (fd < 0 && errno == ENOENT)
        return 0;
    if (fd < 0)
        return cs_error_set_as(err, CS_ERROR_SYSTEM, "%s: %s", path, strerror(errno));
    while (size < LARGEST && (got = read(fd, bytes + size, (size_t)(LARGEST - size))) > 0)
        size += got;
    close(fd);
    cs_run_record_read(bytes, (size_t)size, record);
    return 1;
}

static bool never_possible(int fault)
{
    return fault == ENOENT || fault == EACCES || fault == ENOEXEC || fault == E2BIG ||
           fault == ENOTDIR || fault == ELOOP || fault == EPERM || fault == EISDIR;
}

/* Errors of a machine that lacks something now and may have it later: spec/run2.md I 5. */
static bool run_is_shortage(int fault)
{
    return fault == EAGAIN || fault == ENOMEM || fault == EMFILE || fault == ENFILE ||
           fault == ENOSPC || fault == EDQUOT;
}

enum cs_run_outcome cs_run_record_outcome(const struct cs_run_record *r)
{
    if (r->program.asked)
        return CS_RUN_STOPPED;
    if (run_is_shortage(r->program.fault))
        return CS_RUN_VOID;
    if (r->program.fault)
        return never_possible(r->program.fault) ? CS_RUN_CANNOT_START : CS_RUN_FAILED;
    if (r->program.timed_out)
        return CS_RUN_TIMEOUT;
    if (r->program.status != 0)
        return CS_RUN_FAILED;
    if (r->verifies && r->verify.asked)
        return CS_RUN_STOPPED;
    if (r->verifies && (r->verify.status != 0 || r->verify.timed_out || r->verify.fault))
        return CS_RUN_CORRUPT;
    return CS_RUN_OK;
}
