/* output.c - files of an experiment's results. */
#include "campaign/output.h"
#include "base/file.h"
#include "campaign/store.h"
#include "report/chart_export.h"
#include "report/table.h"

#include <math.h>
#include <string.h>

/* Claims of a paper next to the results, for programs and pages. */

static void put_check(const struct cs_results *results, const struct cs_check *check,
                      struct cs_jsonw *w)
{
    static const char *const relation[] = {
        [CS_BELOW] = "<",           [CS_AT_MOST] = "<=",      [CS_ABOVE] = ">",
        [CS_AT_LEAST] = ">=",       [CS_BETWEEN] = "between", [CS_BETTER] = "better",
        [CS_SAME] = "no difference"};
    double found, wanted;
    enum cs_finding finding = cs_check_finding(results, check, &found, &wanted);

    cs_jsonw_open(w, '{');
    cs_jsonw_put_string(w, "label", check->label);
    cs_jsonw_put_bool(w, "counted", !check->extra);
    cs_jsonw_put_double(w, "found", found);
    cs_jsonw_put_double(w, "confidence95", cs_check_error(results, check));
    if (cs_experiment_has_second(results->experiment))
        cs_jsonw_put_double(w, "second", cs_check_second(results, check));
    cs_jsonw_put_string(w, "relation", relation[check->relation]);
    cs_jsonw_put_double(w, "wanted", wanted);
    cs_jsonw_put_double(w, "to", check->relation == CS_BETWEEN ? check->high : NAN);
    if (check->relation >= CS_BETTER)
        cs_jsonw_put_double(w, "p", cs_check_p(results, check));
    cs_jsonw_put_string(w, "verdict", isnan(found) ? NULL : cs_finding_word(finding));
    cs_jsonw_close(w);
}

/* "4 of 5" */
static void put_seeds(const struct cs_results *results, const struct cs_claim *claim,
                      struct cs_jsonw *w)
{
    struct cs_strbuf seeds = CS_STRBUF_INIT;

    cs_strbuf_printf(&seeds, "%d of %d", cs_claim_seeds(results, claim),
                     results->experiment->seeds);
    cs_jsonw_put_string(w, "seeds", seeds.text);
    cs_strbuf_release(&seeds);
}

static void put_claim(const struct cs_results *results, int c, struct cs_jsonw *w)
{
    const struct cs_claim *claim = &results->experiment->claim[c];
    const struct cs_tally tally = cs_claim_tally(results, claim);
    struct cs_strbuf words = CS_STRBUF_INIT;

    cs_claim_put_words(results, claim, &words);
    cs_jsonw_open(w, '{');
    cs_jsonw_put_string(w, "paper", results->experiment->name);
    cs_jsonw_put_int(w, "claim", c + 1);
    cs_jsonw_put_string(w, "verdict", cs_claim_verdict(results, claim));
    cs_jsonw_put_string(w, "words", words.text);
    if (results->experiment->seeds > 1)
        put_seeds(results, claim, w);
    cs_jsonw_put_bool(w, "stand_in", claim->stand_in);
    cs_jsonw_put_int(w, "checks_counted", tally.checks);
    cs_jsonw_put_int(w, "checks_agree", tally.agree);
    cs_jsonw_put_int(w, "checks_differ", tally.differ);
    cs_jsonw_put_int(w, "checks_open", tally.open);
    if (cs_experiment_has_second(results->experiment))
        cs_jsonw_put_string(w, "second_title", results->experiment->second->title);
    cs_jsonw_put_string(w, "text", claim->text);
    cs_jsonw_put_string(w, "reading", claim->reading);
    cs_jsonw_put_string(w, "remark", claim->remark);
    cs_jsonw_put_string(w, "unchecked", claim->unchecked);
    cs_jsonw_key(w, "checks");
    cs_jsonw_open(w, '[');
    for (int k = 0; k < claim->count; k++)
        put_check(results, &claim->check[k], w);
    cs_jsonw_close(w);
    cs_jsonw_close(w);
    cs_strbuf_release(&words);
}

