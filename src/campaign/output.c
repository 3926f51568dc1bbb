/* output.c - files of an experiment's results. */
#include "campaign/output.h"

#include "base/file.h"
#include "report/picture.h"

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
