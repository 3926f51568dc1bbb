/* rows.h - rows of the options that all problems share (struct cs_study_options), and of options
 * that several problems share. `actions_` is the set of actions that take them (0: a command
 * without a problem), `at_` is the offset of the problem's member. */
#ifndef CS_PROBLEM_ROWS_H
#define CS_PROBLEM_ROWS_H

#include "problem/problem.h"

#define CS_STUDY_AT(member) offsetof(struct cs_study_options, member)

/* The operand of the command line, as a parameter of experiments. */
#define CS_ROW_INPUT(what)                                                                         \
    {                                                                                              \
        .name = "input", .kind = CS_PARAM_PATH, .argument = "FILE", .summary = what,               \
        .actions = CS_EXPERIMENT, .scope = CS_SCOPE_INSTANCE, .at = CS_STUDY_AT(input),            \
    }

/* Several of them. */
#define CS_ROW_INPUTS(what)                                                                        \
    {                                                                                              \
        .name = "input", .kind = CS_PARAM_PATH, .argument = "FILE", .repeats = true,               \
        .summary = what, .actions = CS_EXPERIMENT, .scope = CS_SCOPE_INSTANCE,                     \
        .at = CS_STUDY_AT(input),                                                                  \
    }

/* Processors of the machine, the first option of a group. */
#define CS_ROW_PROCS(heading, least, actions_, at_)                                                \
    {                                                                                              \
        .name = "procs", .letter = 'p', .kind = CS_PARAM_INTEGER, .argument = "P", .low = least,   \
        .high = 100000000, .group = heading,                                                       \
        .summary = "processors (or nodes) of the machine (default: from the input)",               \
        .actions = actions_, .scope = CS_SCOPE_INSTANCE, .at = at_,                                \
    }

#define CS_ROW_FILL(actions_, at_)                                                                 \
    {                                                                                              \
        .name = "interpolate", .old = "fill", .old_stored = true, .kind = CS_PARAM_CHOICE,         \
        .choices = "power|measured", .old_choice = "step=measured", .old_choice_stored = true,     \
        .default_text = "power",                                                                   \
        .summary = "times between measured points: on the power law through both, or that of the " \
                   "next smaller measured count",                                                  \
        .actions = actions_, .scope = CS_SCOPE_INSTANCE, .at = at_,                                \
    }

#define CS_ROW_STRICT(actions_, at_)                                                               \
    {                                                                                              \
        .name = "strict", .kind = CS_PARAM_FLAG, .summary = CS_STRICT_WORDS, .actions = actions_,  \
        .at = at_,                                                                                 \
    }

#define CS_ROW_FEWER(actions_, at_)                                                                \
    {                                                                                              \
        .name = "extrapolate", .old = "fewer", .old_stored = true, .kind = CS_PARAM_CHOICE,        \
        .choices = "refuse|scale", .default_text = "refuse",                                       \
        .summary =                                                                                 \
            "below the smallest measured count: the task cannot run there, or it takes the "       \
            "time of perfect scaling",                                                             \
        .actions = actions_, .scope = CS_SCOPE_INSTANCE, .at = at_,                                \
    }

/* A value of problems whose instances may have a known optimum; `known_gap` is its function. */
#define CS_VALUE_KNOWN_GAP(of_)                                                                    \
    {                                                                                              \
        .name = "known_gap", .heading = "above the optimum",                                       \
        .summary = of_ " / proven upper bound of the optimum - 1", .kind = CS_VALUE_SHARE,         \
        .in = CS_IN_SUMMARY | CS_IN_EXPERIMENTS, .digits = 2, .later = true, .of = known_gap,      \
    }

/* Seeds are integers that a JSON number holds. */
#define CS_ROW_SEED(what, actions_)                                                                \
    {                                                                                              \
        .name = "seed", .kind = CS_PARAM_INTEGER, .argument = "S", .default_text = "1", .low = 0,  \
        .high = 9007199254740992.0, .summary = what, .actions = actions_, .scope = CS_SCOPE_DRAW,  \
        .at = CS_STUDY_AT(seed),                                                                   \
    }

#define CS_ROW_THREADS(actions_) CS_PARAM_THREADS(actions_, CS_STUDY_AT(threads))

#define CS_ROW_SCENARIOS(most, what, actions_, at_)                                                \
    {                                                                                              \
        .name = "scenarios", .letter = 'n', .kind = CS_PARAM_INTEGER, .argument = "N", .low = 1,   \
        .high = most, .summary = what, .actions = actions_, .scope = CS_SCOPE_DRAW, .at = at_,     \
    }

/* The two rows of the policy `program`, an external command; `answers` names the content of its
 * replies. */
