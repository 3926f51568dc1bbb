/* chart_export.c - SVG to PNG and PDF through librsvg and cairo, and pictures to files. */
#include "report/chart_export.h"

#include "base/background.h"
#include "base/file.h"
#include "base/guard.h"
#include "config.h"

#include <stdbool.h>
#include <string.h>

#if CS_HAVE_PNG

#include <cairo-pdf.h>
#include <cairo.h>
#include <dlfcn.h>
#include <librsvg/rsvg.h>
#include <math.h>
#include <stdatomic.h>
#include <unistd.h>

#define LARGEST 30000
#define GONE "cannot draw the picture: " LIBRARY " gave up; is there no memory?"
#define LONGEST 60 /* seconds until the library is loaded */
#define UNITS_AN_INCH 96.0
#define POINTS_AN_INCH 72.0
#define LIBRARY CS_RSVG_LIBRARY

/* The functions that are used: cairo and GLib come with librsvg. */
#define FUNCTIONS                                                                                  \
    FUNCTION(g_memory_input_stream_new_from_data)                                                  \
    FUNCTION(g_object_unref)                                                                       \
    FUNCTION(g_error_free)                                                                         \
    FUNCTION(g_log_set_default_handler)                                                            \
    FUNCTION(rsvg_handle_new_from_stream_sync)                                                     \
    FUNCTION(rsvg_handle_render_document)                                                          \
    FUNCTION(rsvg_handle_get_intrinsic_size_in_pixels)                                             \
    FUNCTION(cairo_create)                                                                         \
    FUNCTION(cairo_destroy)                                                                        \
    FUNCTION(cairo_image_surface_create)                                                           \
    FUNCTION(cairo_pdf_surface_create_for_stream)                                                  \
    FUNCTION(cairo_pdf_surface_set_metadata)                                                       \
    FUNCTION(cairo_surface_write_to_png_stream)                                                    \
    FUNCTION(cairo_surface_finish)                                                                 \
    FUNCTION(cairo_surface_status)                                                                 \
    FUNCTION(cairo_surface_destroy)

static struct {
#define FUNCTION(name) __typeof__(&name) name;
    FUNCTIONS
#undef FUNCTION
} lib;

