/* rows.h - rows of the options that all problems share (struct cs_study_options), and of options
 * that several problems share. `verbs_` is the set of verbs that take them (0: a command without a
 * problem), `at_` is the offset of the problem's member. */
#ifndef CS_PROBLEM_ROWS_H
#define CS_PROBLEM_ROWS_H

#include "problem/problem.h"

#define CS_STUDY_AT(member) offsetof(struct cs_study_options, member)

/* The operand of the command line, as a parameter of experiments. */
#define CS_ROW_INPUT(what)                                                                         \
    {                                                                                              \
        .name = "input", .kind = CS_FIELD_PATH, .argument = "FILE", .summary = what,               \
        .verbs = CS_EXPERIMENT, .of = CS_OF_INSTANCE, .at = CS_STUDY_AT(input),                    \
    }

/* Several of them. */
#define CS_ROW_INPUTS(what)                                                                        \
    {                                                                                              \
        .name = "input", .kind = CS_FIELD_PATH, .argument = "FILE", .repeats = true,               \
        .summary = what, .verbs = CS_EXPERIMENT, .of = CS_OF_INSTANCE, .at = CS_STUDY_AT(input),   \
    }

/* Processors of the machine, the first option of a group. */
#define CS_ROW_PROCS(heading, least, verbs_, at_)                                                  \
    {                                                                                              \
        .name = "procs", .letter = 'p', .kind = CS_FIELD_INTEGER, .argument = "P", .low = least,   \
        .high = 100000000, .group = heading,                                                       \
        .summary = "processors (or nodes) of the machine (default: from the input)",               \
        .verbs = verbs_, .of = CS_OF_INSTANCE, .at = at_,                                          \
    }

#define CS_ROW_FILL(verbs_, at_)                                                                   \
    {                                                                                              \
        .name = "interpolate", .old = "fill", .old_stored = true, .kind = CS_FIELD_CHOICE,         \
        .choices = "power|measured", .old_choice = "step=measured", .old_choice_stored = true,     \
        .fallback = "power",                                                                       \
        .summary = "times between measured points: on the power law through both, or that of the " \
                   "next smaller measured count",                                                  \
        .verbs = verbs_, .of = CS_OF_INSTANCE, .at = at_,                                          \
    }

#define CS_ROW_STRICT(verbs_, at_)                                                                 \
    {                                                                                              \
        .name = "strict", .kind = CS_FIELD_FLAG, .summary = CS_STRICT_WORDS, .verbs = verbs_,      \
        .at = at_,                                                                                 \
    }

#define CS_ROW_FEWER(verbs_, at_)                                                                  \
    {                                                                                              \
        .name = "extrapolate", .old = "fewer", .old_stored = true, .kind = CS_FIELD_CHOICE,        \
        .choices = "refuse|scale", .fallback = "refuse",                                           \
        .summary =                                                                                 \
            "below the smallest measured count: the task cannot run there, or it takes the "       \
            "time of perfect scaling",                                                             \
        .verbs = verbs_, .of = CS_OF_INSTANCE, .at = at_,                                          \
    }

/* Seeds are integers that a JSON number holds. */
#define CS_ROW_SEED(what, verbs_)                                                                  \
    {                                                                                              \
        .name = "seed", .kind = CS_FIELD_INTEGER, .argument = "S", .fallback = "1", .low = 0,      \
        .high = 9007199254740992.0, .summary = what, .verbs = verbs_, .of = CS_OF_DRAW,            \
        .at = CS_STUDY_AT(seed),                                                                   \
    }

#define CS_ROW_THREADS(verbs_) CS_FIELD_THREADS(verbs_, CS_STUDY_AT(threads))

#define CS_ROW_SCENARIOS(most, what, verbs_, at_)                                                  \
    {                                                                                              \
        .name = "scenarios", .letter = 'n', .kind = CS_FIELD_INTEGER, .argument = "N", .low = 1,   \
        .high = most, .summary = what, .verbs = verbs_, .of = CS_OF_DRAW, .at = at_,               \
    }

/* The two rows of the policy `program`, an external command; `answers` names the content of its
 * replies. */
#define CS_ROWS_PROGRAM(answers, verbs_, program_, patience_)                                      \
    {                                                                                              \
        .name = "policy-program",                                                                  \
        .runs = true,                                                                              \
        .kind = CS_FIELD_TEXT,                                                                     \
        .argument = "COMMAND",                                                                     \
        .summary = "what the policy 'program' asks: a command for the shell, which reads events "  \
                   "and answers with " answers ", a line of JSON each (docs/policies.md)",         \
        .verbs = verbs_,                                                                           \
        .of = CS_OF_VARIANT,                                                                       \
        .at = program_,                                                                            \
    },                                                                                             \
    {                                                                                              \
        .name = "policy-timeout", .old = "policy-patience", .old_stored = true,                    \
        .kind = CS_FIELD_SECONDS, .argument = "TIME", .fallback = "60s", .low = 0.001,             \
        .high = 1e9, .needs = "policy-program",                                                    \
        .summary = "how long it may think about one answer", .verbs = verbs_, .of = CS_OF_NOTHING, \
        .at = patience_,                                                                           \
    }

/* ---- output ---- */

