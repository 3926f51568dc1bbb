/* experiment_axes.c - what varies: grids of axes with values.
 *
 * Axes of one name in several grids are one axis, and values that set the same are one value.
 */
#include "base/arena.h"
#include "base/json.h"
#include "base/number.h"
#include "base/plain.h"
#include "base/strbuf.h"
#include "campaign/experiment.h"
#include "campaign/experiment_reader.h"
#include "campaign/json_member.h"
#include "campaign/parameters.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Many values of a parameter in a few words.
 *
 *   {"from": 0, "to": 0.9, "step": 0.1}           0, 0.1, .. 0.9
 *   {"from": 1000, "to": 8000, "times": 2}        1000, 2000, 4000, 8000
 *   {"from": 1, "to": 16, "count": 4}             1, 6, 11, 16
 *   {"from": 1, "to": 1000, "count": 4, "scale": "log"}
 *
 * Both ends are met exactly, and steps are added as decimals: 0.3 is the number that "0.3" reads
 * as, not 0.1 + 0.1 + 0.1.  A range that would miss its end is refused.  They may go down.
 */

/* Ranges in decimals, as people write them.
 *
 * A number of the file is digits * 10^power, the shortest decimal that reads as this double.  Sums
 * and products of decimals are exact while their digits fit into 63 bits; beyond that the nearest
 * double of the extended one is taken.
 */

#define DIGITS 9007199254740992 /* 2^53: quotients of whole numbers below it are rounded once */
#define LARGEST (INT64_MAX / 4) /* two of these can be added */
#define POWERS 18               /* of ten that fit into 63 bits */

struct decimal {
    int64_t digits;
    int power;
};

enum scale { LINEAR, LOG };

struct range {
    const struct cs_json_at *at;
    bool whole;
    double from, to, by; /* by: step or times */
    int count;
    enum scale scale;
    json_t *values;
    struct cs_error *err;
};

static struct decimal to_decimal(double value)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    struct decimal decimal = {0, 0};
    bool point = false;
    const char *c;

    cs_strbuf_put_double(&text, fabs(value));
    for (c = text.text; *c && *c != 'e'; c++) {
        if (*c == '.') {
            point = true;
            continue;
        }
        decimal.digits = 10 * decimal.digits + (*c - '0');
        decimal.power -= point;
    }
    if (*c == 'e')
        decimal.power += atoi(c + 1);
    while (decimal.digits && decimal.digits % 10 == 0) {
        decimal.digits /= 10;
        decimal.power++;
    }
    if (value < 0)
        decimal.digits = -decimal.digits;
    cs_strbuf_release(&text);
    return decimal;
}

/* The nearest double. */
static double to_double(struct decimal decimal)
{
    char text[48];

    if (decimal.power == 0 && llabs(decimal.digits) < DIGITS)
        return (double)decimal.digits;
    cs_plain_print(text, sizeof text, "%" PRId64 "e%d", decimal.digits, decimal.power);
    return cs_plain_double(text, NULL) + 0.0;
}

/* Digits * 10^power as a multiple of 10^to, which is not larger; false when it does not fit. */
static bool scale_to(struct decimal decimal, int to, int64_t *out)
{
    *out = decimal.digits;
    if (!decimal.digits)
        return true;
    if (decimal.power - to > POWERS)
        return false;
    for (int p = decimal.power; p > to; p--) {
        if (llabs(*out) > LARGEST / 10)
            return false;
        *out *= 10;
    }
    return llabs(*out) <= LARGEST;
}

static int range_least(int a, int b)
{
    return a < b ? a : b;
}

static int range_add(struct range *range, double value)
{
    size_t count = json_array_size(range->values);
    bool integral = value == floor(value) && fabs(value) < (double)DIGITS;
    json_t *last = count ? json_array_get(range->values, count - 1) : NULL;

    if (range->whole && !integral)
        return cs_json_error(range->at, range->err,
                             "comes to %g, and only whole numbers are allowed here", value);
    if (last && json_number_value(last) == value)
        return 0;
    cs_json_append(range->values, integral ? json_integer((json_int_t)value) : json_real(value));
    return 0;
}

static int too_many(const struct range *range)
{
    return cs_json_error(range->at, range->err, "has more than %d values", CS_RANGE_VALUES);
}

static int range_misses(const struct range *range, double before, double after)
{
    return cs_json_error(range->at, range->err,
                         "does not meet its end %.15g: before it comes %.15g, then %.15g",
                         range->to, before, after);
}

