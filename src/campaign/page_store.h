/* page_store.h - a store on a report page: each of its documents, and where the numbers come from.
 *
 * Sections: "store" lists its content, if there are several documents; "document" shows each
 * (page_experiment.h); "origin" lists the runs of the program and the input files. Unfinished
 * documents are shown in part, and the page states this.
 */
#ifndef CS_CAMPAIGN_PAGE_STORE_H
#define CS_CAMPAIGN_PAGE_STORE_H

#include "report/page.h"

#include <cosched/error.h>

/* `papers` is the folder of the default papers of the tool (NULL: none); commands name other
 * directories. -1 with err, the page as it was, when the store cannot be read or has no runs. */
int cs_page_add_store(struct cs_page *page, const char *path, const char *papers,
                      struct cs_error *err);

#endif
