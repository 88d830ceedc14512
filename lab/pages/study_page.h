/* A study as a page: what it recommends and how sure that is, how it came there, where the subgoals
 * are and which legs lead to them, what its model expects, all settings and all trials. */
#ifndef BESD_PAGES_STUDY_PAGE_H
#define BESD_PAGES_STUDY_PAGE_H

#include "besd/besd.h"

/* Writes BASE.html; with `keep_figures` the figures and their scripts beside it, as BASE-KIND.*.
 * Without gnuplot the page is written without figures and BESD_UNSUPPORTED is returned; a study
 * without told trials is BESD_INVALID. */
besd_status study_page_write(besd_study *study, const char *name, const char *base,
                             bool keep_figures, besd_error *error);

/* The head of a coordinate's column: its name, and its unit in brackets; returns `text`. */
enum { STUDY_COORDINATE_NAME = 2 * BESD_MAX_NAME + 3 };
const char *study_page_coordinate(const besd_study_options *o, size_t i, char *text, size_t size);

#endif