void cs_output_put_claims(const struct cs_results *results, struct cs_jsonw *w)
{
    cs_jsonw_open(w, '[');
    for (int c = 0; c < results->experiment->claims; c++)
        put_claim(results, c, w);
    cs_jsonw_close(w);
}

/* Every value, one a row. */

/* The metrics of the problem that are drawn or that a claim is about. */
static void mark_used(const struct cs_experiment *experiment, bool *used)
{
    for (int m = 0; m < experiment->metrics; m++)
        used[experiment->metric[m].index] = true;
    for (int c = 0; c < experiment->claims; c++)
        for (int k = 0; k < experiment->claim[c].count; k++) {
            const struct cs_check *check = &experiment->claim[c].check[k];

            used[check->value.metric] = true;
            if (check->other)
                used[check->other->metric] = true;
        }
}

static void output_csv_put_row(const struct cs_results *results, int c, int m,
                               struct cs_strbuf *out)
{
    const struct cs_experiment *experiment = results->experiment;
    const struct cs_cell *cell = &experiment->cell[c];
    const int *at = experiment->combination[cell->combination].at;
    double value = results->value[(size_t)c * (size_t)results->metrics + (size_t)m];

    if (isnan(value))
        return;
    for (int a = 0; a < experiment->axes; a++) {
        if (at[a] >= 0)
            cs_table_put_csv(out, experiment->axis[a].value[at[a]].name);
        cs_strbuf_putc(out, ',');
    }
    cs_strbuf_printf(out, "%d,%s,%.17g\n",
                     cs_experiment_replicate(experiment, cell->combination, cell->replicate),
                     cs_cell_metrics(experiment->problem)[m].name, value);
}

void cs_output_csv(const struct cs_results *results, struct cs_strbuf *out)
{
    const struct cs_experiment *experiment = results->experiment;
    bool used[CS_CELL_METRICS] = {false};

    mark_used(experiment, used);
    for (int a = 0; a < experiment->axes; a++) {
        cs_table_put_csv(out, experiment->axis[a].name);
        cs_strbuf_putc(out, ',');
    }
    cs_strbuf_puts(out, "replicate,metric,value\n");
    for (int c = 0; c < experiment->count; c++)
        for (int m = 0; m < results->metrics; m++)
            if (used[m])
                output_csv_put_row(results, c, m, out);
}

/* The figure of one document of a store. */

static void output_store_put_names(const struct cs_document *document, int count,
                                   struct cs_strbuf *out)
{
    for (int d = 0; d < count; d++)
        cs_strbuf_printf(out, "%s%s", d ? ", " : "", document[d].name);
}

/* The one of that name; the last, if it was run several times. */
static const struct cs_document *output_store_choose(const char *path,
                                                     const struct cs_document *document, int count,
                                                     const char *name, struct cs_error *err)
{
    const struct cs_document *chosen = NULL;
    struct cs_strbuf names = CS_STRBUF_INIT;

    for (int d = 0; d < count; d++)
        if (name ? !strcmp(document[d].name, name) : count == 1)
            chosen = &document[d];
    output_store_put_names(document, count, &names);
    if (!count)
        cs_error_set(err, "%s: the store has no runs yet", path);
    else if (!chosen && name)
        cs_error_set(err, "%s: has no figure %s, but %s", path, name, names.text);
    else if (!chosen)
        cs_error_set(err, "%s: has several figures, name one of them: %s", path, names.text);
    cs_strbuf_release(&names);
    return chosen;
}

static int output_store_draw(struct cs_store *store, const struct cs_document *document,
                             const struct cs_figure_style *appearance, struct cs_strbuf *out,
                             struct cs_error *err)
{
    struct cs_experiment *experiment = cs_experiment_compile(document, err);
    struct cs_results *results = experiment ? cs_results_create(experiment) : NULL;
    int status = results ? cs_results_load(results, store, err) : -1;