static int read_steps(struct range *range)
{
    struct decimal from = to_decimal(range->from), to = to_decimal(range->to),
                   by = to_decimal(range->by);
    int power = range_least(from.power, range_least(to.power, by.power));
    int64_t first, last, step, steps;

    if (!range->by || (range->to - range->from) / range->by < 0)
        return cs_json_error(range->at, range->err,
                             "steps of %.15g do not lead from %.15g to %.15g", range->by,
                             range->from, range->to);
    if (!scale_to(from, power, &first) || !scale_to(to, power, &last) ||
        !scale_to(by, power, &step))
        return cs_json_error(range->at, range->err,
                             "from, to and step differ too much in size; write a list, or a count");
    steps = (last - first) / step;
    if (steps >= CS_RANGE_VALUES)
        return too_many(range);
    if (first + steps * step != last)
        return range_misses(range, to_double((struct decimal){first + steps * step, power}),
                            to_double((struct decimal){first + (steps + 1) * step, power}));
    for (int64_t i = 0; i <= steps; i++)
        if (range_add(range, to_double((struct decimal){first + i * step, power})))
            return -1;
    return 0;
}

/* From * by^i */
static double range_multiply(double from, double by, int i)
{
    struct decimal product = to_decimal(from), factor = to_decimal(by);

    for (int k = 0; k < i; k++) {
        if (llabs(product.digits) > INT64_MAX / llabs(factor.digits))
            return (double)((long double)from * powl((long double)by, (long double)i));
        product.digits *= factor.digits;
        product.power += factor.power;
        while (product.digits % 10 == 0) {
            product.digits /= 10;
            product.power++;
        }
    }
    return to_double(product);
}

static int read_times(struct range *range)
{
    double variant, steps;

    if (!(range->from > 0 && range->to > 0 && range->by > 0))
        return cs_json_error(range->at, range->err,
                             "with times, from, to and times have to be above 0");
    variant = (log(range->to) - log(range->from)) / log(range->by);
    if (range->by == 1 || variant < 0)
        return cs_json_error(range->at, range->err, "times %.15g does not lead from %.15g to %.15g",
                             range->by, range->from, range->to);
    steps = round(variant);
    if (!(steps < CS_RANGE_VALUES))
        return too_many(range);
    if (fabs(range_multiply(range->from, range->by, (int)steps) - range->to) > 1e-12 * range->to) {
        int below = (int)floor(variant);

        return range_misses(range, range_multiply(range->from, range->by, below),
                            range_multiply(range->from, range->by, below + 1));
    }
    for (int i = 0; i < (int)steps; i++)
        if (range_add(range, range_multiply(range->from, range->by, i)))
            return -1;
    return range_add(range, range->to);
}

/* From + (to - from) i / n */
static double range_between(const struct range *range, int i, int n)
{
    struct decimal from = to_decimal(range->from), to = to_decimal(range->to);
    int power = range_least(0, range_least(from.power, to.power));
    int64_t first, last, unit;

    if (scale_to(from, power, &first) && scale_to(to, power, &last) &&
        scale_to((struct decimal){n, 0}, power, &unit) && llabs(first) < DIGITS / 2 / n &&
        llabs(last) < DIGITS / 2 / n)
        return (double)(first * (n - i) + last * i) / (double)unit;
    return (double)(((long double)range->from * (n - i) + (long double)range->to * i) / n);
}

/* From (to / from)^(i / n), to 15 digits: 0.01 and not 0.0099999999999999985. */
static double between_logs(const struct range *range, int i, int n)
{
    long double ratio = (long double)range->to / range->from;
    char text[48];

    cs_plain_print(text, sizeof text, "%.15Lg",
                   (long double)range->from * powl(ratio, (long double)i / n));
    return cs_plain_double(text, NULL);
}

static int range_read_count(struct range *range)
{
    int n = range->count - 1;

    if (range->scale == LOG && !(range->from > 0 && range->to > 0))
        return cs_json_error(range->at, range->err,
                             "on a log scale from and to have to be above 0");
    if (range->whole && (range->from != floor(range->from) || range->to != floor(range->to)))
        return cs_json_error(range->at, range->err, "from and to have to be whole numbers here");
    for (int i = 0; i <= n; i++) {
        double value = range->scale == LOG ? between_logs(range, i, n) : range_between(range, i, n);

        if (i == 0 || i == n)
            value = i ? range->to : range->from;
        if (range_add(range, range->whole ? round(value) : value))
            return -1;
    }
    return 0;
}

