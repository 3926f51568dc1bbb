/* policy_param.h - the parameters of policies: reading a value, and saying what is right. */
#ifndef CS_MODEL_POLICY_PARAM_H
#define CS_MODEL_POLICY_PARAM_H

#include "base/strbuf.h"
#include "model/policy.h"

/* The range of a value in short form: "0 < epsilon < 1", "1 <= runs <= 1000000", "runs >= 1",
 * "first|second". */
void cs_policy_param_put_range(struct cs_strbuf *out, const struct cs_policy_param *param);

/* Read one value; the fallback is always right and gives NaN if it is not a value of its kind.
 * -1 with err names the parameter, what was found and what would be right. */
int cs_policy_param_read(const struct cs_policy_param *param, const char *text, double *value,
                         struct cs_error *err);

/* Does the text of policies ("NAME:param=value,...", as in cs_policy_parse) set this parameter? */
bool cs_policy_text_sets(const char *text, const char *param);

/* Append a warning about each former name of a parameter of these policies that the text uses. */
void cs_policy_put_renamed(const struct cs_policy *const *list, int count, const char *text,
                           struct cs_strbuf *out);

/* Append the text with the names of today, or with those of cosched 0.2, of these parameters. */
void cs_policy_put_text(const struct cs_policy *const *list, int count, const char *text,
                        bool former, struct cs_strbuf *out);

/* Is the call one of a policy of the list, with values that its parameters may have?  NaN and 0 may
 * stand for what was not set.  -1 with err. */
int cs_policy_call_check(const struct cs_policy_call *call, const struct cs_policy *const *list,
                         int count, struct cs_error *err);

#endif