#define CS_ROWS_PROGRAM(answers, actions_, program_, patience_)                                    \
    {                                                                                              \
        .name = "policy-program",                                                                  \
        .runs = true,                                                                              \
        .kind = CS_PARAM_TEXT,                                                                     \
        .argument = "COMMAND",                                                                     \
        .summary = "what the policy 'program' asks: a command for the shell, which reads events "  \
                   "and answers with " answers ", a line of JSON each (docs/policies.md)",         \
        .actions = actions_,                                                                       \
        .scope = CS_SCOPE_VARIANT,                                                                 \
        .at = program_,                                                                            \
    },                                                                                             \
    {                                                                                              \
        .name = "policy-timeout", .old = "policy-patience", .old_stored = true,                    \
        .kind = CS_PARAM_SECONDS, .argument = "TIME", .default_text = "60s", .low = 0.001,         \
        .high = 1e9, .needs = "policy-program",                                                    \
        .summary = "how long it may think about one answer", .actions = actions_,                  \
        .scope = CS_SCOPE_NOTHING, .at = patience_,                                                \
    }

/* ---- output ---- */

/* Two rows. */
#define CS_ROW_FORMAT(heading, actions_)                                                           \
    CS_PARAM_FORMAT(heading, actions_, CS_STUDY_AT(format)),                                       \
        CS_PARAM_CSV_SAFE(actions_, CS_STUDY_AT(csv_safe))

#define CS_ROW_PER_SCENARIO(what)                                                                  \
    {                                                                                              \
        .name = "per-scenario", .kind = CS_PARAM_PATH, .argument = "FILE.csv", .summary = what,    \
        .actions = CS_SIMULATE, .at = CS_STUDY_AT(per_scenario),                                   \
    }

#define CS_ROW_SCHEDULE(what, actions_)                                                            \
    {                                                                                              \
        .name = "output", .letter = 'o', .kind = CS_PARAM_PATH, .argument = "FILE.json",           \
        .summary = what, .actions = actions_, .at = CS_STUDY_AT(schedule), .old = "schedule",      \
        .old_stays = true,                                                                         \
    }

#define CS_ROW_PROCESSORS(actions_)                                                                \
    {                                                                                              \
        .name = "processors", .kind = CS_PARAM_CHOICE, .choices = "numbers|counts|auto",           \
        .default_text = "auto", .needs = "output",                                                 \
        .summary = "what the bars of --output give: the numbers of their processors, or only how " \
                   "many, in smaller files, to which readers assign numbers; auto: counts above "  \
                   "10,000 bars",                                                                  \
        .actions = actions_, .at = CS_STUDY_AT(processors),                                        \
    }

#define CS_ROW_GANTT(what, actions_)                                                               \
    {                                                                                              \
        .name = "gantt", .kind = CS_PARAM_PATH, .argument = "FILE.svg|FILE.pdf|FILE.png",          \
        .summary = what, .actions = actions_, .at = CS_STUDY_AT(gantt),                            \
    }

#define CS_ROW_SBATCH(more)                                                                        \
    {                                                                                              \
        .name = "sbatch", .kind = CS_PARAM_PATH, .argument = "FILE.sh",                            \
        .summary = "the plan as a batch script for Slurm: srun steps and wait, no executor" more,  \
        .actions = CS_PLAN, .at = CS_STUDY_AT(sbatch),                                             \
    }

#define CS_ROW_SCENARIO(what)                                                                      \
    {                                                                                              \
        .name = "scenario", .kind = CS_PARAM_INTEGER, .argument = "I", .default_text = "0",        \
        .low = 0, .high = 100000000, .summary = what, .actions = CS_SIMULATE,                      \
        .at = CS_STUDY_AT(scenario),                                                               \
    }

#define CS_ROWS_WATTS(actions_) CS_PARAM_WATTS(actions_, CS_STUDY_AT)
#define CS_ROWS_ENERGY(actions_) CS_PARAM_ENERGY(actions_, CS_STUDY_AT)

#define CS_ROW_UNIT(actions_)                                                                      \
    {                                                                                              \
        .name = "unit", .kind = CS_PARAM_TEXT, .argument = "WORD", .default_text = "processor",    \
        .summary = "what a processor is called in texts and pictures, such as node",               \
        .actions = actions_, .at = CS_STUDY_AT(unit),                                              \
    }

#define CS_ROW_TITLE(actions_)                                                                     \
    {                                                                                              \
        .name = "title", .kind = CS_PARAM_TEXT, .argument = "TEXT", .needs = "gantt",              \
        .summary = "title of the picture; default: the name of the input", .actions = actions_,    \
        .at = CS_STUDY_AT(title),                                                                  \
    }