    if (!status)
        status = cs_output_svg(results, appearance, out, err);
    cs_results_destroy(results);
    cs_experiment_destroy(experiment);
    return status;
}

int cs_output_svg_of_store(const char *path, const char *name,
                           const struct cs_figure_style *appearance, struct cs_strbuf *out,
                           struct cs_error *err)
{
    struct cs_store *store = cs_store_open(path, CS_STORE_READ, err);
    struct cs_arena *arena = cs_arena_create();
    const struct cs_document *document = NULL;
    struct cs_document *list;
    int count, status = -1;

    if (store && !cs_store_begin(store, err)) {
        if (!cs_store_documents(store, arena, &list, &count, err))
            document = output_store_choose(path, list, count, name, err);
        if (document)
            status = output_store_draw(store, document, appearance, out, err);
        cs_store_rollback(store);
    }
    cs_store_close(store);
    cs_arena_destroy(arena);
    return status;
}

void cs_output_stem(const struct cs_experiment *experiment, struct cs_strbuf *out)
{
    for (const char *c = experiment->name; *c; c++)
        cs_strbuf_putc(out, *c == '/' ? '-' : *c);
}

static int write_file(const char *folder, const char *stem, const char *ending,
                      const struct cs_strbuf *bytes, struct cs_error *err)
{
    struct cs_strbuf path = CS_STRBUF_INIT;
    int status;

    cs_strbuf_printf(&path, "%s/%s.%s", folder, stem, ending);
    status = cs_file_write(path.text, bytes->text, bytes->length, err);
    cs_strbuf_release(&path);
    return status;
}

static int write_csv(const struct cs_results *results, const char *folder, const char *stem,
                     struct cs_error *err)
{
    struct cs_strbuf csv = CS_STRBUF_INIT;
    int status;

    cs_output_csv(results, &csv);
    status = write_file(folder, stem, "csv", &csv, err);
    cs_strbuf_release(&csv);
    return status;
}

/* A build that can may be on a machine that has no librsvg. */
static bool makes_png(void)
{
    return !cs_chart_check("figure.png", NULL);
}

static int write_pictures(const struct cs_results *results, const char *folder, const char *stem,
                          struct cs_error *err)
{
    struct cs_strbuf svg = CS_STRBUF_INIT, png = CS_STRBUF_INIT;
    int status = cs_output_svg(results, NULL, &svg, err);

    if (!status)
        status = write_file(folder, stem, "svg", &svg, err);
    if (!status && makes_png()) {
        status = cs_chart_png(svg.text, CS_CHART_DPI, &png, err);
        if (!status)
            status = write_file(folder, stem, "png", &png, err);
    }
    cs_strbuf_release(&svg);
    cs_strbuf_release(&png);
    return status;
}

static int write_markdown(const struct cs_results *results, const char *folder, const char *stem,
                          const char *command, struct cs_error *err)
{
    struct cs_strbuf markdown = CS_STRBUF_INIT, image = CS_STRBUF_INIT;
    int status;

    cs_strbuf_printf(&image, "%s.%s", stem, makes_png() ? "png" : "svg");
    cs_output_markdown(results, command, image.text, &markdown);
    status = write_file(folder, stem, "md", &markdown, err);
    cs_strbuf_release(&markdown);
    cs_strbuf_release(&image);
    return status;
}

int cs_output_write(const struct cs_results *results, const char *folder, const char *command,
                    struct cs_error *err)
{
    struct cs_strbuf stem = CS_STRBUF_INIT;
    int status;

    cs_output_stem(results->experiment, &stem);
    status = cs_file_make_directories(folder, err) || write_csv(results, folder, stem.text, err) ||
                     write_pictures(results, folder, stem.text, err) ||
                     write_markdown(results, folder, stem.text, command, err)
                 ? -1
                 : 0;
    cs_strbuf_release(&stem);
    return status;
}
