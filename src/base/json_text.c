/* json_text.c - JSON validated once, then walked.
 *
 * Validation rejects errors, so walking need not check. Requested strings are decoded in place: \1
 * text \0, and spaces up to the position of the closing quote, so no byte moves.
 */
#include "base/json_text.h"

#include "base/arena.h"
#include "base/bug.h"
#include "base/utf8.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define MEMBERS 32
#define DEEPEST 64
#define DIGITS_INTEGER 18
#define DIGITS_REAL 40
#define LONG 4096
#define LEVELS 8
#define SEEN '\1'

/* An array or object of at least LONG bytes. */
struct extent {
    const char *start, *end;
    size_t elements;
};

/* Where an array was read last. */
struct cursor {
    const char *array, *at;
    size_t index;
};

struct cs_json_text {
    struct cs_arena *arena; /* this struct */
    struct cs_strbuf text;
    const char *root;
    struct cs_strbuf extents; /* struct extent, sorted by start */
    struct cursor cursor[LEVELS];
    const char *object, *object_end; /* whose members these are */
    int members, next;               /* the one that is probably requested next */
    const char *name[MEMBERS], *value[MEMBERS];
};

static const char *skip_blanks(const char *at)
{
    while (*at == ' ' || *at == '\n' || *at == '\t' || *at == '\r')
        at++;
    return at;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Looking: every function returns where its value ends, or NULL when it is not taken. */

static const char *scan_value(struct cs_strbuf *extents, const char *at, int depth);

static const char *scan_beyond_ascii(const char *at)
{
    const int length = cs_utf8_length(at);

    return length ? at + length : NULL;
}

static const char *scan_string(const char *at, bool escapes)
{
    if (*at++ != '"')
        return NULL;
    while (at && *at != '"') {
        const unsigned char c = (unsigned char)*at;

        if (c == '\\')
            at = escapes && at[1] && strchr("\"\\/bfnrt", at[1]) ? at + 2 : NULL;
        else if (c >= 0x80)
            at = scan_beyond_ascii(at);
        else
            at = c >= 0x20 ? at + 1 : NULL;
    }
    return at ? at + 1 : NULL;
}

static const char *scan_digits(const char *at, int most)
{
    const char *start = at;

    while (is_digit(*at))
        at++;
    return at > start && at - start <= most ? at : NULL;
}

static const char *scan_exponent(const char *at)
{
    at++;
    return scan_digits(at + (*at == '-' || *at == '+'), 2);
}

static const char *scan_number(const char *at)
{
    const char *start, *end;

    at += *at == '-';
    start = at;
    end = scan_digits(start, DIGITS_REAL);
    if (!end || (*start == '0' && end > start + 1))
        return NULL;
    if (*end != '.' && *end != 'e' && *end != 'E')
        return end - start <= DIGITS_INTEGER ? end : NULL;
    if (*end == '.')
        end = scan_digits(end + 1, DIGITS_REAL);
    return end && (*end == 'e' || *end == 'E') ? scan_exponent(end) : end;
}

static const char *scan_word(const char *at, const char *word)
{
    const size_t length = strlen(word);

    return strncmp(at, word, length) == 0 ? at + length : NULL;
}

static void json_text_note(struct cs_strbuf *extents, const char *start, const char *end,
                           size_t elements)
{
    const struct extent extent = {start, end, elements};

    if (end - start >= LONG)
        cs_strbuf_append(extents, (const char *)&extent, sizeof extent);
}

static const char *scan_array(struct cs_strbuf *extents, const char *start, int depth)
{
    const char *at = skip_blanks(start + 1);
    size_t elements = 0;

    for (; at && (elements || *at != ']'); elements++) {
        at = scan_value(extents, at, depth);
        if (!at)
            return NULL;
        at = skip_blanks(at);
        if (*at == ']') {
            elements++;
            break;
        }
        at = *at == ',' ? skip_blanks(at + 1) : NULL;
    }
    if (at)
        json_text_note(extents, start, at + 1, elements);
    return at ? at + 1 : NULL;
}

struct names {
    const char *start[MEMBERS];
    size_t length[MEMBERS];
    int count;
};

/* False when it is there already, or one too many. */
static bool add_name(struct names *names, const char *start, const char *end)
{
    const size_t length = (size_t)(end - start);

    for (int i = 0; i < names->count; i++)
        if (names->length[i] == length && memcmp(names->start[i], start, length) == 0)
            return false;
    if (names->count == MEMBERS)
        return false;
    names->start[names->count] = start;
    names->length[names->count++] = length;
    return true;
}

static const char *scan_member(struct cs_strbuf *extents, const char *at, int depth,
                               struct names *names)
{
    const char *end = scan_string(at, false);

    if (!end || !add_name(names, at, end))
        return NULL;
    at = skip_blanks(end);
    return *at == ':' ? scan_value(extents, skip_blanks(at + 1), depth) : NULL;
}

static const char *scan_object(struct cs_strbuf *extents, const char *start, int depth)
{
    const char *at = skip_blanks(start + 1);
    struct names names;

    names.count = 0;
    while (at && (names.count || *at != '}')) {
        at = scan_member(extents, at, depth, &names);
        if (!at)
            return NULL;
        at = skip_blanks(at);
        if (*at == '}')
            break;
        at = *at == ',' ? skip_blanks(at + 1) : NULL;
    }
    if (at)
        json_text_note(extents, start, at + 1, (size_t)names.count);
    return at ? at + 1 : NULL;
}

static const char *scan_value(struct cs_strbuf *extents, const char *at, int depth)
{
    switch (*at) {
    case '{':
        return depth < DEEPEST ? scan_object(extents, at, depth + 1) : NULL;
    case '[':
        return depth < DEEPEST ? scan_array(extents, at, depth + 1) : NULL;
    case '"':
        return scan_string(at, true);
    case 't':
        return scan_word(at, "true");
    case 'f':
        return scan_word(at, "false");
    case 'n':
        return scan_word(at, "null");
    default:
        return scan_number(at);
    }
}

static int compare_extents(const void *a, const void *b)
{
    const struct extent *x = a, *y = b;

    return (x->start > y->start) - (x->start < y->start);
}

struct cs_json_text *cs_json_text_create(struct cs_strbuf *text, size_t from)
{
    struct cs_strbuf extents = CS_STRBUF_INIT;
    struct cs_arena *arena;
    struct cs_json_text *json;
    const char *root = skip_blanks(text->text + from);
    const char *end = *root == '{' ? scan_value(&extents, root, 0) : NULL;

    if (!end || skip_blanks(end) != text->text + text->length) {
        cs_strbuf_release(&extents);
        return NULL;
    }
    qsort(extents.text, extents.length / sizeof(struct extent), sizeof(struct extent),
          compare_extents);
    arena = cs_arena_create();
    json = CS_NEW(arena, struct cs_json_text);
    json->arena = arena;
    json->text = *text;
    json->root = root;
    json->extents = extents;
    *text = (struct cs_strbuf)CS_STRBUF_INIT;
    return json;
}

void cs_json_text_destroy(struct cs_json_text *json)
{
    if (!json)
        return;
    cs_strbuf_release(&json->text);
    cs_strbuf_release(&json->extents);
    cs_arena_destroy(json->arena);
}

/* Walking. */

const char *cs_json_text_root(const struct cs_json_text *json)
{
    return json->root;
}

static const char *skip_string(const char *at)
{
    if (*at == SEEN)
        return at + strlen(at) + 1;
    for (at++; *at != '"'; at++)
        at += *at == '\\';
    return at + 1;
}

static const struct extent *find_extent(const struct cs_json_text *json, const char *start)
{
    const struct extent key = {start, NULL, 0};
    const struct extent *found = bsearch(
        &key, json->extents.text, json->extents.length / sizeof key, sizeof key, compare_extents);

    CS_REQUIRE(found != NULL);
    return found;
}

static const char *skip_nested(const struct cs_json_text *json, const char *start)
{
    const char *at = start;
    int depth = 0;

    do {
        if (at - start >= LONG)
            return find_extent(json, start)->end;
        if (*at == '"' || *at == SEEN) {
            at = skip_string(at);
            continue;
        }
        depth += (*at == '{' || *at == '[') - (*at == '}' || *at == ']');
        at++;
    } while (depth);
    return at;
}

static const char *skip_value(const struct cs_json_text *json, const char *at)
{
    if (*at == '"' || *at == SEEN)
        return skip_string(at);
    if (*at == '{' || *at == '[')
        return skip_nested(json, at);
    while (*at > ' ' && *at != ',' && *at != ']' && *at != '}')
        at++;
    return at;
}

json_type cs_json_text_type(const char *value)
{
    switch (*value) {
    case '{':
        return JSON_OBJECT;
    case '[':
        return JSON_ARRAY;
    case '"':
    case SEEN:
        return JSON_STRING;
    case 't':
        return JSON_TRUE;
    case 'f':
        return JSON_FALSE;
    case 'n':
        return JSON_NULL;
    default:
        value += *value == '-';
        while (is_digit(*value))
            value++;
        return *value == '.' || *value == 'e' || *value == 'E' ? JSON_REAL : JSON_INTEGER;
    }
}

int64_t cs_json_text_integer(const char *value)
{
    const bool negative = *value == '-';
    int64_t sum = 0;

    for (value += negative; is_digit(*value); value++)
        sum = sum * 10 + (*value - '0');
    return negative ? -sum : sum;
}

/* The letter behind a backslash, decoded. */
static char json_text_decoded(char c)
{
    static const char letters[] = "b\bf\fn\nr\rt\t";
    const char *found = strchr(letters, c);

    return found ? found[1] : c;
}

const char *cs_json_text_string(struct cs_json_text *json, const char *value)
{
    char *start = json->text.text + (value - json->text.text), *to = start + 1, *from = to;

    if (*start == SEEN)
        return to;
    CS_REQUIRE(*start == '"');
    for (*start = SEEN; *from != '"'; from++) {
        if (*from == '\\')
            *to++ = json_text_decoded(*++from);
        else
            *to++ = *from;
    }
    *to++ = '\0';
    if (to <= from)
        memset(to, ' ', (size_t)(from + 1 - to));
    return start + 1;
}

/* The text of a name, which has no escapes; *end: what is behind it. */
static const char *name_at(struct cs_json_text *json, const char *value, const char **end)
{
    char *start = json->text.text + (value - json->text.text), *quote = start + 1;

    if (*start == '"') {
        while (*quote != '"')
            quote++;
        *start = SEEN;
        *quote = '\0';
    } else {
        quote = strchr(quote, '\0');
    }
    *end = quote + 1;
    return start + 1;
}

static void index_members(struct cs_json_text *json, const char *object)
{
    const char *at = skip_blanks(object + 1);

    if (json->object == object)
        return;
    json->object = object;
    json->members = json->next = 0;
    while (*at != '}') {
        const char *end;

        json->name[json->members] = name_at(json, at, &end);
        at = skip_blanks(skip_blanks(end) + 1);
        json->value[json->members++] = at;
        at = skip_blanks(skip_value(json, at));
        if (*at == ',')
            at = skip_blanks(at + 1);
    }
    json->object_end = at + 1;
}

int cs_json_text_members(struct cs_json_text *json, const char *object)
{
    index_members(json, object);
    return json->members;
}

const char *cs_json_text_name(struct cs_json_text *json, const char *object, int i)
{
    index_members(json, object);
    CS_REQUIRE(i >= 0 && i < json->members);
    return json->name[i];
}

const char *cs_json_text_member(struct cs_json_text *json, const char *object, const char *name)
{
    index_members(json, object);
    for (int i = 0; i < json->members; i++) {
        const int at =
            json->next + i < json->members ? json->next + i : json->next + i - json->members;

        if (*json->name[at] == *name && strcmp(json->name[at], name) == 0) {
            json->next = at;
            return json->value[at];
        }
    }
    return NULL;
}

/* The element behind the one that begins here, or where the array ends. */
static const char *next_element(const struct cs_json_text *json, const char *at)
{
    at = skip_blanks(at == json->object ? json->object_end : skip_value(json, at));
    return *at == ',' ? skip_blanks(at + 1) : at;
}

size_t cs_json_text_elements(struct cs_json_text *json, const char *array)
{
    const char *at = skip_blanks(array + 1);
    size_t elements = 0;

    for (; *at != ']'; at = next_element(json, at)) {
        if (at - array >= LONG)
            return find_extent(json, array)->elements;
        elements++;
    }
    return elements;
}

const char *cs_json_text_element(struct cs_json_text *json, const char *array, size_t index,
                                 int level)
{
    struct cursor *cursor = &json->cursor[level % LEVELS];

    if (cursor->array != array || index < cursor->index)
        *cursor = (struct cursor){array, skip_blanks(array + 1), 0};
    for (; cursor->index < index; cursor->index++)
        cursor->at = next_element(json, cursor->at);
    CS_REQUIRE(*cursor->at != ']');
    return cursor->at;
}
