/* xml.h - elements of an XML file one after the other, by libexpat.
 *
 * A reader gets every element as it begins and as it ends, with its attributes.  Nothing outside of
 * the file is ever looked at.  Messages read "FILE:LINE: what".
 */
#ifndef CS_IO_XML_H
#define CS_IO_XML_H

#include <cosched/error.h>
#include <stddef.h>

struct cs_xml;

struct cs_xml_reader {
    /* 0, or -1 with err to stop.  `attribute` is name, value, name, value, ..., NULL. */
    int (*begin)(void *who, struct cs_xml *xml, const char *element, const char **attribute,
                 struct cs_error *err);
    int (*end)(void *who, struct cs_xml *xml, const char *element, struct cs_error *err);
};

/* 0, or -1 with err: not well-formed, the reader refused, or the build has no libexpat. */
int cs_xml_parse(const char *file, const char *bytes, size_t size,
                 const struct cs_xml_reader *reader, void *who, struct cs_error *err);

/* The value of an attribute; NULL when it is not there. */
const char *cs_xml_attribute(const char **attribute, const char *name);

/* "FILE:LINE: " and the sentence.  Returns -1. */
int cs_xml_error(const struct cs_xml *xml, struct cs_error *err, const char *format, ...)
    CS_PRINTF(3, 4);

#endif
