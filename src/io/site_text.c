/* site_text.c - the lines of a slurm.conf, and records of scontrol. */
#include "base/plain.h"
#include "io/site_conf.h"

#include <string.h>

/* Lines that are put together at '\', without comments.  1, 0 or -1 as cs_lines_next. */
static int next_line(struct cs_conf *c, struct cs_strbuf *text, struct cs_error *err)
{
    size_t length;
    char *line;
    int status;

    cs_strbuf_clear(text);
    while ((status = cs_lines_next(c->lines, &line, &length, err)) > 0) {
        bool more;

        if (!strstr(line, " Arch="))
            line[strcspn(line, "#")] = '\0';
        length = strlen(line);
        while (length && strchr(" \t", line[length - 1]))
            length--;
        more = length && line[length - 1] == '\\';
        cs_strbuf_append(text, line, length - more);
        if (!more)
            return 1;
        cs_strbuf_putc(text, ' ');
    }
    return status < 0 ? -1 : text->length > 0;
}

/* ---- scontrol show config ---- */

/* "Key = value" of the configuration: the value without its unit; NULL: another line. */
static char *cut_setting(char *text, char **key)
{
    static const char *const unit[] = {" sec", " min", " MB"};
    char *equals = strchr(text, '='), *end, *value;

    if (!equals)
        return NULL;
    *key = text + strspn(text, " \t");
    (*key)[strcspn(*key, " \t=[")] = '\0';
    value = equals + 1 + strspn(equals + 1, " \t");
    end = value + strlen(value);
    for (size_t u = 0; u < sizeof unit / sizeof *unit; u++) {
        const size_t length = strlen(unit[u]);

        if (end - value > (ptrdiff_t)length && !strcmp(end - length, unit[u]))
            *(end - length) = '\0';
    }
    return value;
}

static int read_setting(struct cs_conf *c, char *text, struct cs_error *err)
{
    char *key, *value = cut_setting(text, &key);

    if (!value || !*value || !cs_plain_compare(value, "(null)"))
        return 0;
    return cs_conf_key_read(c, key, value, err);
}

/* ---- records ---- */

static bool begins_record(const char *text)
{
    return cs_plain_begins(text, "NodeName=") || cs_plain_begins(text, "PartitionName=");
}

static bool is_record(const char *text)
{
    return begins_record(text) &&
           (strstr(text, " Arch=") || strstr(text, " AllowGroups=") || strstr(text, " CPUAlloc="));
}

/* Lines of scontrol that are indented belong to the record; the first of them begins with a key
 * that a slurm.conf does not have. `bytes` is the rest. */
static bool goes_on(const char *record, const char *bytes, size_t size)
{
    static const char *const key[] = {"CPUAlloc=", "AllowGroups="};
    size_t blank = 0;

    while (blank < size && (bytes[blank] == ' ' || bytes[blank] == '\t'))
        blank++;
    if (blank == 0 || blank == size || strchr("\r\n", bytes[blank]))
        return false;
    for (size_t k = 0; k < sizeof key / sizeof *key; k++)
        if (size - blank > strlen(key[k]) && !memcmp(bytes + blank, key[k], strlen(key[k])))
            return true;
    return is_record(record);
}

static int read_record(struct cs_conf *c, const char *first, struct cs_error *err)
{
    struct cs_strbuf record = CS_STRBUF_INIT, more = CS_STRBUF_INIT;
    const char *bytes;
    size_t size;
    int status = 0;

    cs_strbuf_puts(&record, first);
    while (!status && !cs_lines_peek(c->lines, &bytes, &size, err) &&
           goes_on(record.text, bytes, size)) {
        status = next_line(c, &more, err) < 0 ? -1 : 0;
        cs_strbuf_printf(&record, " %s", more.text);
    }
    c->scontrol = is_record(record.text);
    if (!status)
        status = cs_conf_line_read(c, record.text, err);
    c->scontrol = false;
    cs_strbuf_release(&more);
    cs_strbuf_release(&record);
    return status;
}

static int read_plain(struct cs_conf *c, char *text, bool setting, struct cs_error *err)
{
    return setting ? read_setting(c, text, err) : cs_conf_line_read(c, text, err);
}

int cs_conf_text_read(struct cs_conf *c, struct cs_error *err)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    bool settings = false;
    int status;

    while ((status = next_line(c, &text, err)) > 0) {
        const bool record = begins_record(text.text);

        settings = !record && (settings || cs_plain_begins(text.text, "Configuration data as of"));
        status = record ? read_record(c, text.text, err) : read_plain(c, text.text, settings, err);
        if (status < 0)
            break;
    }
    cs_strbuf_release(&text);
    return status;
}
