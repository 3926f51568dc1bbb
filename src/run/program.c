/* program.c - PATH is searched once; the keeper is searched in the directory of this program. */
#include "run/program.h"

#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool can_run(const char *path)
{
    struct stat file;

    return !stat(path, &file) && S_ISREG(file.st_mode) && !access(path, X_OK);
}

static int program_explain(const char *path, struct cs_error *err)
{
    struct stat file;

    if (stat(path, &file))
        return cs_error_set_as(err, CS_ERROR_SYSTEM, "%s: the program is not there: %s", path,
                               strerror(errno));
    if (S_ISDIR(file.st_mode))
        return cs_error_set(err, "%s: a folder, not a program", path);
    return cs_error_set(err, "%s: cannot be executed (chmod +x)", path);
}

static int program_search(const char *program, struct cs_strbuf *path, struct cs_error *err)
{
    const char *at = getenv("PATH");

    for (at = at ? at : "/usr/bin:/bin"; *at;) {
        size_t length = strcspn(at, ":");

        cs_strbuf_clear(path);
        cs_strbuf_append(path, at, length);
        cs_strbuf_printf(path, "/%s", program);
        if (*at == '/' && can_run(path->text))
            return 0;
        at += length + (at[length] == ':');
    }
    return cs_error_set(err, "%s: there is no such program in PATH", program);
}

int cs_run_program_find(const char *program, const char *folder, struct cs_strbuf *path,
                        struct cs_error *err)
{
    cs_strbuf_clear(path);
    if (!*program)
        return cs_error_set(err, "a program needs a name, found an empty text");
    if (!strchr(program, '/'))
        return program_search(program, path, err);
    if (*program != '/')
        cs_strbuf_printf(path, "%s/", folder);
    cs_strbuf_puts(path, program);
    return can_run(path->text) ? 0 : program_explain(path->text, err);
}

int cs_run_program_resolve(char **program, const char *folder, struct cs_arena *arena,
                           struct cs_error *err)
{
    struct cs_strbuf path = CS_STRBUF_INIT;
    int status = 0;

    if (**program != '/') {
        status = cs_run_program_find(*program, folder, &path, err);
        if (!status)
            *program = cs_arena_strdup(arena, path.text);
    }
    cs_strbuf_release(&path);
    return status;
}

const char *cs_run_program_keeper(struct cs_arena *arena, struct cs_error *err)
{
    static const char *const extra[] = {"/../keeper/keeper", "/../libexec/cosched/keeper"};
    struct cs_strbuf path = CS_STRBUF_INIT;
    const char *asked = getenv("COSCHED_KEEPER"), *found = NULL;
    char self[4096];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);

    if (CS_STANDALONE)
        return "/proc/self/exe"; /* main() of the tool is the keeper's then */
    self[length > 0 ? length : 0] = '\0';
    if (length > 0 && strrchr(self, '/'))
        *strrchr(self, '/') = '\0';
    if (asked && *asked == '/')
        found = can_run(asked) ? cs_arena_strdup(arena, asked) : NULL;
    for (size_t k = 0; !found && k < sizeof extra / sizeof *extra; k++) {
        cs_strbuf_clear(&path);
        cs_strbuf_printf(&path, "%s%s", self, extra[k]);
        if (can_run(path.text))
            found = cs_arena_strdup(arena, path.text);
    }
    if (!found && can_run(CS_LIBEXECDIR "/cosched/keeper"))
        found = CS_LIBEXECDIR "/cosched/keeper";
    if (!found)
        cs_error_set(err, "the program that watches attempts is not there: " CS_LIBEXECDIR
                          "/cosched/keeper");
    cs_strbuf_release(&path);
    return found;
}
