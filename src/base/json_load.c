/* json_load.c - text made into jansson's values, with jansson's messages.
 *
 * jansson's own reader ignores that there was no memory for a byte: it reads another string, takes
 * good JSON for bad, or ends the program at an assertion.  This one fails as all code
 * does where memory runs out (guard.h).  A value belongs to the one around it before it is filled,
 * so that only the outermost is held.
 */
#include "base/json.h"

#include "base/bug.h"
#include "base/guard.h"
#include "base/number.h"
#include "base/plain.h"
#include "base/strbuf.h"
#include "base/utf8.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#define DEEPEST 2048
#define LONGEST_NEAR 20

enum { AT_END = -1, AT_DAMAGE = -2 };

enum token {
    TOKEN_INVALID,
    TOKEN_END,
    TOKEN_STRING,
    TOKEN_INTEGER,
    TOKEN_REAL,
    TOKEN_TRUE,
    TOKEN_FALSE,
    TOKEN_NULL,
    TOKEN_MARK, /* one of {}[]:, */
};

struct reader {
    const char *text, *end;
    const char *at;    /* all before it was read */
    const char *start; /* of the token that was read last, which ends at `at` */
    enum token token;
    struct cs_strbuf string, key; /* of a string, decoded */
    int64_t integer;
    double real;
    int depth;
    size_t flags;
    bool damaged; /* bytes that are not UTF-8 */
    json_error_t *why;
};

/* Lines and columns, which are characters, up to where it was read. */
static void place_set(const struct reader *r)
{
    r->why->line = 1;
    r->why->column = 0;
    r->why->position = (int)(r->at - r->text);
    for (const char *c = r->text; c < r->at; c++) {
        if (*c == '\n')
            r->why->line++;
        r->why->column = *c == '\n' ? 0 : r->why->column + ((*c & 0xc0) != 0x80);
    }
}

/* The first error counts.  Returns NULL. */
CS_PRINTF(2, 3) static json_t *reader_error(struct reader *r, const char *format, ...)
{
    char what[JSON_ERROR_TEXT_LENGTH], near[LONGEST_NEAR + 1] = "";
    const size_t length = (size_t)(r->at - r->start);
    va_list args;

    if (*r->why->text)
        return NULL;
    va_start(args, format);
    cs_plain_vprint(what, sizeof what, format, args);
    va_end(args);
    if (length <= LONGEST_NEAR)
        memcpy(near, r->start, length);
    place_set(r);
    if (*near)
        cs_plain_print(r->why->text, sizeof r->why->text, "%.100s near '%s'", what, near);
    else if (length > LONGEST_NEAR || r->damaged)
        cs_plain_print(r->why->text, sizeof r->why->text, "%s", what);
    else
        cs_plain_print(r->why->text, sizeof r->why->text, "%.100s near end of file", what);
    return NULL;
}

/* The byte that comes next, which begins a character. */
static int byte_peek(struct reader *r)
{
    const unsigned char c = r->at < r->end ? (unsigned char)*r->at : 0;

    if (r->at == r->end)
        return AT_END;
    if (c < 0x80 || cs_utf8_length(r->at))
        return c;
    r->damaged = true;
    reader_error(r, "unable to decode byte 0x%x", c);
    return AT_DAMAGE;
}

/* The same, which is then read. */
static int byte_next(struct reader *r)
{
    const int c = byte_peek(r);

    r->at += c >= 0;
    return c;
}

