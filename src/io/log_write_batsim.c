/* log_write_batsim.c - a log as a workload that Batsim reads. */
#include "io/log_write.h"

#include "base/jsonw.h"
#include "io/names.h"

static const char *profile_of(double seconds, struct cs_strbuf *text)
{
    cs_strbuf_clear(text);
    cs_strbuf_put_double(text, seconds);
    return text->text;
}

static void log_write_batsim_put_job(const struct cs_log_kept *job, const char *profile,
                                     struct cs_jsonw *w)
{
    cs_jsonw_open_flat(w, '{');
    cs_jsonw_put_string(w, "id", job->name);
    cs_jsonw_put_double(w, "subtime", job->submit);
    cs_jsonw_put_int(w, "res", job->procs);
    cs_jsonw_put_double(w, "walltime", job->request > 0 ? job->request : -1);
    cs_jsonw_put_string(w, "profile", profile);
    cs_jsonw_close(w);
}

static void put_profile(const char *name, double seconds, struct cs_jsonw *w)
{
    cs_jsonw_key(w, name);
    cs_jsonw_open_flat(w, '{');
    cs_jsonw_put_string(w, "type", "delay");
    cs_jsonw_put_double(w, "delay", seconds);
    cs_jsonw_close(w);
}

void cs_log_table_put_batsim(const struct cs_log_table *table, const char *command,
                             struct cs_strbuf *out)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_names *profiles = cs_names_create(arena);
    struct cs_strbuf text = CS_STRBUF_INIT;
    struct cs_jsonw w = cs_jsonw_begin(out);

    cs_jsonw_open(&w, '{');
    cs_jsonw_put_string(&w, "description", command);
    cs_jsonw_put_int(&w, "nb_res", table->machine ? table->machine : table->widest);
    cs_jsonw_key(&w, "jobs");
    cs_jsonw_open(&w, '[');
    for (int64_t j = 0; j < table->count; j++)
        log_write_batsim_put_job(&table->job[j], profile_of(table->job[j].seconds, &text), &w);
    cs_jsonw_close(&w);
    cs_jsonw_key(&w, "profiles");
    cs_jsonw_open(&w, '{');
    for (int64_t j = 0; j < table->count; j++)
        if (cs_names_find(profiles, profile_of(table->job[j].seconds, &text)) < 0) {
            cs_names_add(profiles, text.text);
            put_profile(text.text, table->job[j].seconds, &w);
        }
    cs_jsonw_close(&w);
    cs_jsonw_close(&w);
    cs_jsonw_end(&w);
    cs_strbuf_release(&text);
    cs_arena_destroy(arena);
}
