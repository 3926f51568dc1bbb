/* store_rows.h - options of what writes a store: `campaign run` and `paper run`. */
#ifndef CS_CLI_STORE_ROWS_H
#define CS_CLI_STORE_ROWS_H

#define CS_PARAM_STORE_ROWS                                                                        \
    {.name = "allow-other-campaign",                                                               \
     .old = "foreign",                                                                             \
     .kind = CS_PARAM_FLAG,                                                                        \
     .summary = "add to a store that holds another campaign, instead of refusing"},                \
    {                                                                                              \
        .name = "allow-other-build", .old = "other-build", .kind = CS_PARAM_FLAG,                  \
        .summary = "accept a store that has runs of another version, commit or compiler of "       \
                   "cosched; results may differ",                                                  \
    }

#endif
