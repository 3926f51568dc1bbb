/* output_claims.c - claims of a paper next to the results, for programs and pages. */
#include "campaign/output.h"

#include <math.h>

static void put_check(const struct cs_results *results, const struct cs_check *check,
                      struct cs_jsonw *w)
{
    static const char *const relation[] = {[CS_BELOW] = "<",
                                           [CS_AT_MOST] = "<=",
                                           [CS_ABOVE] = ">",
                                           [CS_AT_LEAST] = ">=",
                                           [CS_BETWEEN] = "between"};
    double found, wanted;
    enum cs_finding finding = cs_check_finding(results, check, &found, &wanted);

    cs_jsonw_open(w, '{');
    cs_jsonw_put_string(w, "label", check->label);
    cs_jsonw_put_bool(w, "counted", !check->extra);
    cs_jsonw_put_double(w, "found", found);
    cs_jsonw_put_double(w, "confidence95", cs_check_error(results, check));
    cs_jsonw_put_string(w, "relation", relation[check->relation]);
    cs_jsonw_put_double(w, "wanted", wanted);
    cs_jsonw_put_double(w, "to", check->relation == CS_BETWEEN ? check->high : NAN);
    cs_jsonw_put_string(w, "verdict", isnan(found) ? NULL : cs_finding_word(finding));
    cs_jsonw_close(w);
}

static void put_claim(const struct cs_results *results, int c, struct cs_jsonw *w)
{
    const struct cs_claim *claim = &results->experiment->claim[c];

    cs_jsonw_open(w, '{');
    cs_jsonw_put_string(w, "paper", results->experiment->name);
    cs_jsonw_put_int(w, "claim", c + 1);
    cs_jsonw_put_string(w, "verdict", cs_finding_word(cs_claim_finding(results, claim)));
    cs_jsonw_put_string(w, "text", claim->text);
    cs_jsonw_put_string(w, "reading", claim->reading);
    cs_jsonw_put_string(w, "remark", claim->remark);
    cs_jsonw_put_string(w, "unchecked", claim->unchecked);
    cs_jsonw_key(w, "checks");
    cs_jsonw_open(w, '[');
    for (int k = 0; k < claim->count; k++)
        put_check(results, &claim->check[k], w);
    cs_jsonw_close(w);
    cs_jsonw_close(w);
}

void cs_output_put_claims(const struct cs_results *results, struct cs_jsonw *w)
{
    cs_jsonw_open(w, '[');
    for (int c = 0; c < results->experiment->claims; c++)
        put_claim(results, c, w);
    cs_jsonw_close(w);
}