/* Which of the words is there?  Exactly one of them. */
static int find_kind(const struct range *range, const char **out)
{
    static const char *const kind[] = {"step", "times", "count"};
    int found = 0;

    for (size_t k = 0; k < sizeof kind / sizeof *kind; k++)
        if (cs_json_has(range->at, kind[k])) {
            *out = kind[k];
            found++;
        }
    if (found == 1)
        return 0;
    return cs_json_error(range->at, range->err,
                         "a range has from, to, and one of step, times and count");
}

static int range_read_values(struct range *range)
{
    const char *kind = NULL;
    int scale = LINEAR;

    if (cs_json_keys(range->at, "from|to|step|times|count|scale", range->err) ||
        find_kind(range, &kind) ||
        cs_json_get_double(range->at, "from", CS_NUMBER_FINITE, &range->from, range->err) ||
        cs_json_get_double(range->at, "to", CS_NUMBER_FINITE, &range->to, range->err))
        return -1;
    if (cs_json_has(range->at, "scale") && strcmp(kind, "count"))
        return cs_json_error(range->at, range->err, "scale goes with count only");
    if (!strcmp(kind, "count")) {
        if (cs_json_get_int(range->at, "count", 2, CS_RANGE_VALUES, &range->count, range->err) ||
            cs_member_choice(range->at, "scale", "linear|log", &scale, range->err))
            return -1;
        range->scale = (enum scale)scale;
        return range_read_count(range);
    }
    if (cs_json_get_double(range->at, kind, CS_NUMBER_FINITE, &range->by, range->err))
        return -1;
    return strcmp(kind, "step") ? read_times(range) : read_steps(range);
}

json_t *cs_range_read(const struct cs_json_at *at, bool whole, struct cs_error *err)
{
    struct range range = {
        .at = at, .whole = whole, .values = cs_json_made(json_array()), .err = err};
    CS_HOLD(hold);

    cs_json_hold(&hold, range.values);
    return range_read_values(&range) ? NULL : cs_unhold(&hold);
}

/* Some cells of a sweep. */

/* A parsed NAME=VALUE. One of axis, parameter and replicate is set. */
struct condition {
    const char *name;
    int axis, value;       /* -1 */
    const char *parameter; /* NULL */
    json_t *wanted;
    struct cs_hold hold; /* of it */
    int replicate;       /* -1 */
};

static int unknown_name(const struct cs_experiment *experiment, const char *name,
                        struct cs_error *err)
{
    struct cs_strbuf names = CS_STRBUF_INIT;

    for (int a = 0; a < experiment->axes; a++)
        cs_strbuf_printf(&names, "%s, ", experiment->axis[a].name);
    for (int p = 0; p < experiment->varied; p++) {
        bool axis = false;

        for (int a = 0; a < experiment->axes; a++)
            axis = axis || !strcmp(experiment->axis[a].name, experiment->parameter[p]);
        if (!axis)
            cs_strbuf_printf(&names, "%s, ", experiment->parameter[p]);
    }
    cs_error_set(err, "'%s' does not vary in %s; there are %sreplicate", name, experiment->file,
                 names.text);
    cs_strbuf_release(&names);
    return -1;
}

static int unknown_label(const struct cs_experiment *experiment,
                         const struct cs_experiment_axis *axis, const char *label,
                         struct cs_error *err)
{
    struct cs_strbuf labels = CS_STRBUF_INIT;

    for (int v = 0; v < axis->count && v < 20; v++)
        cs_strbuf_printf(&labels, "%s%s", v ? ", " : "", axis->value[v].name);
    if (axis->count > 20)
        cs_strbuf_puts(&labels, ", ...");
    cs_error_set(err, "%s: %s has no value '%s'; there are %s", experiment->file, axis->name, label,
                 labels.text);
    cs_strbuf_release(&labels);
    return -1;
}

/* A label, or another way to write its number. */
static int find_value(const struct cs_experiment *experiment, int a, const char *label, int *out,
                      struct cs_error *err)
{
    const struct cs_experiment_axis *axis = &experiment->axis[a];
    const json_t *index = json_object_get(axis->by_name, label);
    double number;