static bool is_digit(int c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(int c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static int hex_value(int c)
{
    if (is_digit(c))
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Behind the backslash.  -1: no escape. */
static int escape_scan(struct reader *r)
{
    const int c = byte_next(r);
    int digits = 0;

    if (c > 0 && strchr("\"\\/bfnrt", c))
        return 0;
    while (c == 'u' && digits < 4 && hex_value(byte_next(r)) >= 0)
        digits++;
    if (digits == 4)
        return 0;
    reader_error(r, "invalid escape");
    return -1;
}

/* Up to the quote that ends it; *escapes: there are some.  -1 with an error. */
static int string_scan(struct reader *r, bool *escapes)
{
    for (;;) {
        const int c = byte_peek(r);

        if (c < 0 || c == '\n') {
            reader_error(r, c < 0 ? "premature end of input" : "unexpected newline");
            return -1;
        }
        if (c < 0x20) {
            reader_error(r, "control character 0x%x", (unsigned)c);
            return -1;
        }
        r->at += c < 0x80 ? 1 : cs_utf8_length(r->at);
        if (c == '"')
            return 0;
        if (c == '\\' && escape_scan(r))
            return -1;
        *escapes |= c == '\\';
    }
}

/* The four digits behind \u. */
static unsigned code_of(const char *digits)
{
    unsigned code = 0;

    for (int i = 0; i < 4; i++)
        code = code << 4 | (unsigned)hex_value(digits[i]);
    return code;
}

static void utf8_put(struct cs_strbuf *out, unsigned code)
{
    const int more = (code >= 0x80) + (code >= 0x800) + (code >= 0x10000);
    static const unsigned char first[] = {0, 0xc0, 0xe0, 0xf0};

    cs_strbuf_putc(out, (char)(first[more] | code >> 6 * more));
    for (int i = more - 1; i >= 0; i--)
        cs_strbuf_putc(out, (char)(0x80 | (code >> 6 * i & 0x3f)));
}

/* \uXXXX, or two of them that are one character.  NULL when there is no such character. */
static const char *unicode_put(struct reader *r, const char *escape)
{
    const unsigned code = code_of(escape + 2);
    const char *behind = escape + 6;
    unsigned low;

    if (code < 0xd800 || code > 0xdfff) {
        utf8_put(&r->string, code);
        return behind;
    }
    if (code > 0xdbff || behind[0] != '\\' || behind[1] != 'u') {
        reader_error(r, "invalid Unicode '\\u%04X'", code);
        return NULL;
    }
    low = code_of(behind + 2);
    if (low < 0xdc00 || low > 0xdfff) {
        reader_error(r, "invalid Unicode '\\u%04X\\u%04X'", code, low);
        return NULL;
    }
    utf8_put(&r->string, 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00));
    return behind + 6;
}

static char escape_value(char c)
{
    static const char letters[] = "b\bf\fn\nr\rt\t";
    const char *found = strchr(letters, c);

    return found ? found[1] : c;
}

/* The string without its quotes and escapes.  -1 with an error. */
static int string_decode(struct reader *r)
{
    const char *end = r->at - 1;

    for (const char *at = r->start + 1; at && at < end;) {
        const char *escape = memchr(at, '\\', (size_t)(end - at));
        const char *until = escape ? escape : end;

        cs_strbuf_append(&r->string, at, (size_t)(until - at));
        at = until;
        if (escape && escape[1] == 'u') {
            at = unicode_put(r, escape);
            if (!at)
                return -1;
        } else if (escape) {
            cs_strbuf_putc(&r->string, escape_value(escape[1]));
            at = escape + 2;
        }
    }
    return 0;
}

static enum token string_read(struct reader *r)
{
    bool escapes = false;

    cs_strbuf_clear(&r->string);
    if (string_scan(r, &escapes))
        return TOKEN_INVALID;
    if (!escapes)
        cs_strbuf_append(&r->string, r->start + 1, (size_t)(r->at - r->start - 2));
    else if (string_decode(r))
        return TOKEN_INVALID;
    return TOKEN_STRING;
}

static int digits_skip(struct reader *r)
{
    const char *start = r->at;

    while (is_digit(byte_peek(r)))
        r->at++;
    return r->at > start ? 0 : -1;
}

static enum token integer_read(struct reader *r)
{
    const bool negative = *r->start == '-';
    const uint64_t most = (uint64_t)INT64_MAX + negative;
    uint64_t sum = 0;

    for (const char *at = r->start + negative; at < r->at; at++) {
        const uint64_t digit = (uint64_t)(*at - '0');

        if (sum > (most - digit) / 10) {
            reader_error(r, "too big %sinteger", negative ? "negative " : "");
            return TOKEN_INVALID;
        }
        sum = sum * 10 + digit;
    }
    r->integer = negative ? (int64_t)-sum : (int64_t)sum;
    return TOKEN_INTEGER;
}

static enum token real_read(struct reader *r)
{
    r->real = cs_number_prefix(r->start);
    if (!isinf(r->real))
        return TOKEN_REAL;
    reader_error(r, "real number overflow");
    return TOKEN_INVALID;
}

/* Its first byte, a digit or '-', was read. */
static enum token number_read(struct reader *r, int c)
{
    int next;

    if (c == '-')
        c = byte_peek(r);
    if (!is_digit(c))
        return TOKEN_INVALID;
    r->at = r->start + (*r->start == '-') + 1;
    if (c != '0')
        digits_skip(r);
    next = byte_peek(r);
    if (c == '0' && is_digit(next))
        return TOKEN_INVALID;
    if (next != '.' && next != 'e' && next != 'E')
        return integer_read(r);
    if (next == '.') {
        r->at++;
        if (digits_skip(r))
            return TOKEN_INVALID;
        next = byte_peek(r);
    }
    if (next == 'e' || next == 'E') {
        r->at++;
        next = byte_peek(r);
        r->at += next == '+' || next == '-';
        if (digits_skip(r))
            return TOKEN_INVALID;
    }
    return real_read(r);
}

static enum token word_read(struct reader *r)
{
    size_t length;

    while (is_letter(byte_peek(r)))
        r->at++;
    length = (size_t)(r->at - r->start);
    if (length == 4 && !memcmp(r->start, "true", 4))
        return TOKEN_TRUE;
    if (length == 5 && !memcmp(r->start, "false", 5))
        return TOKEN_FALSE;
    return length == 4 && !memcmp(r->start, "null", 4) ? TOKEN_NULL : TOKEN_INVALID;
}

static enum token token_read(struct reader *r)
{
    int c;

    while (r->at < r->end && (*r->at == ' ' || *r->at == '\t' || *r->at == '\n' || *r->at == '\r'))
        r->at++;
    r->start = r->at;
    c = byte_peek(r);
    if (c < 0)
        return c == AT_END ? TOKEN_END : TOKEN_INVALID;
    r->at += c < 0x80 ? 1 : cs_utf8_length(r->at);
    if (c == '"')
        return string_read(r);
    if (c == '-' || is_digit(c))
        return number_read(r, c);
    if (is_letter(c))
        return word_read(r);
    return c && strchr("{}[]:,", c) ? TOKEN_MARK : TOKEN_INVALID;
}

static void token_next(struct reader *r)
{
    r->token = token_read(r);
}

static bool is_mark(const struct reader *r, char mark)
{
    return r->token == TOKEN_MARK && *r->start == mark;
}

static json_t *string_make(struct reader *r)
{
    if (!(r->flags & JSON_ALLOW_NUL) && memchr(r->string.text, '\0', r->string.length))
        return reader_error(r, "\\u0000 is not allowed without JSON_ALLOW_NUL");
    return cs_json_made(json_stringn_nocheck(r->string.text, r->string.length));
}

/* The value of the token; an object or a list is empty.  NULL with an error. */
static json_t *value_make(struct reader *r)
{
    if (r->depth == DEEPEST)
        return reader_error(r, "maximum parsing depth reached");
    switch (r->token) {
    case TOKEN_STRING:
        return string_make(r);
    case TOKEN_INTEGER:
        return cs_json_made(json_integer((json_int_t)r->integer));
    case TOKEN_REAL:
        return cs_json_made(json_real(r->real));
    case TOKEN_TRUE:
        return json_true();
    case TOKEN_FALSE:
        return json_false();
    case TOKEN_NULL:
        return json_null();
    case TOKEN_INVALID:
        return reader_error(r, "invalid token");
    case TOKEN_END:
    case TOKEN_MARK:
        break;
    }
    if (is_mark(r, '{'))
        return cs_json_made(json_object());
    return is_mark(r, '[') ? cs_json_made(json_array()) : reader_error(r, "unexpected token");
}

static int value_fill(struct reader *r, json_t *value);

/* The name of a member and the colon. */
static int key_read(struct reader *r, const json_t *object)
{
    if (r->token != TOKEN_STRING)
        return reader_error(r, "string or '}' expected"), -1;
    if (memchr(r->string.text, '\0', r->string.length))
        return reader_error(r, "NUL byte in object key not supported"), -1;
    cs_strbuf_clear(&r->key);
    cs_strbuf_append(&r->key, r->string.text, r->string.length);
    if (r->flags & JSON_REJECT_DUPLICATES && json_object_get(object, r->key.text))
        return reader_error(r, "duplicate object key"), -1;
    token_next(r);
    return is_mark(r, ':') ? 0 : (reader_error(r, "':' expected"), -1);
}

/* The reference is taken over. */
static void member_set(json_t *object, const char *key, json_t *value)
{
    if (json_object_set_new_nocheck(object, key, value))
        cs_bug_no_memory(0);
}

static int object_fill(struct reader *r, json_t *object)
{
    token_next(r);
    if (is_mark(r, '}'))
        return 0;
    for (;;) {
        json_t *value;

        if (key_read(r, object))
            return -1;
        token_next(r);
        value = value_make(r);
        if (!value)
            return -1;
        member_set(object, r->key.text, value);
        if (value_fill(r, value))
            return -1;
        token_next(r);
        if (!is_mark(r, ','))
            break;
        token_next(r);
    }
    return is_mark(r, '}') ? 0 : (reader_error(r, "'}' expected"), -1);
}

static int array_fill(struct reader *r, json_t *list)
{
    token_next(r);
    if (is_mark(r, ']'))
        return 0;
    while (r->token != TOKEN_END) {
        json_t *value = value_make(r);

        if (!value)
            return -1;
        cs_json_append(list, value);
        if (value_fill(r, value))
            return -1;
        token_next(r);
        if (!is_mark(r, ','))
            break;
        token_next(r);
    }
    return is_mark(r, ']') ? 0 : (reader_error(r, "']' expected"), -1);
}

static int value_fill(struct reader *r, json_t *value)
{
    int status = 0;

    r->depth++;
    if (json_is_object(value))
        status = object_fill(r, value);
    else if (json_is_array(value))
        status = array_fill(r, value);
    r->depth--;
    return status;
}

/* All of the text into what its first token has made.  -1: it is no JSON. */
static int document_fill(struct reader *r, json_t *document)
{
    if (value_fill(r, document))
        return -1;
    token_next(r);
    return r->token == TOKEN_END ? 0 : (reader_error(r, "end of file expected"), -1);
}

json_t *cs_json_loadb(const char *text, size_t length, size_t flags, json_error_t *why)
{
    struct reader r = {.text = text,
                       .end = text + length,
                       .at = text,
                       .start = text,
                       .string = CS_STRBUF_INIT,
                       .key = CS_STRBUF_INIT,
                       .flags = flags,
                       .why = why};
    json_t *document = NULL;
    CS_HOLD(hold);

    *why = (json_error_t){.line = -1, .column = -1};
    token_next(&r);
    if (!(flags & JSON_DECODE_ANY) && !is_mark(&r, '{') && !is_mark(&r, '['))
        reader_error(&r, "'[' or '{' expected");
    else
        document = value_make(&r);
    cs_json_hold(&hold, document);
    document = document && !document_fill(&r, document) ? cs_unhold(&hold) : NULL;
    cs_strbuf_release(&r.string);
    cs_strbuf_release(&r.key);
    return document;
}