/* GLib ends the process where there is no memory, also while it is loaded, or waits for itself. */
static int picture_load(void *nobody, struct cs_strbuf *out, struct cs_error *err)
{
    void *library, *function;

    (void)nobody;
    (void)out;
    alarm(LONGEST);
    library = function = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    alarm(0);
#define FUNCTION(name)                                                                             \
    if (function)                                                                                  \
        function = dlsym(library, #name);                                                          \
    memcpy(&lib.name, &function, sizeof function);
    FUNCTIONS
#undef FUNCTION
    return function ? 0
                    : cs_error_set_as(err, CS_ERROR_MISSING,
                                      "cannot draw the picture: " LIBRARY " is not installed "
                                      "(librsvg2-2 on Debian); or ask for .svg");
}

static int picture_available(struct cs_error *err)
{
    static atomic_bool known;
    struct cs_strbuf nothing = CS_STRBUF_INIT;
    int status = known ? 0 : cs_background_run(picture_load, NULL, GONE, &nothing, err);

    known = known || !status;
    cs_strbuf_release(&nothing);
    return status;
}

/* Errors of memory return through this callback, so cairo releases its own memory. */
static cairo_status_t picture_append(void *closure, const unsigned char *bytes, unsigned length)
{
    CS_GUARD_INNER(NULL, CAIRO_STATUS_NO_MEMORY);

    cs_strbuf_append(closure, (const char *)bytes, length);
    return CAIRO_STATUS_SUCCESS;
}

static int picture_fail(struct cs_error *err, GError *error)
{
    cs_error_set(err, "cannot draw the picture: %s", error ? error->message : "unknown reason");
    if (error)
        lib.g_error_free(error);
    return -1;
}

/* An SVG text and its size. */
struct drawing {
    RsvgHandle *handle;
    double width, height; /* units of SVG */
};

/* Large pictures have long paths: without the flag libxml2 refuses them. */
static int open_drawing(const char *svg, struct drawing *drawing, struct cs_error *err)
{
    GError *error = NULL;
    GInputStream *stream;

    stream = lib.g_memory_input_stream_new_from_data(svg, (gssize)strlen(svg), NULL);
    drawing->handle = lib.rsvg_handle_new_from_stream_sync(stream, NULL, RSVG_HANDLE_FLAG_UNLIMITED,
                                                           NULL, &error);
    lib.g_object_unref(stream);
    if (!drawing->handle)
        return picture_fail(err, error);
    if (lib.rsvg_handle_get_intrinsic_size_in_pixels(drawing->handle, &drawing->width,
                                                     &drawing->height))
        return 0;
    lib.g_object_unref(drawing->handle);
    return cs_error_set(err, "cannot draw the chart: it has no size");
}

static int picture_render(const struct drawing *drawing, cairo_surface_t *surface, double width,
                          double height, struct cs_error *err)
{
    const RsvgRectangle area = {.width = width, .height = height};
    GError *error = NULL;
    cairo_t *cairo = lib.cairo_create(surface);
    gboolean drawn = lib.rsvg_handle_render_document(drawing->handle, cairo, &area, &error);

    lib.cairo_destroy(cairo);
    return drawn ? 0 : picture_fail(err, error);
}

static int out_of_memory(struct cs_error *err)
{
    return cs_error_set(err, "cannot draw the picture: out of memory");
}

static int render_png(const struct drawing *drawing, double scale, struct cs_strbuf *png,
                      struct cs_error *err)
{
    double width = ceil(drawing->width * scale), height = ceil(drawing->height * scale);
    cairo_surface_t *surface;
    int failed;

    if (!(width >= 1 && height >= 1 && width <= LARGEST && height <= LARGEST))
        return cs_error_set(err,
                            "cannot draw a picture of %.0f x %.0f pixels: 1 to %d are possible",
                            width, height, LARGEST);
    surface = lib.cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)width, (int)height);
    failed = picture_render(drawing, surface, width, height, err);
    if (!failed &&
        lib.cairo_surface_write_to_png_stream(surface, picture_append, png) != CAIRO_STATUS_SUCCESS)
        failed = out_of_memory(err);
    lib.cairo_surface_destroy(surface);
    return failed;
}

/* The date of its making would make every file another one. */
static int render_pdf(const struct drawing *drawing, struct cs_strbuf *pdf, struct cs_error *err)
{
    double width = drawing->width / UNITS_AN_INCH * POINTS_AN_INCH;
    double height = drawing->height / UNITS_AN_INCH * POINTS_AN_INCH;
    cairo_surface_t *surface =
        lib.cairo_pdf_surface_create_for_stream(picture_append, pdf, width, height);
    int failed;

    lib.cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE,
                                       "1970-01-01T00:00:00Z");
    failed = picture_render(drawing, surface, width, height, err);
    lib.cairo_surface_finish(surface);
    if (!failed && lib.cairo_surface_status(surface) != CAIRO_STATUS_SUCCESS)
        failed = out_of_memory(err);
    lib.cairo_surface_destroy(surface);
    return failed;
}

/* GLib deadlocks when it reports that it has no memory. */
static void end_where_fatal(const char *domain, GLogLevelFlags level, const char *text, void *who)
{
    (void)domain;
    (void)text;
    (void)who;
    if (level & (G_LOG_FLAG_FATAL | G_LOG_LEVEL_ERROR))
        _exit(1);
}

struct wanted {
    const char *svg;
    bool png; /* of so many dots an inch; otherwise a PDF */
    double dpi;
};

