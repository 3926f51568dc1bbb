/* schedule_own.h - keys of schedule files that no kind of row can write and read. */
#ifndef CS_IO_SCHEDULE_OWN_H
#define CS_IO_SCHEDULE_OWN_H

#include "io/schedule_keys.h"

#define CS_KEY_HAS_OWN(name_)                                                                      \
    void cs_key_put_##name_(struct cs_jsonw *w, const struct cs_schedule *schedule,                \
                            const void *declared);                                                 \
    int cs_key_get_##name_(const struct cs_json_at *at, const struct cs_key_source *source,        \
                           void *declared);

CS_KEY_HAS_OWN(moldable_certificate)
CS_KEY_HAS_OWN(moldable_stopped)
CS_KEY_HAS_OWN(ptg_graphs)

/* Checks and defaults that no row states.  -1 with err. */
int cs_key_finish_pack(const struct cs_json_at *root, const struct cs_key_source *source,
                       void *declared);
int cs_key_finish_rigid(const struct cs_json_at *root, const struct cs_key_source *source,
                        void *declared);
int cs_key_finish_volatile(const struct cs_json_at *root, const struct cs_key_source *source,
                           void *declared);

#endif