    *out = index ? (int)json_integer_value(index) : -1;
    if (index)
        return 0;
    if (cs_number_double(label, &number) == CS_NUMBER_FINE)
        for (int v = 0; v < axis->count && *out < 0; v++)
            if (axis->value[v].number == number)
                *out = v;
    return *out < 0 ? unknown_label(experiment, axis, label, err) : 0;
}

static int read_replicate(const struct cs_experiment *experiment, const char *text, int *out,
                          struct cs_error *err)
{
    if (cs_number_int(text, out) != CS_NUMBER_FINE || *out < 0 || *out >= experiment->replicates)
        return cs_error_set(err, "%s: replicate '%s' is not there; they are 0 to %d",
                            experiment->file, text, experiment->replicates - 1);
    return 0;
}

static int read_condition(const struct cs_experiment *experiment, const char *text,
                          struct cs_arena *arena, struct condition *out, struct cs_error *err)
{
    const char *sign = strchr(text, '=');
    const struct cs_param *known;

    if (!sign)
        return cs_error_set(err, "'%s' is not NAME=VALUE", text);
    *out = (struct condition){
        .name = cs_arena_strndup(arena, text, (size_t)(sign - text)), .axis = -1, .replicate = -1};
    out->name = cs_parameters_name(experiment->problem, out->name, experiment->warnings, arena);
    if (!strcmp(out->name, "replicate"))
        return read_replicate(experiment, sign + 1, &out->replicate, err);
    for (int a = 0; a < experiment->axes; a++)
        if (!strcmp(experiment->axis[a].name, out->name)) {
            out->axis = a;
            known = cs_cell_param(experiment->problem, out->name, NULL);
            return find_value(experiment, a, known ? cs_choice_now(known, sign + 1) : sign + 1,
                              &out->value, err);
        }
    for (int p = 0; p < experiment->varied; p++)
        if (!strcmp(experiment->parameter[p], out->name)) {
            out->parameter = out->name;
            out->wanted = cs_cell_read(cs_cell_param(experiment->problem, out->name, NULL),
                                       out->name, sign + 1, err);
            cs_json_hold(&out->hold, out->wanted);
            return out->wanted ? 0 : -1;
        }
    return unknown_name(experiment, out->name, err);
}

static bool has_value(const json_t *parameters, const struct condition *condition)
{
    const json_t *value = json_object_get(parameters, condition->parameter);

    if (json_is_number(condition->wanted))
        return json_is_number(value) &&
               json_number_value(value) == json_number_value(condition->wanted);
    return json_equal(value, condition->wanted);
}

static bool is_met(const struct cs_experiment *experiment, const struct cs_cell *cell,
                   const struct condition *condition)
{
    if (condition->replicate >= 0)
        return cell->replicate == condition->replicate;
    if (condition->parameter)
        return has_value(cell->parameters, condition);
    return experiment->combination[cell->combination].at[condition->axis] == condition->value;
}

/* For each name, one of its conditions. */
static bool meets_all(const struct cs_experiment *experiment, const struct cs_cell *cell,
                      const struct condition *condition, int count)
{
    for (int i = 0; i < count; i++) {
        bool met = false;

        for (int k = 0; k < count; k++)
            met = met || (!strcmp(condition[i].name, condition[k].name) &&
                          is_met(experiment, cell, &condition[k]));
        if (!met)
            return false;
    }
    return true;
}

int cs_experiment_where(const struct cs_experiment *experiment, const char *const *condition,
                        int conditions, bool *keep, struct cs_error *err)
{
    struct cs_arena *arena = cs_arena_create();
    struct condition *list = CS_NEW_ARRAY(arena, struct condition, conditions);
    int status = 0;

    for (int i = 0; i < conditions && !status; i++)
        status = read_condition(experiment, condition[i], arena, &list[i], err);
    for (int c = 0; c < experiment->count && !status; c++)
        keep[c] = keep[c] && meets_all(experiment, &experiment->cell[c], list, conditions);
    for (int i = 0; i < conditions; i++)
        cs_release(&list[i].hold);
    cs_arena_destroy(arena);
    return status;
}

/* Names of the other columns of a table of all cells. */
static const char *const taken[] = {"replicate", "seed", "instance", "label", "run", "seconds"};

/* An axis while it is read: in one grid. */
struct draft {
    struct cs_experiment_reader *reader;
    struct cs_experiment_side *side;
    const struct cs_param *parameter; /* that has the axis' name, or NULL */
    struct cs_json_at at;
};

