/* frontier.c - how many processors to request.
 *
 * Source: spec/bag.md 7.1 to 7.4.
 * Idea: up to 64 sizes are all planned; of more the nearest to 48 values of a geometric series, and
 * then the middle between each answer and the size before it, until none is left.  A plan for a
 * smaller machine is one for a larger; a bound for a larger machine is one for a smaller.  For a
 * deadline every size that may be the cheapest in time is tried, the one of the least charge first.
 * Invariants: rows have rising sizes; makespans and bounds never rise.
 * Complexity: a plan for each row, O(rows^2) otherwise; rows <= 64 + 3 log2(sizes) in general, and
 * up to 256 more and 24 better plans for a deadline.
 */
#include "problems/moldable/frontier.h"

#include "base/number.h"
#include "base/vector.h"
#include "problems/moldable/bag/bag.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ALL_MOST 64 /* sizes that are all planned */
#define SERIES 48
#define PROCS_MOST 100000000
#define PROBES 256 /* more sizes for a deadline */
#define DEEP 24    /* of them, and of all, with the better effort */
#define SAME 1e-12 /* rounding of sums */

/* ---- sizes ---- */

static int sizes_error(const char *text, struct cs_error *err)
{
    return cs_error_set(err,
                        "--procs is \"%.60s\"; it must be a whole number from 1 to %d, a range "
                        "such as 8..256 or 8..256:8, or a list such as 8,16,32",
                        text, PROCS_MOST);
}

/* A whole number at the front of *text, which moves behind it. */
static bool sizes_read_number(const char **text, int64_t *number)
{
    char digits[16];
    const size_t length = strspn(*text, "0123456789");

    if (!length || length >= sizeof digits)
        return false;
    memcpy(digits, *text, length);
    digits[length] = '\0';
    *text += length;
    return cs_number_int64(digits, number) == CS_NUMBER_FINE && *number >= 1 &&
           *number <= PROCS_MOST;
}

struct sizes_range {
    int64_t low, high, step;
};

/* "8", "8..256" or "8..256:8" at the front of *text. */
static bool sizes_read_range(const char **text, struct sizes_range *range)
{
    *range = (struct sizes_range){.step = 1};
    if (!sizes_read_number(text, &range->low))
        return false;
    range->high = range->low;
    if (strncmp(*text, "..", 2) != 0)
        return true;
    *text += 2;
    if (!sizes_read_number(text, &range->high) || range->high < range->low)
        return false;
    if (**text != ':')
        return true;
    ++*text;
    return sizes_read_number(text, &range->step);
}

static int64_t range_count(const struct sizes_range *range)
{
    return (range->high - range->low + range->step - 1) / range->step + 1;
}

static int size_compare(const void *a, const void *b)
{
    const int x = *(const int *)a, y = *(const int *)b;

    return (x > y) - (x < y);
}

static void sizes_sort(struct cs_frontier_sizes *sizes)
{
    int count = 0;

    qsort(sizes->size, (size_t)sizes->count, sizeof *sizes->size, size_compare);
    for (int s = 0; s < sizes->count; s++)
        if (count == 0 || sizes->size[count - 1] != sizes->size[s])
            sizes->size[count++] = sizes->size[s];
    sizes->count = count;
}

/* Count the sizes of a text; -1: not of this form. */
static int64_t sizes_count(const char *text)
{
    struct sizes_range range;
    int64_t count = 0;

    for (;;) {
        if (!sizes_read_range(&text, &range))
            return -1;
        count += range_count(&range);
        if (!*text)
            return count;
        if (*text++ != ',')
            return -1;
    }
}

int cs_frontier_sizes_parse(const char *text, struct cs_arena *arena,
                            struct cs_frontier_sizes *sizes, struct cs_error *err)
{
    const int64_t count = sizes_count(text);
    struct sizes_range range;

    if (count < 0)
        return sizes_error(text, err);
    if (count > CS_FRONTIER_SIZES_MOST)
        return cs_error_set(err, "--procs %.60s: found %lld sizes, expected at most %d; use a step",
                            text, (long long)count, CS_FRONTIER_SIZES_MOST);
    sizes->size = CS_NEW_ARRAY(arena, int, count);
    sizes->count = 0;
    for (const char *at = text; *at; at += *at == ',') {
        sizes_read_range(&at, &range);
        for (int64_t s = range.low; s < range.high; s += range.step)
            sizes->size[sizes->count++] = (int)s;
        sizes->size[sizes->count++] = (int)range.high;
    }
    sizes_sort(sizes);
    return strpbrk(text, ".,") != NULL;
}

/* ---- rows ---- */

double cs_frontier_gap(const struct cs_frontier_row *row)
{
    if (isinf(row->makespan))
        return NAN;
    return row->makespan <= row->bound * (1 + SAME) ? 0 : row->makespan / row->bound - 1;
}

static bool is_reached(const struct cs_frontier_row *row, double seconds)
{
    return row->makespan <= seconds;
}

/* The first row with a makespan of at most so many seconds; -1. */
static int rows_first(const struct cs_frontier *f, double seconds)
{
    for (int r = 0; r < f->rows; r++)
        if (is_reached(&f->row[r], seconds))
            return r;
    return -1;
}

