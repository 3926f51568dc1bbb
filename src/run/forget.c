/* forget.c - remove leftovers of earlier attempts of a task.
 *
 * Files that requested a save are removed. If the result was wrong, its state and its "done" file
 * are renamed, because an application may search for its state and resume from it. Files older than
 * the first attempt are not of this run and stay.
 */
#include "run/executor.h"
#include "run/values.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define BACKGROUND ".corrupt"
#define COARSE 1.0 /* seconds by which times of files may lag behind the clock */

static int remove_file(struct cs_run_values *values, const char *template, struct cs_error *err)
{
    struct cs_strbuf path = CS_STRBUF_INIT;
    int status = 0;

    if (template)
        status = cs_run_values_path(values, template, &path, err);
    if (!status && path.length && unlink(path.text) && errno != ENOENT)
        status = cs_error_set_as(err, CS_ERROR_SYSTEM, "%s: cannot be removed: %s", path.text,
                                 strerror(errno));
    cs_strbuf_release(&path);
    return status;
}

static void discard_say(const struct cs_run_executor *x, int task, const char *path)
{
    struct cs_strbuf text = CS_STRBUF_INIT;

    cs_strbuf_printf(&text, "task %s: its result was wrong, it restarts: %s is now %s" BACKGROUND,
                     x->setup.task[task].name, path, path);
    x->watcher.say(x->watcher.who, text.text);
    cs_strbuf_release(&text);
}

static int set_background(const struct cs_run_executor *x, struct cs_run_values *values,
                          const char *template, struct cs_error *err)
{
    const double since = x->began + x->run.usage[values->task].first;
    struct cs_strbuf path = CS_STRBUF_INIT, background = CS_STRBUF_INIT;
    int status = cs_run_values_path(values, template, &path, err);
    double modified;

    if (!status && cs_run_file_modified(path.text, &modified) && modified + COARSE >= since) {
        cs_strbuf_printf(&background, "%s" BACKGROUND, path.text);
        if (rename(path.text, background.text))
            status = cs_error_set_as(err, CS_ERROR_SYSTEM, "%s: cannot be set aside as %s: %s",
                                     path.text, background.text, strerror(errno));
        else
            discard_say(x, values->task, path.text);
    }
    cs_strbuf_release(&path);
    cs_strbuf_release(&background);
    return status;
}

int cs_run_discard(struct cs_run_executor *x, const struct cs_run_attempt *attempt,
                   struct cs_error *err)
{
    const struct cs_run_checkpoint *c = x->setup.task[attempt->task].settings->checkpoint;
    struct cs_run_values values = cs_run_values_of(x, attempt);
    int status = 0;

    values.makes = true;
    if (c && (remove_file(&values, c->stop.file, err) || remove_file(&values, c->save.file, err)))
        return -1;
    if (!c || !x->run.usage[attempt->task].again || attempt->restarts)
        return 0;
    for (int k = 0; !status && k < c->saved.count; k++)
        status = set_background(x, &values, c->saved.text[k], err);
    if (!status && c->done)
        status = set_background(x, &values, c->done, err);
    return status;
}
