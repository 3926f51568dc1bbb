/* png.c - SVG to PNG through librsvg and cairo, and pictures to files. */
#include "report/png.h"

#include "base/file.h"
#include "config.h"

#include <stdbool.h>
#include <string.h>

#define NO_PNG                                                                                     \
    "this build has no PNG support: install librsvg2-dev and libcairo2-dev and build again, or "   \
    "ask for .svg"

#if CS_HAVE_PNG

#include <cairo.h>
#include <librsvg/rsvg.h>
#include <math.h>

#define LARGEST 30000

static cairo_status_t append(void *closure, const unsigned char *bytes, unsigned length)
{
    cs_strbuf_append(closure, (const char *)bytes, length);
    return CAIRO_STATUS_SUCCESS;
}

static int fail(struct cs_error *err, GError *error)
{
    cs_error_set(err, "cannot draw the picture: %s", error ? error->message : "unknown reason");
    g_clear_error(&error);
    return -1;
}

/* Large pictures have long paths: without the flag libxml2 refuses them. */
static RsvgHandle *load(const char *svg, struct cs_error *err)
{
    GError *error = NULL;
    GInputStream *stream = g_memory_input_stream_new_from_data(svg, (gssize)strlen(svg), NULL);
    RsvgHandle *handle =
        rsvg_handle_new_from_stream_sync(stream, NULL, RSVG_HANDLE_FLAG_UNLIMITED, NULL, &error);

    g_object_unref(stream);
    if (!handle)
        fail(err, error);
    return handle;
}

static int draw(RsvgHandle *handle, cairo_surface_t *surface, double width, double height,
                struct cs_error *err)
{
    const RsvgRectangle area = {.width = width, .height = height};
    GError *error = NULL;
    cairo_t *cairo = cairo_create(surface);
    gboolean drawn = rsvg_handle_render_document(handle, cairo, &area, &error);

    cairo_destroy(cairo);
    return drawn ? 0 : fail(err, error);
}

static int render(RsvgHandle *handle, double scale, struct cs_strbuf *png, struct cs_error *err)
{
    double width, height;
    cairo_surface_t *surface;
    int failed;

    if (!rsvg_handle_get_intrinsic_size_in_pixels(handle, &width, &height))
        return cs_error_set(err, "cannot draw the picture: it does not say how large it is");
    width = ceil(width * scale);
    height = ceil(height * scale);
    if (!(width >= 1 && height >= 1 && width <= LARGEST && height <= LARGEST))
        return cs_error_set(err,
                            "cannot draw a picture of %.0f x %.0f pixels: 1 to %d are possible",
                            width, height, LARGEST);
    surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)width, (int)height);
    failed = draw(handle, surface, width, height, err);
    if (!failed && cairo_surface_write_to_png_stream(surface, append, png) != CAIRO_STATUS_SUCCESS)
        failed = cs_error_set(err, "cannot draw the picture: out of memory");
    cairo_surface_destroy(surface);
    return failed;
}

int cs_png_render(const char *svg, double scale, struct cs_strbuf *png, struct cs_error *err)
{
    RsvgHandle *handle = load(svg, err);
    int failed;

    if (!handle)
        return -1;
    failed = render(handle, scale, png, err);
    g_object_unref(handle);
    return failed;
}

#else

int cs_png_render(const char *svg, double scale, struct cs_strbuf *png, struct cs_error *err)
{
    (void)svg;
    (void)scale;
    (void)png;
    return cs_error_set(err, NO_PNG);
}

#endif

static bool ends_with(const char *path, const char *suffix)
{
    size_t length = strlen(path), ending = strlen(suffix);

    return length > ending && !strcmp(path + length - ending, suffix);
}

int cs_picture_check(const char *path, struct cs_error *err)
{
    if (ends_with(path, ".svg"))
        return 0;
    if (!ends_with(path, ".png"))
        return cs_error_set(err, "%s: a picture is written as .svg or .png", path);
    return CS_HAVE_PNG ? 0 : cs_error_set(err, NO_PNG);
}

int cs_picture_write(const char *path, const char *svg, struct cs_error *err)
{
    struct cs_strbuf png = CS_STRBUF_INIT;
    int failed = cs_picture_check(path, err);

    if (!failed && ends_with(path, ".svg"))
        return cs_file_write(path, svg, strlen(svg), err);
    if (!failed)
        failed = cs_png_render(svg, 2, &png, err);
    if (!failed)
        failed = cs_file_write(path, png.text, png.length, err);
    cs_strbuf_release(&png);
    return failed;
}