/* Room for one more of `count` elements of this size; room doubles at powers of two. */
static void *experiment_axes_grow(struct cs_arena *arena, void *old, int count, size_t size)
{
    void *larger;

    if (count & (count - 1))
        return old;
    larger = cs_arena_alloc(arena, count ? 2 * (size_t)count : 1, size);
    if (count)
        memcpy(larger, old, (size_t)count * size);
    return larger;
}

/* A name that --where and the heads of columns can have. */
static int check_name(const struct draft *draft)
{
    const char *name = draft->at.key;
    const struct cs_problem *problem = draft->reader->experiment->problem;
    struct cs_error *err = draft->reader->err;

    if (draft->parameter)
        return 0;
    for (size_t t = 0; t < sizeof taken / sizeof *taken; t++)
        if (!strcmp(name, taken[t]))
            return cs_json_error(&draft->at, err, "'%s' means something else, take another word",
                                 name);
    if (!*name || strpbrk(name, "=,\"'") || strcspn(name, "\n\r\t") != strlen(name))
        return cs_json_error(&draft->at, err,
                             "the name of an axis is a word without quotes, = and ,");
    for (const struct cs_metric *m = cs_cell_metrics(problem); m->name; m++)
        if (!strcmp(name, m->name))
            return cs_json_error(&draft->at, err, "'%s' is a metric, what varies is a parameter",
                                 name);
    return 0;
}

/* An object that the experiment owns. */
static json_t *object_create(const struct cs_experiment *experiment)
{
    json_t *object = cs_json_made(json_object());

    cs_json_append(experiment->owned, object);
    return object;
}

int cs_experiment_find_axis(struct cs_experiment *experiment, const char *name)
{
    struct cs_experiment_axis *axis;

    for (int a = 0; a < experiment->axes; a++)
        if (!strcmp(experiment->axis[a].name, name))
            return a;
    experiment->axis = experiment_axes_grow(experiment->arena, experiment->axis, experiment->axes,
                                            sizeof *experiment->axis);
    axis = &experiment->axis[experiment->axes];
    *axis = (struct cs_experiment_axis){.name = name,
                                        .title = name,
                                        .numbers = true,
                                        .by_set = object_create(experiment),
                                        .by_name = object_create(experiment)};
    return experiment->axes++;
}

static void note_parameter(struct cs_experiment *experiment, const char *parameter)
{
    for (int p = 0; p < experiment->varied; p++)
        if (!strcmp(experiment->parameter[p], parameter))
            return;
    experiment->parameter = experiment_axes_grow(experiment->arena, experiment->parameter,
                                                 experiment->varied, sizeof *experiment->parameter);
    experiment->parameter[experiment->varied++] = parameter;
}

static int check_setting(struct cs_experiment_reader *reader, const struct cs_json_at *at,
                         const char *name)
{
    if (cs_experiment_check_setting(reader, at, name))
        return -1;
    note_parameter(reader->experiment, name);
    return 0;
}

static const char *put_label(struct cs_arena *arena, const json_t *set)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    const char *name, *label;
    json_t *value;

    json_object_foreach((json_t *)(uintptr_t)set, name, value)
    {
        if (text.length)
            cs_strbuf_putc(&text, ' ');
        cs_parameters_put_word(value, &text);
    }
    label = cs_arena_strdup(arena, text.text);
    cs_strbuf_release(&text);
    return label;
}

static int refuse_twice(const struct draft *draft, const struct cs_json_at *at, int index)
{
    for (int v = 0; v < draft->side->count; v++)
        if (draft->side->value[v] == index)
            return cs_json_error(at, draft->reader->err, "the same as %s[%d]", draft->at.key, v);
    return cs_json_error(at, draft->reader->err, "is there twice");
}

int cs_experiment_add_value(struct cs_experiment_reader *reader, int a, const struct cs_json_at *at,
                            const char *key, struct cs_experiment_value value)
{
    struct cs_experiment *experiment = reader->experiment;
    struct cs_experiment_axis *axis = &experiment->axis[a];

    if (value.set)
        cs_json_append(experiment->owned, json_incref(value.set));
    if (json_object_get(axis->by_name, value.name))
        return cs_json_error(at, reader->err, "a second value is called '%s'", value.name);
    cs_json_set(axis->by_set, key, json_integer(axis->count));
    cs_json_set(axis->by_name, value.name, json_integer(axis->count));
    axis->numbers = axis->numbers && !isnan(value.number);
    axis->value =
        experiment_axes_grow(experiment->arena, axis->value, axis->count, sizeof *axis->value);
    value.label = value.label ? value.label : value.name;
    value.grid = reader->grids + 1;
    axis->value[axis->count++] = value;
    return axis->count - 1;
}

