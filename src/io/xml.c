/* xml.c - libexpat, or the sentence that it is not there. */
#include "io/xml.h"

#include "base/bug.h"
#include "base/guard.h"
#include "base/plain.h"
#include "config.h"

#include <stdarg.h>
#include <string.h>

const char *cs_xml_attribute(const char **attribute, const char *name)
{
    for (; attribute[0]; attribute += 2)
        if (!strcmp(attribute[0], name))
            return attribute[1];
    return NULL;
}

#if CS_HAVE_EXPAT

#include <expat.h>

#define PIECE (1 << 20) /* expat counts in int */

/* Where this function exists, the one that counts in unsigned long is deprecated. */
#if CS_HAVE_EXPAT_LINES_64
#define LINE_NUMBER XML_GetCurrentLineNumber64
#else
#define LINE_NUMBER XML_GetCurrentLineNumber
#endif

struct cs_xml {
    const char *file;
    XML_Parser parser;
    const struct cs_xml_reader *reader;
    void *who;
    struct cs_error *err;
    int status;
};

int cs_xml_error(const struct cs_xml *xml, struct cs_error *err, const char *format, ...)
{
    struct cs_error fault = {0};
    va_list args;

    va_start(args, format);
    cs_plain_vprint(fault.text, sizeof fault.text, format, args);
    va_end(args);
    return cs_error_set(err, "%s:%lu: %s", xml->file, (unsigned long)LINE_NUMBER(xml->parser),
                        fault.text);
}

static void xml_stop(struct cs_xml *xml)
{
    xml->status = -1;
    XML_StopParser(xml->parser, XML_FALSE);
}

/* Handlers return to expat also when memory runs out: it releases no parser that is in a handler.
 */
static int xml_read_begin(struct cs_xml *xml, const char *element, const char **attribute)
{
    CS_GUARD_INNER(xml->err, -1);
    return xml->reader->begin(xml->who, xml, element, attribute, xml->err);
}

static int xml_read_end(struct cs_xml *xml, const char *element)
{
    CS_GUARD_INNER(xml->err, -1);
    return xml->reader->end(xml->who, xml, element, xml->err);
}

static void xml_begin(void *data, const char *element, const char **attribute)
{
    struct cs_xml *xml = data;

    if (xml->status == 0 && xml_read_begin(xml, element, attribute))
        xml_stop(xml);
}

static void xml_end(void *data, const char *element)
{
    struct cs_xml *xml = data;

    if (xml->status == 0 && xml_read_end(xml, element))
        xml_stop(xml);
}

static int xml_feed(struct cs_xml *xml, const char *bytes, size_t size)
{
    for (;;) {
        int piece = size < PIECE ? (int)size : PIECE, last = (size_t)piece == size;

        if (XML_Parse(xml->parser, bytes, piece, last) != XML_STATUS_OK) {
            if (XML_GetErrorCode(xml->parser) == XML_ERROR_NO_MEMORY)
                cs_bug_no_memory(0);
            if (xml->status == 0)
                cs_xml_error(xml, xml->err, "%s", XML_ErrorString(XML_GetErrorCode(xml->parser)));
            return -1;
        }
        if (last)
            return xml->status;
        bytes += piece;
        size -= (size_t)piece;
    }
}

static void parser_release(void *parser)
{
    XML_ParserFree(parser);
}

int cs_xml_parse(const char *file, const char *bytes, size_t size,
                 const struct cs_xml_reader *reader, void *who, struct cs_error *err)
{
    struct cs_xml xml = {file, XML_ParserCreate(NULL), reader, who, err, 0};
    CS_HOLD(held);

    if (!xml.parser)
        cs_bug_no_memory(0);
    cs_hold(&held, xml.parser, parser_release);
    XML_SetUserData(xml.parser, &xml);
    XML_SetElementHandler(xml.parser, xml_begin, xml_end);
    return xml_feed(&xml, bytes, size);
}

#else

int cs_xml_error(const struct cs_xml *xml, struct cs_error *err, const char *format, ...)
{
    (void)xml;
    return cs_error_set(err, "%s", format);
}

int cs_xml_parse(const char *file, const char *bytes, size_t size,
                 const struct cs_xml_reader *reader, void *who, struct cs_error *err)
{
    (void)bytes;
    (void)size;
    (void)reader;
    (void)who;
    return cs_error_set_as(err, CS_ERROR_MISSING,
                           "%s is XML, which this build cannot read: it was made without libexpat",
                           file);
}

#endif
