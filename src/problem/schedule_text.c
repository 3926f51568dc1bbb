/* schedule_text.c - format cosched-schedule-1 of a run: its variant, its inputs, its bars. */
#include "problem/schedule_text.h"

#include "io/schedule_json.h"
#include "problem/inputs.h"

void cs_study_put_variant(const struct cs_study *study, int variant, const char *between,
                          struct cs_strbuf *out)
{
    for (int k = 0; study->problem->variant[k]; k++)
        cs_strbuf_printf(out, "%s%s", k ? between : "", study->variant[variant].word[k]);
}

static void put_text(const struct cs_study *study, int variant, const struct cs_kept *record,
                     const struct cs_schedule_input *input, int inputs, struct cs_strbuf *out)
{
    struct cs_strbuf policy = CS_STRBUF_INIT;
    struct cs_jsonw w = cs_jsonw_begin(out);

    if (study->problem->priorities)
        cs_strbuf_puts(&policy, study->variant[variant].word[0]);
    else
        cs_study_put_variant(study, variant, ", ", &policy);
    cs_jsonw_open(&w, '{');
    cs_schedule_json_put_head(&w, record->schedule, policy.text);
    if (study->options->command)
        cs_jsonw_put_string(&w, "command", study->options->command);
    cs_schedule_json_put_inputs(&w, inputs, input);
    study->problem->put(study, record, &w);
    cs_schedule_json_put_tail(&w, record->schedule, record->workload);
    cs_jsonw_close(&w);
    cs_jsonw_end(&w);
    cs_strbuf_release(&policy);
}

int cs_study_put_file(const struct cs_study *study, int variant, const struct cs_kept *record,
                      struct cs_strbuf *out, struct cs_error *err)
{
    int inputs;
    struct cs_schedule_input *input =
        cs_inputs_of(study->problem, study->options, study->arena, &inputs);

    if (cs_inputs_digest(input, inputs, study->arena, err))
        return -1;
    put_text(study, variant, record, input, inputs, out);
    return 0;
}