/* NaN unless it is all that is set. */
static double experiment_axes_number_of(const struct draft *draft, const json_t *set)
{
    const json_t *number = draft->parameter ? json_object_get(set, draft->at.key) : NULL;

    return json_is_number(number) && json_object_size(set) == 1 ? json_number_value(number) : NAN;
}

/* The index of the value on the axis, which is made when it is new; -1 with err.  `label` is NULL
 * when the file has none. */
static int place_value(const struct draft *draft, const struct cs_json_at *at, json_t *set,
                       const char *label)
{
    struct cs_experiment *experiment = draft->reader->experiment;
    struct cs_experiment_axis *axis = &experiment->axis[draft->side->axis];
    struct cs_strbuf key = CS_STRBUF_INIT;
    const json_t *known;
    int index;

    cs_parameters_put(set, &key);
    known = json_object_get(axis->by_set, key.text);
    if (!known) {
        index = cs_experiment_add_value(
            draft->reader, draft->side->axis, at, key.text,
            (struct cs_experiment_value){.name = label ? label : put_label(experiment->arena, set),
                                         .set = set,
                                         .number = experiment_axes_number_of(draft, set)});
        cs_strbuf_release(&key);
        return index;
    }
    cs_strbuf_release(&key);
    index = (int)json_integer_value(known);
    if (axis->value[index].grid == draft->reader->grids + 1)
        return refuse_twice(draft, at, index);
    if (label && strcmp(label, axis->value[index].name))
        return cs_json_error(at, draft->reader->err, "is called '%s' here and '%s' before", label,
                             axis->value[index].name);
    axis->value[index].grid = draft->reader->grids + 1;
    return index;
}

/* {"policy": "easy", "priority": "lpt", "label": "EASY"} */
static int read_settings(const struct draft *draft, const struct cs_json_at *at, const char **label,
                         json_t *set)
{
    struct cs_experiment_reader *reader = draft->reader;
    const char *name;
    json_t *value;

    json_object_foreach(at->value, name, value)
    {
        struct cs_json_at place = {.value = value, .above = at, .key = name};

        if (!strcmp(name, "label")) {
            if (cs_json_string(&place, label, reader->err))
                return -1;
            if (!**label)
                return cs_json_error(&place, reader->err, "a label is not empty");
            continue;
        }
        if (check_setting(reader, &place, name))
            return -1;
        cs_json_set(set, name, json_incref(value));
    }
    if (!json_object_size(set))
        return cs_json_error(at, reader->err, "sets no parameter");
    if (draft->parameter && !json_object_get(set, draft->at.key))
        return cs_json_error(at, reader->err, "does not set %s, on whose axis it is",
                             draft->at.key);
    return 0;
}

static int read_object(const struct draft *draft, const struct cs_json_at *at)
{
    const char *label = NULL;
    json_t *set = cs_json_made(json_object());
    CS_JSON_HOLD(set);

    return read_settings(draft, at, &label, set) ? -1 : place_value(draft, at, set, label);
}

static int read_value(const struct draft *draft, const struct cs_json_at *at)
{
    struct cs_error inner = {0};
    CS_HOLD(set);

    if (json_is_object(at->value))
        return read_object(draft, at);
    if (!draft->parameter) {
        cs_cell_param(draft->reader->experiment->problem, draft->at.key, &inner);
        return cs_json_error(&draft->at, draft->reader->err,
                             "%s. Values on an axis of another name are objects of parameters",
                             inner.text);
    }
    if (check_setting(draft->reader, at, draft->at.key))
        return -1;
    cs_json_hold(&set, cs_json_pair(draft->at.key, json_incref(at->value)));
    return place_value(draft, at, set.thing, NULL);
}

