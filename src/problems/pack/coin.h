/* coin.h - the functions of CLP and CBC, which are loaded when the first linear program is made.
 *
 * They bring nineteen other libraries, which a program that plans without them need not wait for.
 */
#ifndef CS_PACK_COIN_H
#define CS_PACK_COIN_H

#include <cosched/error.h>

/* Can linear programs be made here?  -1 with err, which names the missing library; another call
 * looks again. */
int cs_pack_coin_load(struct cs_error *err);

/* The same by looking for the files of the libraries, which are not loaded. */
int cs_pack_coin_check(struct cs_error *err);

#endif
