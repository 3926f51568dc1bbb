/* library.c - the search of the dynamic linker, without its work: loading takes some 20 ms. */
#include "base/library.h"

#include "base/strbuf.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum found { ABSENT, BROKEN, PRESENT };

/* A file whose first bytes are not those of an ELF file ends the search of the linker, too. */
static enum found file_find(const char *path)
{
    char magic[4];
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t size = fd < 0 ? 0 : read(fd, magic, sizeof magic);

    if (fd < 0)
        return ABSENT;
    close(fd);
    return size == sizeof magic && memcmp(magic, "\177ELF", sizeof magic) == 0 ? PRESENT : BROKEN;
}

/* An empty directory is the current one. */
static enum found directory_find(const char *directory, size_t length, const char *name)
{
    struct cs_strbuf path = CS_STRBUF_INIT;
    enum found found;

    cs_strbuf_append(&path, directory, length);
    cs_strbuf_printf(&path, "%s%s", length ? "/" : "", name);
    found = file_find(path.text);
    cs_strbuf_release(&path);
    return found;
}

static enum found directories_find(const char *list, const char *name)
{
    enum found found = ABSENT;

    while (list && found == ABSENT) {
        size_t length = strcspn(list, ":;");

        found = directory_find(list, length, name);
        list = list[length] ? list + length + 1 : NULL;
    }
    return found;
}

static int library_try(const char *name, struct cs_error *err)
{
    void *library = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
    const char *why = library ? NULL : dlerror();

    if (!library)
        return cs_error_set_as(err, CS_ERROR_MISSING, "%s cannot be loaded: %s", name,
                               why ? why : "no reason is known");
    dlclose(library);
    return 0;
}

int cs_library_check(const char *name, const char *directory, struct cs_error *err)
{
    const char *path = getenv("LD_LIBRARY_PATH");
    enum found found = path && *path ? directories_find(path, name) : ABSENT;

    if (found == ABSENT && *directory)
        found = directory_find(directory, strlen(directory), name);
    if (found == BROKEN)
        return cs_error_set_as(err, CS_ERROR_MISSING, "%s cannot be loaded: its file is no library",
                               name);
    return found == PRESENT ? 0 : library_try(name, err);
}