#define CS_ROW_DARK(actions_)                                                                      \
    {                                                                                              \
        .name = "dark", .kind = CS_PARAM_FLAG, .needs = "gantt",                                   \
        .summary = "a picture for dark slides", .actions = actions_, .at = CS_STUDY_AT(dark),      \
    }

#define CS_ROW_WRITE(file, what, actions_)                                                         \
    {                                                                                              \
        .name = "output", .letter = 'o', .kind = CS_PARAM_PATH, .argument = file, .summary = what, \
        .actions = actions_, .at = CS_STUDY_AT(output),                                            \
    }

#define CS_ROW_OUTPUT(file, actions_)                                                              \
    CS_ROW_WRITE(file, "where to; default: standard output", actions_)

/* ---- values ---- */

#define CS_VALUE_ENERGY(name_, heading_, what, in_, column_)                                       \
    {                                                                                              \
        .name = #name_, .heading = heading_ " (kWh)", .summary = what ", joules; with watts",      \
        .kind = CS_VALUE_NUMBER, .in = in_, .column = column_, .unit = "kWh", .digits = 3,         \
        .per = 3.6e6, .later = true, .of = name_,                                                  \
    }

/* In the list of values of a problem, after CS_FUNCTIONS_ENERGY. */
#define CS_VALUES_ENERGY                                                                           \
    CS_VALUE_ENERGY(energy, "energy", "energy of the schedule", CS_IN_ALL, "energy"),              \
        CS_VALUE_ENERGY(energy_busy, "busy nodes", "the part of busy processors, above idle ones", \
                        CS_IN_ALL, NULL),                                                          \
        CS_VALUE_ENERGY(energy_idle, "idle nodes", "the idle power of nodes that are on",          \
                        CS_IN_ALL, NULL),                                                          \
        CS_VALUE_ENERGY(energy_off, "nodes switched off", "the part of nodes that are off",        \
                        CS_IN_ALL, NULL),                                                          \
        CS_VALUE_ENERGY(energy_wake, "waking nodes", "the part of nodes that are switched on",     \
                        CS_IN_ALL, NULL)

/* The same for problems that have a bound of it. */
#define CS_VALUES_ENERGY_BOUND                                                                     \
    CS_VALUES_ENERGY, CS_VALUE_ENERGY(energy_bound, "energy, at least",                            \
                                      "lower bound of the energy, without off-after",              \
                                      CS_IN_SUMMARY | CS_IN_EXPERIMENTS, NULL)

#define CS_FUNCTION_ENERGY(name_, part)                                                            \
    static double name_(const struct cs_study *study, const void *outcome)                         \
    {                                                                                              \
        return cs_study_energy(study, outcome, part);                                              \
    }

#define CS_FUNCTIONS_ENERGY                                                                        \
    CS_FUNCTION_ENERGY(energy, CS_ENERGY_TOTAL)                                                    \
    CS_FUNCTION_ENERGY(energy_busy, CS_ENERGY_BUSY)                                                \
    CS_FUNCTION_ENERGY(energy_idle, CS_ENERGY_IDLE)                                                \
    CS_FUNCTION_ENERGY(energy_off, CS_ENERGY_OFF)                                                  \
    CS_FUNCTION_ENERGY(energy_wake, CS_ENERGY_WAKE)

/* ---- generators ---- */

#define CS_GENERATOR (CS_GENERATE | CS_EXPERIMENT)

#define CS_ROW_COUNT(word, fallback_, low_, high_, what, at_)                                      \
    {                                                                                              \
        .name = (word), .letter = 'n', .kind = CS_PARAM_INTEGER, .argument = "N",                  \
        .default_text = (fallback_), .low = (low_), .high = (high_), .summary = (what),            \
        .actions = CS_GENERATOR, .scope = CS_SCOPE_GENERATOR, .at = at_,                           \
    }

#define CS_ROW_WHOLE(word, argument_, fallback_, low_, high_, what, at_)                           \
    {                                                                                              \
        .name = (word), .kind = CS_PARAM_INTEGER, .argument = (argument_),                         \
        .default_text = (fallback_), .low = (low_), .high = (high_), .summary = (what),            \
        .actions = CS_GENERATOR, .scope = CS_SCOPE_GENERATOR, .at = at_,                           \
    }

#define CS_ROW_REAL(word, argument_, fallback_, low_, high_, what, at_)                            \
    {                                                                                              \
        .name = (word), .kind = CS_PARAM_REAL, .argument = (argument_),                            \
        .default_text = (fallback_), .low = (low_), .high = (high_), .summary = (what),            \
        .actions = CS_GENERATOR, .scope = CS_SCOPE_GENERATOR, .at = at_,                           \
    }

#endif
