/* Who won a comparison, in sentences with numbers. Variants of besd are not its rivals. */
#ifndef BESD_PAGES_OUTCOME_H
#define BESD_PAGES_OUTCOME_H

#include "contest/summary.h"
#include "pages/page.h"

/* Of the method and domain that have most. */
int outcome_replications(const summary *s);

/* The title, which says so when there are too few runs to decide anything. */
void outcome_write_headline(const summary *s, char *text, size_t size);

/* The sentence under the title. */
void outcome_write_standfirst(const summary *s, char *text, size_t size);

/* Nothing when besd had no rival. */
void outcome_tell(page *p, const summary *s);

#endif
