/* work.c - the public functions that begin a run and go on with it. */
#include "run/work.h"

#include "base/guard.h"
#include "base/plain.h"
#include "run/request.h"

#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

static struct cs_run_terms terms_of(const struct cs_run_options *options)
{
    return (struct cs_run_terms){
        .durable = options->durable,
        .kills = options->kill,
        .retries = options->retry_failed,
        .declare_lost = options->declare_lost,
        .slots = options->slots,
        .margin = options->margin,
        .poll = options->poll,
        .signals = options->signals,
    };
}

static void tell(const struct cs_run_executor *x, enum cs_run_ending ending,
                 struct cs_run_ended *ended)
{
    const int *in_state = x->run.in_state;

    *ended = (struct cs_run_ended){
        .ending = ending,
        .signal = ending == CS_RUN_SIGNALLED ? x->signal : 0,
        .tasks = x->setup.tasks,
        .done = in_state[CS_RUN_DONE],
        .failed = in_state[CS_RUN_BROKEN],
        .skipped = in_state[CS_RUN_SKIPPED],
    };
    cs_plain_print(ended->folder, sizeof ended->folder, "%s", x->folder);
}

/* NULL: it could not begin. */
static int work(struct cs_run_executor *x, struct cs_run_look *look, struct cs_run_ended *ended,
                struct cs_error *err)
{
    enum cs_run_ending ending = CS_RUN_SIGNALLED;
    int status;

    if (!x)
        return -1;
    look->x = x;
    tell(x, CS_RUN_ASKED_TO_STOP, ended);
    if (look->watch && look->watch->foresee)
        look->forecast = cs_run_forecast_create(&x->setup, x->slots, look->watch->plan, x->arena);
    status = cs_run_executor_work(x, &ending, err);
    tell(x, status ? CS_RUN_ASKED_TO_STOP : ending, ended);
    look->x = NULL;
    cs_run_executor_destroy(x);
    return status;
}

static int begin(const struct cs_run_document *document, const char *folder,
                 const struct cs_run_options *options, struct cs_run_look *look,
                 struct cs_run_ended *ended, struct cs_error *err)
{
    const struct cs_run_watcher watcher = cs_run_watcher_of(look);
    struct cs_run_terms terms = terms_of(options);
    struct cs_strbuf text = CS_STRBUF_INIT;
    struct cs_run_executor *x;

    terms.file = document->file;
    cs_json_put(&text, document->json, 0);
    x = cs_run_executor_begin(folder, text.text, document->folder, document->input,
                              document->bytes.text, document->bytes.length, &terms, &watcher, err);
    cs_strbuf_release(&text);
    return work(x, look, ended, err);
}

static int check(const struct cs_run_options *options, const struct cs_run_watch *watch,
                 struct cs_error *err)
{
    if (cs_run_request_check(options, err))
        return -1;
    if (watch && cs_ask_size("a watch of a run", watch->size, sizeof *watch, err))
        return -1;
    return getauxval(AT_SECURE)
               ? cs_error_set(err, "a program that runs others is not to be set-uid")
               : 0;
}

int cs_run_start(const char *input, const char *folder, const struct cs_run_options *options,
                 const struct cs_run_watch *watch, struct cs_run_ended *ended, struct cs_error *err)
{
    CS_ASK(input && folder, err, -1);
    CS_GUARD(err, -1);
    struct cs_run_look look = {.watch = watch};
    struct cs_run_document *document;
    struct cs_run_options usual;
    const struct cs_run_options *how = options ? options : &usual;
    struct cs_run_ended own;
    struct cs_run_ended *out = ended ? ended : &own;
    struct cs_arena *arena;
    int status = -1;

    cs_run_defaults(&usual);
    *out = (struct cs_run_ended){.ending = CS_RUN_ASKED_TO_STOP};
    if (check(how, watch, err))
        return -1;
    arena = cs_arena_create();
    document = cs_run_request_open(input, how, false, arena, err);
    if (document && !strcmp(cs_run_request_engine(document), "dry")) {
        out->ending = CS_RUN_ONLY_DRY;
        status = 0;
    } else if (document) {
        status = begin(document, folder, how, &look, out, err);
    }
    cs_run_document_release(document);
    cs_arena_destroy(arena);
    return status;
}

int cs_run_resume(const char *folder, const struct cs_run_options *options,
                  const struct cs_run_watch *watch, struct cs_run_ended *ended,
                  struct cs_error *err)
{
    CS_ASK(folder, err, -1);
    CS_GUARD(err, -1);
    struct cs_run_look look = {.watch = watch};
    const struct cs_run_watcher watcher = cs_run_watcher_of(&look);
    struct cs_run_options usual;
    const struct cs_run_options *how = options ? options : &usual;
    struct cs_run_terms terms;
    struct cs_run_ended own;
    struct cs_run_ended *out = ended ? ended : &own;

    cs_run_defaults(&usual);
    *out = (struct cs_run_ended){.ending = CS_RUN_ASKED_TO_STOP};
    if (check(how, watch, err))
        return -1;
    terms = terms_of(how);
    return work(cs_run_executor_resume(folder, &terms, &watcher, err), &look, out, err);
}
