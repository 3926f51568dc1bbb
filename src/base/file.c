/* file.c - whole files, read through a source and written next to the old one. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "base/file.h"
#include "base/error.h"
#include "base/guard.h"
#include "base/memory.h"
#include "base/plain.h"
#include "base/source.h"
#include "base/vector.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

/* By the numbers that Linux gives to kinds of file systems. */

bool cs_remote_is(const char *path)
{
    static const uint32_t kind[] = {
        0x6969,     /* NFS */
        0x517b,     /* SMB */
        0xff534d42, /* CIFS */
        0xfe534d42, /* SMB 2 */
        0x0bd00bd0, /* Lustre */
        0x47504653, /* GPFS */
        0x00c36400, /* Ceph */
        0x19830326, /* BeeGFS */
        0x5346414f, /* AFS */
        0x6b414653, /* AFS of the kernel */
        0x01021997, /* 9p */
        0x65735546, /* FUSE: may be anything */
        0xaad7aaea, /* PanFS */
        0x7461636f, /* OCFS2 */
        0x01161970, /* GFS2 */
    };
    const char *asked = getenv("COSCHED_STORE_JOURNAL");
    struct statfs system;

    if (asked && !strcmp(asked, "delete"))
        return true;
    if (statfs(path, &system))
        return false;
#ifdef __APPLE__
    return !(system.f_flags & MNT_LOCAL);
#endif
    for (size_t k = 0; k < sizeof kind / sizeof *kind; k++)
        if ((uint32_t)system.f_type == kind[k])
            return true;
    return false;
}

#define CHUNK ((size_t)64 << 10)

static int file_read_all(struct cs_source *source, size_t limit, struct cs_strbuf *out,
                         struct cs_error *why)
{
    static const size_t mebibyte = (size_t)1 << 20;
    char *chunk = cs_block_resize(NULL, CHUNK);
    size_t total = 0, got = 0;
    int status;

    while (!(status = cs_source_read(source, chunk, CHUNK, &got, why)) && got) {
        total += got;
        if (total > limit) {
            status = cs_error_set(why, "more than %zu MiB", limit / mebibyte);
            break;
        }
        cs_strbuf_append(out, chunk, got);
    }
    cs_block_free(chunk);
    return status ? status : cs_source_weigh(source, out->text, out->length, why);
}

bool cs_file_read_start(const char *path, size_t least, size_t most, struct cs_strbuf *out)
{
    const struct cs_memory_bytes *memory = cs_memory_find(path);
    struct cs_error none = {0};
    struct cs_source *source;
    struct stat what;
    size_t got = 1;
    bool failed = false;

    if (memory ? memory->size < least
               : stat(path, &what) || !S_ISREG(what.st_mode) || what.st_size < (off_t)least)
        return false;
    source = cs_source_open(path, &none);
    while (source && !failed && got && out->length < most) {
        char *room = cs_strbuf_room(out, CHUNK);

        failed = cs_source_read(
            source, room, CHUNK < most - out->length ? CHUNK : most - out->length, &got, &none);
        cs_strbuf_wrote(out, failed ? 0 : got);
    }
    cs_source_close(source);
    return source && !failed;
}

/* Both keep what guards them: a text is its own block. */
static void file_exchange(struct cs_strbuf *a, struct cs_strbuf *b)
{
    const struct cs_strbuf before = *a;

    *a = *b;
    *b = before;
}

int cs_file_read(const char *path, size_t limit, struct cs_strbuf *out, struct cs_error *err)
{
    struct cs_strbuf bytes = CS_STRBUF_INIT;
    struct cs_error why = {0};
    struct cs_source *source = cs_source_open(path, &why);
    const int status = source ? file_read_all(source, limit, &bytes, &why) : -1;

    cs_source_close(source);
    if (!status && out->length)
        cs_strbuf_append(out, bytes.text, bytes.length);
    else if (!status)
        file_exchange(out, &bytes);
    cs_strbuf_release(&bytes);
    return status ? cs_error_set_at(err, why.kind, cs_source_name(path), 0, "%s", why.text) : 0;
}

int cs_file_put(int fd, const char *bytes, size_t length)
{
    while (length) {
        const ssize_t done = write(fd, bytes, length);

        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            return -1;
        bytes += done;
        length -= (size_t)done;
    }
    return 0;
}

static int spill_put(void *who, const char *bytes, size_t length)
{
    return cs_file_put((int)(intptr_t)who, bytes, length);
}

struct cs_spill cs_spill_to(struct cs_strbuf *out, int fd)
{
    return (struct cs_spill){
        .out = out, .put = fd < 0 ? NULL : spill_put, .who = (void *)(intptr_t)fd};
}

void cs_spill_some(struct cs_spill *spill, size_t most)
{
    if (!spill->put || spill->out->length <= most)
        return;
    if (!spill->error && spill->put(spill->who, spill->out->text, spill->out->length))
        spill->error = errno;
    cs_strbuf_clear(spill->out);
}

