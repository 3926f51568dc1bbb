/* page_store.h - a store on a report page: each of its documents, and where the numbers come from.
 *
 * Sections: of the kind "store" what is in it, when there are several documents; "document" each
 * (page_document.h); "origin" the runs of the program and the files that were read.  What is not
 * finished is shown as far as it is, and the page says so.
 */
#ifndef CS_CAMPAIGN_PAGE_STORE_H
#define CS_CAMPAIGN_PAGE_STORE_H

#include "report/page.h"

#include <cosched/error.h>

/* `papers` is the folder in which the tool finds papers without being told (NULL: none); commands
 * name that of others.  -1 with err, the page as it was, when the store cannot be read or nothing
 * was ever run in it. */
int cs_page_add_store(struct cs_page *page, const char *path, const char *papers,
                      struct cs_error *err);

#endif