/* Lists and ranges give an array; a new reference. */
static json_t *find_values(const struct draft *draft)
{
    const struct cs_param *p = draft->parameter;
    struct cs_error *err = draft->reader->err;

    if (json_is_array(draft->at.value)) {
        if (json_array_size(draft->at.value))
            return json_incref(draft->at.value);
        cs_json_error(&draft->at, err, "has no values");
        return NULL;
    }
    if (!json_is_object(draft->at.value)) {
        cs_json_error(&draft->at, err,
                      "expected a list of values, or a range such as {\"from\": 1, \"to\": 9, "
                      "\"step\": 2}");
        return NULL;
    }
    if (p && cs_param_is_number(p))
        return cs_range_read(&draft->at, p->kind == CS_PARAM_INTEGER, err);
    cs_json_error(&draft->at, err, "a range is for parameters that are numbers, expected a list");
    return NULL;
}

static int read_values(const struct draft *draft, json_t *values)
{
    struct cs_experiment_side *side = draft->side;
    struct cs_json_at list = draft->at;
    size_t count = json_array_size(values);

    list.value = values;
    side->value = CS_NEW_ARRAY(draft->reader->experiment->arena, int, count);
    for (size_t v = 0; v < count; v++) {
        struct cs_json_at place = cs_json_element(&list, v);
        int index = read_value(draft, &place);

        if (index < 0)
            return -1;
        side->value[side->count++] = index;
    }
    return 0;
}

static int read_axis(struct draft *draft)
{
    struct cs_experiment *experiment = draft->reader->experiment;
    json_t *values;

    if (check_name(draft))
        return -1;
    values = find_values(draft);
    if (!values)
        return -1;
    cs_json_append(experiment->owned, values);
    draft->side->axis = cs_experiment_find_axis(experiment, draft->at.key);
    return read_values(draft, values);
}

/* No two axes of a grid set the same parameter: for each, which axis does. */
static int check_disjoint(const struct cs_experiment_reader *reader,
                          const struct cs_experiment_grid *grid)
{
    const struct cs_experiment *experiment = reader->experiment;
    json_t *owner = cs_json_made(json_object());
    CS_JSON_HOLD(owner);
    int status = 0;

    for (int s = 0; s < grid->sides && !status; s++) {
        const struct cs_experiment_axis *axis = &experiment->axis[grid->side[s].axis];

        for (int v = 0; v < grid->side[s].count && !status; v++) {
            const char *name;
            json_t *value;

            json_object_foreach(axis->value[grid->side[s].value[v]].set, name, value)
            {
                const json_t *other = json_object_get(owner, name);

                if (other && json_integer_value(other) != s)
                    status = cs_json_error(
                        &grid->at, reader->err, "%s and %s both set %s",
                        experiment->axis[grid->side[json_integer_value(other)].axis].name,
                        axis->name, name);
                else if (!other)
                    cs_json_set(owner, name, json_integer(s));
            }
        }
    }
    return status;
}

static int read_grid(struct cs_experiment_reader *reader, struct cs_json_at at)
{
    struct cs_experiment_grid *grid = &reader->grid[reader->grids];
    const char *name;
    json_t *value;

    if (cs_json_keys(&at, NULL, reader->err))
        return -1;
    grid->at = at;
    grid->side = CS_NEW_ARRAY(reader->experiment->arena, struct cs_experiment_side,
                              json_object_size(at.value));
    json_object_foreach(at.value, name, value)
    {
        struct draft draft = {
            .reader = reader,
            .side = &grid->side[grid->sides++],
            .parameter = cs_cell_param(reader->experiment->problem, name, NULL),
            .at = {.value = value, .above = &grid->at, .key = name},
        };

        if (read_axis(&draft))
            return -1;
    }
    if (check_disjoint(reader, grid))
        return -1;
    reader->grids++;
    return 0;
}

int cs_experiment_read_axes(struct cs_experiment_reader *reader)
{
    struct cs_arena *arena = reader->experiment->arena;
    size_t count = 1;

    if (!reader->vary.value) {
        reader->grid = CS_NEW(arena, struct cs_experiment_grid);
        reader->grid->at = reader->root;
        reader->grids = 1;
        return 0;
    }
    if (!json_is_array(reader->vary.value)) {
        reader->grid = CS_NEW(arena, struct cs_experiment_grid);
        return read_grid(reader, reader->vary);
    }
    if (cs_json_array(&reader->vary, &count, reader->err))
        return -1;
    if (!count)
        return cs_json_error(&reader->vary, reader->err, "has no grids");
    reader->grid = CS_NEW_ARRAY(arena, struct cs_experiment_grid, count);
    for (size_t g = 0; g < count; g++)
        if (read_grid(reader, cs_json_element(&reader->vary, g)))
            return -1;
    return 0;
}