/* The writer of the content of a file. */
struct writer {
    int (*fill)(void *who, int fd);
    void *who;
};

static void fd_release(void *thing)
{
    close((int)(intptr_t)thing - 1);
}

void cs_file_hold(struct cs_hold *hold, int fd)
{
    cs_hold(hold, fd < 0 ? NULL : (void *)((intptr_t)fd + 1), fd_release);
}

static void folder_release(void *folder)
{
    closedir(folder);
}

void cs_folder_hold(struct cs_hold *hold, void *folder)
{
    cs_hold(hold, folder, folder_release);
}

ssize_t cs_file_head(const char *path, void *bytes, size_t size)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    char *to = bytes;
    ssize_t got = fd < 0 ? -1 : 1;
    int why;

    while (to < (char *)bytes + size && got > 0) {
        do
            got = read(fd, to, size - (size_t)(to - (char *)bytes));
        while (got < 0 && errno == EINTR);
        to += got > 0 ? got : 0;
    }
    why = errno;
    if (fd >= 0)
        close(fd);
    errno = why;
    return got < 0 ? -1 : to - (char *)bytes;
}

static int write_directly(const char *path, const struct writer *writer)
{
    const int fd = open(path, O_WRONLY | O_CLOEXEC);
    CS_HOLD(held);
    int status, why;

    cs_file_hold(&held, fd);
    status = fd < 0 ? -1 : writer->fill(writer->who, fd);
    why = errno;
    cs_unhold(&held);
    if (fd >= 0 && close(fd) && !status)
        return -1;
    errno = why;
    return status;
}

/* A new file in the directory of `path`, whose name goes to `name`; its descriptor, or -1. */
static int open_next_to(const char *path, struct cs_strbuf *name)
{
    const char *slash = strrchr(path, '/');
    const size_t folder = slash ? (size_t)(slash - path) + 1 : 0;

    for (int attempt = 0; attempt < 100; attempt++) {
        int fd;

        cs_strbuf_clear(name);
        cs_strbuf_append(name, path, folder);
        cs_strbuf_printf(name, ".cosched-%ld-%d.tmp", (long)getpid(), attempt);
        fd = open(name->text, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    return -1;
}

/* On the disk, before its name is; what cannot be synchronised is as it is. */
static int file_synchronise(int fd)
{
    return fsync(fd) && errno != EINVAL && errno != EROFS && errno != ENOTSUP ? -1 : 0;
}

/* The folder of a path, which holds its name. */
static void synchronise_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    const size_t length = slash ? (size_t)(slash - path) + (slash == path) : 0;
    char folder[PATH_MAX] = ".";
    int fd;

    if (length >= sizeof folder)
        return;
    if (length) {
        memcpy(folder, path, length);
        folder[length] = '\0';
    }
    fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        file_synchronise(fd);
        close(fd);
    }
}

/* A new file that has not got its name yet. */
struct draft {
    int fd;
    const char *name;
};

static void draft_release(void *thing)
{
    const struct draft *draft = thing;

    close(draft->fd);
    unlink(draft->name);
}

static int file_replace(const char *path, const struct stat *old, const struct writer *writer)
{
    struct cs_strbuf name = CS_STRBUF_INIT;
    const int fd = open_next_to(path, &name);
    struct draft draft = {fd, name.text};
    int status = fd, why;
    CS_HOLD(held);

    cs_hold(&held, fd < 0 ? NULL : &draft, draft_release);
    if (fd >= 0) {
        status = writer->fill(writer->who, fd);
        cs_unhold(&held);
        if (!status && old)
            status = fchmod(fd, old->st_mode & 07777);
        if (!status)
            status = file_synchronise(fd);
        if (close(fd) && !status)
            status = -1;
        if (!status)
            status = rename(name.text, path);
        if (!status)
            synchronise_folder(path);
        why = errno;
        if (status)
            unlink(name.text);
        errno = why;
    }
    cs_strbuf_release(&name);
    return status;
}

int cs_file_rename(const char *from, const char *to, struct cs_error *err)
{
    int fd = open(from, O_RDONLY | O_CLOEXEC);
    int status = fd < 0 ? -1 : file_synchronise(fd);

    if (fd >= 0)
        close(fd);
    if (status || rename(from, to))
        return cs_error_set_as(err, CS_ERROR_SYSTEM, "%s: cannot be written: %s", to,
                               strerror(errno));
    synchronise_folder(to);
    return 0;
}

static int write_path(const char *path, const struct writer *writer)
{
    struct stat old;
    char target[PATH_MAX];

    if (stat(path, &old))
        return errno == ENOENT ? file_replace(path, NULL, writer) : -1;
    if (S_ISDIR(old.st_mode)) {
        errno = EISDIR;
        return -1;
    }
    if (!S_ISREG(old.st_mode))
        return write_directly(path, writer);
    return realpath(path, target) ? file_replace(target, &old, writer) : -1;
}

