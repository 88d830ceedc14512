/* What the page of a comparison says about the paper: its Table 1 beside that of besd, and where
 * besd differs. Only for domains and methods that were run. */
#ifndef BESD_PAGES_PAPER_NOTES_H
#define BESD_PAGES_PAPER_NOTES_H

#include "contest/findings.h"
#include "pages/page.h"

/* Nothing when besd was run in no domain of the paper. */
void paper_put_table1(page *p, const findings *f);

void paper_tell_differences(page *p, const summary *s);

#endif
