#!/bin/sh
# The house rules notice what they forbid, and let pass what they allow.
. "$(dirname "$0")/lib.sh"

# source TEXT: a tree with one source of this text, and a function that draws.
source_of() {
    rm -rf tree
    mkdir -p tree/include tree/src/base tree/script tree/tests tree/bench tree/.ci
    printf '/* rng.h - draws. */\nint cs_draw(struct cs_rng *rng, int most);\n' >tree/src/base/rng.h
    printf '/* a.c - a test. */\n%s\n' "$1" >tree/src/base/a.c
}

allowed() {
    source_of "$2"
    check "allowed: $1" "$top/script/rules" tree
}

refused() {
    source_of "$2"
    "$top/script/rules" tree >out
    status=$?
    check "refused: $1" test "$status" -eq 1
    check "... with file, line and reason: $3" grep -qF "src/base/a.c:$3" out
}

twice=': draws twice from'
allowed 'one draw a statement' 'int f(struct cs_rng *r) { int a = cs_draw(r, 1); return a + cs_draw(r, 2); }'
allowed 'declarators, one after the other' 'int f(struct cs_rng *r) { int a = cs_draw(r, 1), b = cs_draw(r, 2); return a - b; }'
allowed 'a condition and what follows' 'int f(struct cs_rng *r) { if (cs_draw(r, 1)) return cs_draw(r, 2); return 0; }'
allowed 'either of two' 'int f(struct cs_rng *r) { return cs_draw(r, 2) && cs_draw(r, 3) ? cs_draw(r, 4) : cs_draw(r, 5); }'
allowed 'a draw as what a draw is given' 'int f(struct cs_rng *r) { return cs_draw(r, cs_draw(r, 5)); }'
allowed 'two streams' 'int f(struct cs_rng *r, struct cs_rng *s) { return cs_draw(r, 5) - cs_draw(s, 5); }'
allowed 'text that looks like it' 'const char *f = "cs_draw(r, 1) - cs_draw(r, 2)";'
refused 'two operands' 'int f(struct cs_rng *r)
{
    return cs_draw(r, 2) - cs_draw(r, 3);
}' "4$twice r"
refused 'two arguments' 'void f(struct cs_rng *r) { g(cs_draw(r, 2), 7, cs_draw(r, 3)); }' "2$twice r"
refused 'two initializers' 'void f(struct cs_rng *r) { int a[] = {cs_draw(r, 2), cs_draw(r, 3)}; g(a); }' "2$twice r"
refused 'two members' 'void f(struct cs_rng *r) { struct p a = {.x = cs_draw(r, 2), .y = {1}, .z = cs_draw(r, 3)}; g(a); }' "2$twice r"
refused 'a function that hands its stream on' '
static int draw(struct dice *d)
{
    return cs_draw(&d->rng, 6);
}
int f(struct dice *d) { return draw(d) - draw(d); }' "7$twice d"

allowed 'to read a number' 'void f(void) { sscanf("1", "%d", &a); }'
for call in 'strtod(text, NULL)' 'snprintf(text, 9, "%d", 1)' 'fprintf(file, "%g", x)' 'sscanf(text, "%2d %lf", &a, &b)' \
    'strcasecmp(a, b)' 'isspace(c)' 'tolower(c)' 'setlocale(LC_ALL, "")' 'atof(text)'; do
    source_of "void f(void) { $call; }"
    "$top/script/rules" tree >out
    check "refused: $call" grep -q "^src/base/a.c:2: *.*(depends on the locale" out
done

for call in 'printf("%s", name)' 'puts(name)' 'fputs(name, stdout)' 'fprintf(stderr, "%s", name)' 'FILE *to = stderr' 'write(STDERR_FILENO, name, 9)' \
    'dprintf(2, "%s", name)' 'perror(name)'; do
    source_of "void f(const char *name) { $call; }"
    "$top/script/rules" tree >out
    check "refused: $call" grep -q "^src/base/a.c:2: *.*(prints past src/cli/base/output.h" out
done
allowed 'to flush, to ask for a terminal' 'void f(void) { fflush(stdout); g(isatty(STDERR_FILENO)); cs_strbuf_printf(out, "x"); }'

for start in '#pragma omp parallel' 'void f(void) { pthread_create(&thread, NULL, work, NULL); }'; do
    source_of "$start"
    "$top/script/rules" tree >out
    check "refused: $start" grep -q '^src/base/a.c:2: *.*(may end the program' out
done

source_of 'void f(void) { pthread_mutex_lock(&mutex); }'
"$top/script/rules" tree >out
check 'a lock that a guard does not know is refused' grep -q '^src/base/a.c:2: *.*(stays locked' out

source_of "int a;$(printf '\t')"
"$top/script/rules" tree >out
check 'blanks at the end of a line are refused' grep -q 'blanks at the end' out
check '... and tabs' grep -q '(a tab)' out

finish
