/* picture.h - options of pictures, with their words understood. */
#ifndef CS_FACE_PICTURE_H
#define CS_FACE_PICTURE_H

#include "report/schedule_picture.h"

#include <cosched/picture.h>

/* How a picture looks; -1 with err for options of another size and for a style that is not there.
 */
int cs_picture_understand(const struct cs_picture_options *how, struct cs_picture_look *look,
                          struct cs_error *err);

#endif
