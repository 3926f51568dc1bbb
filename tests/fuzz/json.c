/* json: what is read can be walked with words for every fault, written, and read again. */
#include "base/json.h"
#include "base/jsonw.h"
#include "fuzz/fuzz.h"

#include <limits.h>
#include <stdlib.h>

static void insist(int condition)
{
    if (!condition)
        abort();
}

/* Ask for everything; only what fits may come without a message. */
static void ask(const struct cs_json_at *at)
{
    struct cs_error err = {0};
    const char *text;
    double real;
    bool on;
    int whole;
    const int good = !cs_json_string(at, &text, &err) + !cs_json_bool(at, &on, &err) +
                     !cs_json_double(at, CS_NUMBER_FINITE, &real, &err) +
                     !cs_json_keys(at, "a|b", &err);

    cs_json_int(at, INT_MIN, INT_MAX, &whole, &err);
    insist(good <= 1 && err.text[0]);
}

static void write(struct cs_jsonw *w, const struct cs_json_at *at, int depth);

static void write_members(struct cs_jsonw *w, const struct cs_json_at *at, int depth)
{
    struct cs_json_at member;
    struct cs_error err = {0};
    const char *key;
    json_t *value;

    cs_jsonw_open(w, '{');
    json_object_foreach(at->value, key, value)
    {
        insist(!cs_json_member(at, key, &member, &err) && member.value == value);
        cs_jsonw_key(w, key);
        write(w, &member, depth + 1);
    }
    cs_jsonw_close(w);
}

static void write_elements(struct cs_jsonw *w, const struct cs_json_at *at, int depth)
{
    struct cs_error err = {0};
    size_t count = 0;

    insist(!cs_json_array(at, &count, &err));
    cs_jsonw_open_flat(w, '[');
    for (size_t i = 0; i < count; i++) {
        const struct cs_json_at element = cs_json_element(at, i);

        write(w, &element, depth + 1);
    }
    cs_jsonw_close(w);
}

static void write(struct cs_jsonw *w, const struct cs_json_at *at, int depth)
{
    ask(at);
    if (depth == CS_JSONW_DEEPEST)
        cs_jsonw_null(w);
    else if (json_is_object(at->value))
        write_members(w, at, depth);
    else if (json_is_array(at->value))
        write_elements(w, at, depth);
    else if (json_is_string(at->value))
        cs_jsonw_string(w, json_string_value(at->value));
    else if (json_is_real(at->value))
        cs_jsonw_double(w, json_real_value(at->value));
    else if (json_is_integer(at->value))
        cs_jsonw_int(w, json_integer_value(at->value));
    else if (json_is_boolean(at->value))
        cs_jsonw_bool(w, json_is_true(at->value));
    else
        cs_jsonw_null(w);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    struct cs_jsonw w = cs_jsonw_begin(&text);
    struct cs_error err = {0};
    json_t *document = cs_json_load_memory("f", data, size, &err), *again;
    struct cs_json_at root = cs_json_root("f", document);

    insist((document == NULL) == (err.text[0] != '\0'));
    if (!document)
        return 0;
    write(&w, &root, 0);
    cs_jsonw_end(&w);
    again = cs_json_load_memory("again", text.text, text.length, &err);
    insist(again != NULL);
    json_decref(again);
    json_decref(document);
    cs_strbuf_release(&text);
    return 0;
}