int cs_file_fill(const char *path, int (*fill)(void *who, int fd), void *who, struct cs_error *err)
{
    const bool to_stdout = !strcmp(path, "-");
    const struct writer writer = {fill, who};
    const int status =
        to_stdout ? (fflush(stdout) ? -1 : fill(who, STDOUT_FILENO)) : write_path(path, &writer);

    if (!status)
        return 0;
    return cs_error_set_as(err, CS_ERROR_SYSTEM, "%s: cannot be written: %s",
                           to_stdout ? "standard output" : path, strerror(errno));
}

struct bytes {
    const char *text;
    size_t length;
};

static int put_bytes(void *who, int fd)
{
    const struct bytes *bytes = who;

    return cs_file_put(fd, bytes->text, bytes->length);
}

int cs_file_write(const char *path, const char *bytes, size_t length, struct cs_error *err)
{
    struct cs_strbuf shown = CS_STRBUF_INIT;
    struct bytes what = {bytes, length};
    int status;

    if (!strcmp(path, "-") && isatty(STDOUT_FILENO)) {
        cs_strbuf_put_shown(&shown, bytes, length, true);
        what = (struct bytes){shown.text, shown.length};
    }
    status = cs_file_fill(path, put_bytes, &what, err);
    cs_strbuf_release(&shown);
    return status;
}

static int make_directory(const char *path)
{
    struct stat what;

    if (!mkdir(path, 0777))
        return 0;
    if (errno != EEXIST || stat(path, &what))
        return -1;
    errno = ENOTDIR;
    return S_ISDIR(what.st_mode) ? 0 : -1;
}

int cs_file_make_directories(const char *path, struct cs_error *err)
{
    struct cs_strbuf part = CS_STRBUF_INIT;
    int status = 0;

    for (const char *at = path; *at && !status;) {
        at += strspn(at, "/");
        at += strcspn(at, "/");
        cs_strbuf_clear(&part);
        cs_strbuf_append(&part, path, (size_t)(at - path));
        status = make_directory(part.text);
    }
    if (status)
        cs_error_set_as(err, CS_ERROR_SYSTEM, "%s: the directory %s cannot be made: %s", path,
                        part.text, strerror(errno));
    cs_strbuf_release(&part);
    return status;
}

/* ---- directories ---- */

#define FOLDERS_DEEP 32 /* of directories in directories: symbolic links may make a circle */
#define FILES_MOST 100000

struct listing {
    const char *folder; /* the first */
    struct cs_arena *arena;
    const char **file;
    int count, room;
    struct cs_error *err;
};

bool cs_file_is_folder(const char *path)
{
    struct stat about;

    return !cs_memory_find(path) && !stat(path, &about) && S_ISDIR(about.st_mode);
}

static int listing_add(struct listing *l, const char *path)
{
    if (l->count == FILES_MOST)
        return cs_error_set(l->err, "%s: more than %d files", l->folder, FILES_MOST);
    CS_ARENA_ROOM(l->arena, l->file, l->count, l->room, 64);
    l->file[l->count++] = path;
    return 0;
}

static int listing_walk(struct listing *l, const char *folder, int depth);

static int listing_enter(struct listing *l, const char *folder, const char *name, int depth)
{
    const size_t length = strlen(folder), size = length + strlen(name) + 2;
    char *path = cs_arena_alloc(l->arena, size, 1);
    struct stat about;

    cs_plain_print(path, size, "%s%s%s", folder, length && folder[length - 1] == '/' ? "" : "/",
                   name);
    if (stat(path, &about))
        return 0; /* a symbolic link to nothing */
    if (S_ISDIR(about.st_mode))
        return listing_walk(l, path, depth + 1);
    return S_ISREG(about.st_mode) ? listing_add(l, path) : 0;
}

static int listing_walk(struct listing *l, const char *folder, int depth)
{
    DIR *entries = depth < FOLDERS_DEEP ? opendir(folder) : NULL;
    const struct dirent *entry;
    int status = 0;
    CS_HOLD(held);

    if (depth == FOLDERS_DEEP)
        return cs_error_set(l->err, "%s: more than %d directories deep", folder, FOLDERS_DEEP);
    if (!entries)
        return cs_error_set_as(l->err, CS_ERROR_SYSTEM, "%s: cannot be read: %s", folder,
                               strerror(errno));
    cs_folder_hold(&held, entries);
    while (!status && (entry = readdir(entries)))
        if (*entry->d_name != '.')
            status = listing_enter(l, folder, entry->d_name, depth);
    return status;
}

static int compare_paths(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

int cs_file_list(const char *folder, struct cs_arena *arena, const char *const **files, int *count,
                 struct cs_error *err)
{
    struct listing l = {.folder = folder, .arena = arena, .err = err};

    if (listing_walk(&l, folder, 0))
        return -1;
    if (l.count)
        qsort(l.file, (size_t)l.count, sizeof *l.file, compare_paths);
    *files = l.file;
    *count = l.count;
    return 0;
}
