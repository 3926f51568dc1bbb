/* wrap.h - paragraphs for people: wrapped at word borders. */
#ifndef CS_CLI_WRAP_H
#define CS_CLI_WRAP_H

#include "base/strbuf.h"

#include <stdbool.h>

#define CS_WRAP_WIDTH 80

/* Append the words of the text to the line that `out` ends with (its column is `column`), in
 * lines of at most CS_WRAP_WIDTH - 1 columns; further lines are indented by `indent`.  Ends
 * with a newline.  A "[...]" is not broken. */
void cs_wrap_text(struct cs_strbuf *out, const char *text, int column, int indent);

/* The next paragraph of a description (see command.h): its length, 0 at the end. *at is advanced
 * past it; *text is its start, *literal is true if its lines must be kept. */
int cs_wrap_paragraph(const char **at, const char **text, bool *literal);

void cs_wrap_spaces(struct cs_strbuf *out, int count);

#endif