static void rows_settle_bounds(struct cs_frontier *f)
{
    double bound = 0;

    for (int r = f->rows - 1; r >= 0; r--) {
        bound = fmax(bound, f->row[r].proven);
        f->row[r].bound = isnan(f->row[r].proven) ? NAN : bound;
    }
}

static const char *row_limit(const struct cs_frontier_row *row)
{
    if (isinf(row->makespan))
        return NULL;
    if (row->makespan <= row->critical * (1 + SAME))
        return "critical";
    return cs_frontier_gap(row) > CS_LIMIT_GAP ? "unknown" : row->binding;
}

static void rows_settle(struct cs_frontier *f)
{
    double makespan = INFINITY;
    int planned = 0;

    rows_settle_bounds(f);
    for (int r = 0; r < f->rows; r++) {
        struct cs_frontier_row *row = &f->row[r];

        if (row->made < makespan) {
            makespan = row->made;
            planned = row->procs;
        }
        row->makespan = makespan;
        row->planned = planned;
        row->charged = makespan * row->procs;
        row->efficiency = row->work / row->charged;
        row->limit = row_limit(row);
    }
}

static bool row_beats(const struct cs_frontier_row *a, const struct cs_frontier_row *b)
{
    return a->makespan <= b->makespan && a->charged <= b->charged &&
           (a->makespan < b->makespan || a->charged < b->charged);
}

static void rows_mark_best(struct cs_frontier *f)
{
    for (int r = 0; r < f->rows; r++) {
        f->row[r].best = isfinite(f->row[r].makespan);
        for (int o = 0; o < f->rows && f->row[r].best; o++)
            f->row[r].best = !row_beats(&f->row[o], &f->row[r]);
    }
}

/* The answers of 7.4. */
static void rows_answer(const struct cs_frontier_request *request, struct cs_frontier *f)
{
    const double least = f->row[f->rows - 1].makespan;

    f->within = f->same = f->deadline = -1;
    if (isinf(least))
        return;
    f->within = rows_first(f, (1 + request->within) * least);
    f->same = rows_first(f, least);
    for (int r = 0; r < f->rows; r++)
        if (is_reached(&f->row[r], request->deadline) &&
            (f->deadline < 0 || f->row[r].charged < f->row[f->deadline].charged))
            f->deadline = r;
}

static int rows_plan(const struct cs_frontier_request *request, struct cs_frontier *f, int row,
                     struct cs_error *err)
{
    if (request->plan(request->who, &f->row[row], err))
        return -1;
    rows_settle(f);
    rows_answer(request, f);
    return 0;
}

static void rows_add(struct cs_frontier *f, int at, int procs, struct cs_arena *arena)
{
    CS_ARENA_ROOM(arena, f->row, f->rows, f->room, 64);
    memmove(f->row + at + 1, f->row + at, (size_t)(f->rows - at) * sizeof *f->row);
    f->row[at] = (struct cs_frontier_row){.procs = procs, .made = INFINITY};
    f->rows++;
}

/* The place of a size among all. */
static int size_find(const struct cs_frontier_sizes *all, int procs)
{
    const int *found = bsearch(&procs, all->size, (size_t)all->count, sizeof procs, size_compare);

    return (int)(found - all->size);
}

/* The size nearest to a value, the smaller of two. */
static int size_nearest(const struct cs_frontier_sizes *all, double value)
{
    int low = 0, high = all->count - 1;

    while (low < high) {
        const int middle = (low + high) / 2;

        if (all->size[middle] < value)
            low = middle + 1;
        else
            high = middle;
    }
    if (low > 0 && value - all->size[low - 1] <= all->size[low] - value)
        low--;
    return all->size[low];
}

static void rows_begin(const struct cs_frontier_sizes *all, struct cs_frontier *f,
                       struct cs_arena *arena)
{
    const double low = all->size[0], high = all->size[all->count - 1];

    if (all->count <= ALL_MOST) {
        for (int s = 0; s < all->count; s++)
            rows_add(f, f->rows, all->size[s], arena);
        return;
    }
    for (int k = 0; k < SERIES; k++) {
        const double value = low * pow(high / low, (double)k / (SERIES - 1));
        const int size = k == 0            ? all->size[0]
                         : k == SERIES - 1 ? all->size[all->count - 1]
                                           : size_nearest(all, value);

        if (f->rows == 0 || f->row[f->rows - 1].procs != size)
            rows_add(f, f->rows, size, arena);
    }
}

/* Plan a size between an answer and the row before it.  1: done; 0: no such size; -1 with err. */
static int rows_bisect(const struct cs_frontier_request *request, struct cs_frontier *f,
                       struct cs_arena *arena, struct cs_error *err)
{
    const int answer[] = {f->within, f->same, f->deadline};