static int picture_draw(void *who, struct cs_strbuf *out, struct cs_error *err)
{
    const struct wanted *wanted = who;
    struct drawing drawing;
    int failed;

    if (picture_load(NULL, out, err))
        return -1;
    lib.g_log_set_default_handler(end_where_fatal, NULL);
    if (open_drawing(wanted->svg, &drawing, err))
        return -1;
    failed = wanted->png ? render_png(&drawing, wanted->dpi / UNITS_AN_INCH, out, err)
                         : render_pdf(&drawing, out, err);
    lib.g_object_unref(drawing.handle);
    return failed;
}

static int draw_background(struct wanted wanted, struct cs_strbuf *out, struct cs_error *err)
{
    return picture_available(err) || cs_background_run(picture_draw, &wanted, GONE, out, err) ? -1
                                                                                              : 0;
}

int cs_chart_png(const char *svg, double dpi, struct cs_strbuf *png, struct cs_error *err)
{
    return draw_background((struct wanted){svg, true, dpi}, png, err);
}

int cs_chart_pdf(const char *svg, struct cs_strbuf *pdf, struct cs_error *err)
{
    return draw_background((struct wanted){svg, false, 0}, pdf, err);
}

#else

static int picture_available(struct cs_error *err)
{
    return cs_error_set_as(err, CS_ERROR_MISSING,
                           "this build makes no PNG and no PDF: install librsvg2-dev and "
                           "libcairo2-dev and build again, or ask for .svg");
}

int cs_chart_png(const char *svg, double dpi, struct cs_strbuf *png, struct cs_error *err)
{
    (void)svg;
    (void)dpi;
    (void)png;
    return picture_available(err);
}

int cs_chart_pdf(const char *svg, struct cs_strbuf *pdf, struct cs_error *err)
{
    (void)svg;
    (void)pdf;
    return picture_available(err);
}

#endif

static bool ends_with(const char *path, const char *suffix)
{
    size_t length = strlen(path), ending = strlen(suffix);

    return length > ending && !strcmp(path + length - ending, suffix);
}

int cs_chart_check(const char *path, struct cs_error *err)
{
    CS_ASK(path, err, -1);
    if (ends_with(path, ".svg"))
        return 0;
    if (!ends_with(path, ".png") && !ends_with(path, ".pdf"))
        return cs_error_set(err, "%s: a picture is written as .svg, .pdf or .png", path);
    return picture_available(err);
}

char *cs_chart_image(const char *svg, const char *form, double dpi, size_t *length,
                     struct cs_error *err)
{
    CS_ASK(svg && form, err, NULL);
    CS_GUARD(err, NULL);
    struct cs_strbuf bytes = CS_STRBUF_INIT;
    int failed;

    if (!strcmp(form, "png"))
        failed = cs_chart_png(svg, dpi, &bytes, err);
    else if (!strcmp(form, "pdf"))
        failed = cs_chart_pdf(svg, &bytes, err);
    else
        failed = cs_error_set(err, "a picture cannot be \"%s\"; it can be png or pdf", form);
    if (length)
        *length = bytes.length;
    if (!failed)
        return cs_strbuf_take(&bytes);
    cs_strbuf_release(&bytes);
    return NULL;
}

int cs_chart_write(const char *path, const char *svg, double dpi, struct cs_error *err)
{
    CS_ASK(path && svg, err, -1);
    CS_GUARD(err, -1);
    struct cs_strbuf bytes = CS_STRBUF_INIT;
    int failed = cs_chart_check(path, err);

    if (!failed && ends_with(path, ".svg"))
        return cs_file_write(path, svg, strlen(svg), err);
    if (!failed)
        failed = ends_with(path, ".pdf") ? cs_chart_pdf(svg, &bytes, err)
                                         : cs_chart_png(svg, dpi, &bytes, err);
    if (!failed)
        failed = cs_file_write(path, bytes.text, bytes.length, err);
    cs_strbuf_release(&bytes);
    return failed;
}