/* Two rows. */
#define CS_ROW_FORMAT(heading, verbs_)                                                             \
    CS_FIELD_FORMAT(heading, verbs_, CS_STUDY_AT(format)),                                         \
        CS_FIELD_CSV_SAFE(verbs_, CS_STUDY_AT(csv_safe))

#define CS_ROW_PER_SCENARIO(what)                                                                  \
    {                                                                                              \
        .name = "per-scenario", .kind = CS_FIELD_PATH, .argument = "FILE.csv", .summary = what,    \
        .verbs = CS_SIMULATE, .at = CS_STUDY_AT(per_scenario),                                     \
    }

#define CS_ROW_SCHEDULE(what, verbs_)                                                              \
    {                                                                                              \
        .name = "output", .letter = 'o', .kind = CS_FIELD_PATH, .argument = "FILE.json",           \
        .summary = what, .verbs = verbs_, .at = CS_STUDY_AT(schedule), .old = "schedule",          \
        .old_stays = true,                                                                         \
    }

#define CS_ROW_PROCESSORS(verbs_)                                                                  \
    {                                                                                              \
        .name = "processors", .kind = CS_FIELD_CHOICE, .choices = "numbers|counts|auto",           \
        .fallback = "auto", .needs = "output",                                                     \
        .summary = "what the bars of --output give: the numbers of their processors, or only how " \
                   "many, in smaller files, to which readers assign numbers; auto: counts above "  \
                   "10,000 bars",                                                                  \
        .verbs = verbs_, .at = CS_STUDY_AT(processors),                                            \
    }

#define CS_ROW_GANTT(what, verbs_)                                                                 \
    {                                                                                              \
        .name = "gantt", .kind = CS_FIELD_PATH, .argument = "FILE.svg|FILE.pdf|FILE.png",          \
        .summary = what, .verbs = verbs_, .at = CS_STUDY_AT(gantt),                                \
    }

#define CS_ROW_SBATCH(more)                                                                        \
    {                                                                                              \
        .name = "sbatch", .kind = CS_FIELD_PATH, .argument = "FILE.sh",                            \
        .summary = "the plan as a batch script for Slurm: srun steps and wait, no executor" more,  \
        .verbs = CS_PLAN, .at = CS_STUDY_AT(sbatch),                                               \
    }

#define CS_ROW_SCENARIO(what)                                                                      \
    {                                                                                              \
        .name = "scenario", .kind = CS_FIELD_INTEGER, .argument = "I", .fallback = "0", .low = 0,  \
        .high = 100000000, .summary = what, .verbs = CS_SIMULATE, .at = CS_STUDY_AT(scenario),     \
    }

#define CS_ROW_UNIT(verbs_)                                                                        \
    {                                                                                              \
        .name = "unit", .kind = CS_FIELD_TEXT, .argument = "WORD", .fallback = "processor",        \
        .summary = "what a processor is called in texts and pictures, such as node",               \
        .verbs = verbs_, .at = CS_STUDY_AT(unit),                                                  \
    }

#define CS_ROW_TITLE(verbs_)                                                                       \
    {                                                                                              \
        .name = "title", .kind = CS_FIELD_TEXT, .argument = "TEXT", .needs = "gantt",              \
        .summary = "title of the picture; default: the name of the input", .verbs = verbs_,        \
        .at = CS_STUDY_AT(title),                                                                  \
    }

#define CS_ROW_DARK(verbs_)                                                                        \
    {                                                                                              \
        .name = "dark", .kind = CS_FIELD_FLAG, .needs = "gantt",                                   \
        .summary = "a picture for dark slides", .verbs = verbs_, .at = CS_STUDY_AT(dark),          \
    }

#define CS_ROW_WRITE(file, what, verbs_)                                                           \
    {                                                                                              \
        .name = "output", .letter = 'o', .kind = CS_FIELD_PATH, .argument = file, .summary = what, \
        .verbs = verbs_, .at = CS_STUDY_AT(output),                                                \
    }

#define CS_ROW_OUTPUT(file, verbs_) CS_ROW_WRITE(file, "where to; default: standard output", verbs_)

/* ---- generators ---- */

#define CS_GENERATOR (CS_GENERATE | CS_EXPERIMENT)

#define CS_ROW_COUNT(word, fallback_, low_, high_, what, at_)                                      \
    {                                                                                              \
        .name = (word), .letter = 'n', .kind = CS_FIELD_INTEGER, .argument = "N",                  \
        .fallback = (fallback_), .low = (low_), .high = (high_), .summary = (what),                \
        .verbs = CS_GENERATOR, .of = CS_OF_GENERATOR, .at = at_,                                   \
    }

#define CS_ROW_WHOLE(word, argument_, fallback_, low_, high_, what, at_)                           \
    {                                                                                              \
        .name = (word), .kind = CS_FIELD_INTEGER, .argument = (argument_),                         \
        .fallback = (fallback_), .low = (low_), .high = (high_), .summary = (what),                \
        .verbs = CS_GENERATOR, .of = CS_OF_GENERATOR, .at = at_,                                   \
    }

#define CS_ROW_REAL(word, argument_, fallback_, low_, high_, what, at_)                            \
    {                                                                                              \
        .name = (word), .kind = CS_FIELD_REAL, .argument = (argument_), .fallback = (fallback_),   \
        .low = (low_), .high = (high_), .summary = (what), .verbs = CS_GENERATOR,                  \
        .of = CS_OF_GENERATOR, .at = at_,                                                          \
    }

#endif
