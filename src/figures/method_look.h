/* How a method looks in every figure: a colour of Okabe and Ito's, and a dash type and a width that
 * say the same in grey. */
#ifndef BESD_FIGURES_METHOD_LOOK_H
#define BESD_FIGURES_METHOD_LOOK_H

#include "contest/summary.h"

typedef struct method_look {
    const char *method, *colour;
    const char *dash; /* a gnuplot dash type */
    double width;
} method_look;

const method_look *method_look_of(const char *method);

/* The methods of a domain from the least to the most important, so that besd is drawn on top. */
void method_look_order(const summary_domain *d, int *order);

/* The name as figures show it, without its middle when it is very long. Returns `text`. */
enum { METHOD_LOOK_NAME = 40 };
const char *method_look_name(const char *method, char *text, size_t size);

#endif