    for (size_t a = 0; a < sizeof answer / sizeof *answer; a++) {
        int low, high;

        if (answer[a] <= 0)
            continue;
        low = size_find(&request->all, f->row[answer[a] - 1].procs);
        high = size_find(&request->all, f->row[answer[a]].procs);
        if (high - low < 2)
            continue;
        rows_add(f, answer[a], request->all.size[low + (high - low) / 2], arena);
        return rows_plan(request, f, answer[a], err) ? -1 : 1;
    }
    return 0;
}

/* Plan an answer, or the largest size, with the better effort.  As above. */
static int rows_improve(const struct cs_frontier_request *request, struct cs_frontier *f,
                        struct cs_error *err)
{
    const int answer[] = {f->rows - 1, f->same, f->within, f->deadline};

    for (size_t a = 0; !request->uniform && a < sizeof answer / sizeof *answer; a++) {
        const int row = answer[a];

        if (row < 0 || f->row[row].thorough || cs_frontier_gap(&f->row[row]) == 0)
            continue;
        f->row[row].thorough = true;
        return rows_plan(request, f, row, err) ? -1 : 1;
    }
    return 0;
}

/* ---- the cheapest size in time ---- */

/* A lower bound of the charge of a size: from bound and work of a row that is not smaller. */
static double least_charged(const struct cs_frontier_row *row, int procs)
{
    return fmax(procs * row->bound, row->work);
}

/* May the size be the cheapest in time? */
static bool is_promising(const struct cs_frontier_request *request, const struct cs_frontier *f,
                         const struct cs_frontier_row *row, int procs)
{
    return row->bound <= request->deadline &&
           (f->deadline < 0 ||
            least_charged(row, procs) < f->row[f->deadline].charged * (1 - SAME));
}

/* The place where a size between two rows is promising: what holds for the row after it holds for
 * it. 0: no such place. */
static int find_probe(const struct cs_frontier_request *request, const struct cs_frontier *f,
                      int *procs)
{
    double least = INFINITY;
    int place = 0;

    for (int r = 1; r < f->rows; r++) {
        const int low = size_find(&request->all, f->row[r - 1].procs);
        const int high = size_find(&request->all, f->row[r].procs);
        const int size = request->all.size[low + (high - low) / 2];
        const double cost = least_charged(&f->row[r], size);

        if (high - low > 1 && cost < least && is_promising(request, f, &f->row[r], size)) {
            least = cost;
            place = r;
            *procs = size;
        }
    }
    return place;
}

/* The row without a thorough plan that may become the cheapest, the cheapest now; -1: none. */
static int find_shallow(const struct cs_frontier_request *request, const struct cs_frontier *f)
{
    double least = INFINITY;
    int found = -1;

    for (int r = 0; r < f->rows; r++) {
        const struct cs_frontier_row *row = &f->row[r];
        const double cost = row->procs * fmin(row->makespan, request->deadline);

        if (!row->thorough && row->limit && cs_frontier_gap(row) > 0 && cost < least &&
            is_promising(request, f, row, row->procs)) {
            least = cost;
            found = r;
        }
    }
    return found;
}

static int rows_probe(const struct cs_frontier_request *request, struct cs_frontier *f,
                      struct cs_arena *arena, struct cs_error *err)
{
    int procs = 0, status = 0;

    for (int k = 0; k < PROBES && !status; k++) {
        const int place = find_probe(request, f, &procs);

        if (!place)
            break;
        rows_add(f, place, procs, arena);
        f->row[place].probe = true;
        status = rows_plan(request, f, place, err);
    }
    for (int k = 0; k < DEEP && !status && !request->uniform; k++) {
        const int row = find_shallow(request, f);

        if (row < 0)
            break;
        f->row[row].thorough = true;
        status = rows_plan(request, f, row, err);
    }
    return status;
}

/* Leave out what was only probed. */
static void rows_drop_probes(const struct cs_frontier_request *request, struct cs_frontier *f)
{
    int kept = 0;

    for (int r = 0; r < f->rows; r++)
        if (!f->row[r].probe || r == f->within || r == f->same || r == f->deadline)
            f->row[kept++] = f->row[r];
    f->rows = kept;
    rows_settle(f);
    rows_answer(request, f);
}

static int rows_find_cheapest(const struct cs_frontier_request *request, struct cs_frontier *f,
                              struct cs_arena *arena, struct cs_error *err)
{
    if (isnan(request->deadline) || f->within < 0)
        return 0;
    if (rows_probe(request, f, arena, err))
        return -1;
    rows_drop_probes(request, f);
    return 0;
}

int cs_frontier_find(const struct cs_frontier_request *request, struct cs_frontier *frontier,
                     struct cs_arena *arena, struct cs_error *err)
{
    int more = 1;

    memset(frontier, 0, sizeof *frontier);
    rows_begin(&request->all, frontier, arena);
    for (int r = 0; r < frontier->rows; r++)
        if (request->plan(request->who, &frontier->row[r], err))
            return -1;
    rows_settle(frontier);
    rows_answer(request, frontier);
    while (more > 0) {
        more = rows_bisect(request, frontier, arena, err);
        if (more == 0)
            more = rows_improve(request, frontier, err);
    }
    if (!more)
        more = rows_find_cheapest(request, frontier, arena, err);
    rows_mark_best(frontier);
    return more;
}
