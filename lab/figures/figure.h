/* The figures: one table of kinds, each drawn from a comparison, a domain or a study. */
#ifndef BESD_FIGURES_FIGURE_H
#define BESD_FIGURES_FIGURE_H

#include "besd/besd.h"
#include "contest/findings.h"
#include "contest/summary.h"
#include "figures/plot.h"

/* What a figure is drawn from; a kind uses one of the first three. */
typedef struct figure_source {
    const findings *findings; /* of a comparison */
    const domain *domain;
    besd_study *study;
    const double *theta; /* a design for `domain`; NULL: its example */
    size_t theta_length;
    uint64_t instance, seed; /* for `domain` */
} figure_source;

typedef enum figure_needs { NEEDS_COMPARISON, NEEDS_DOMAIN, NEEDS_STUDY } figure_needs;

typedef struct figure_kind {
    const char *name;
    figure_needs needs;
    const char *title; /* a line for lists */
    /* Sets the size and draws; `p` is opened by figure_begin, called by the kind once it knows its
     * panels. */
    besd_status (*draw)(const figure_source *s, plot *p, const char *folder, const char *name,
                        besd_error *error);
} figure_kind;

/* The kinds; NULL past the last. */
const figure_kind *figure_kind_at(size_t index);

/* The kind of this name; BESD_UNKNOWN with the nearest one. */
besd_status figure_find(const char *name, const figure_kind **kind, besd_error *error);

/* Draws into FOLDER/NAME.{gp,dat,svg,...}. */
besd_status figure_make(const figure_kind *kind, const figure_source *s, const char *folder,
                        const char *name, unsigned formats, besd_error *error);

/* Upper-case name of a domain, as in the paper. */
const char *figure_domain_title(const char *domain, char *text, size_t size);

/* What a figure calls a domain: the title of a grid that is not built in, cut after a whole word to
 * at most `most` bytes, or else the upper-case name. */
enum { FIGURE_TITLE_SIZE = 140 };
const char *figure_title(const domain *d, size_t most, char *text, size_t size);

/* Sets columns and rows for this number of panels. */
void figure_lattice(plot *p, int panels, double panel_width, double panel_height);

/* An axis of cost from 0 to the budget, and what its numbers count. */
void figure_cost_axis(plot *p, double budget);
const char *figure_cost_unit(double budget);

/* Round numbers for the labels of a logarithmic axis from low > 0 to high, at least four that reach
 * from its lowest to its highest fifth; how many, 0 when there is no such axis. */
enum { FIGURE_MAX_TICKS = 64 };
int figure_log_ticks(double low, double high, double *ticks);

/* The kinds' own drawing, one file each. */
besd_status figure_cost(const figure_source *s, plot *p, const char *folder, const char *name,
                        besd_error *error);
besd_status figure_profile(const figure_source *s, plot *p, const char *folder, const char *name,
                           besd_error *error);
besd_status figure_paths(const figure_source *s, plot *p, const char *folder, const char *name,
                         besd_error *error);
besd_status figure_learning(const figure_source *s, plot *p, const char *folder, const char *name,
                            besd_error *error);
besd_status figure_levers(const figure_source *s, plot *p, const char *folder, const char *name,
                          besd_error *error);
besd_status figure_surface(const figure_source *s, plot *p, const char *folder, const char *name,
                           besd_error *error);
besd_status figure_values(const figure_source *s, plot *p, const char *folder, const char *name,
                          besd_error *error);
besd_status figure_slices(const figure_source *s, plot *p, const char *folder, const char *name,
                          besd_error *error);
besd_status figure_progress(const figure_source *s, plot *p, const char *folder, const char *name,
                            besd_error *error);
besd_status figure_map(const figure_source *s, plot *p, const char *folder, const char *name,
                       besd_error *error);
besd_status figure_legs(const figure_source *s, plot *p, const char *folder, const char *name,
                        besd_error *error);
besd_status figure_number(const figure_source *s, plot *p, const char *folder, const char *name,
                          besd_error *error);

/* The axes of figures that show scores over cost. */
typedef struct cost_axes {
    besd_direction direction;
    bool logarithmic;
    double cost, unit; /* where the axis ends, and what it counts in: 1, a thousand, a million */
    double low, high;  /* of the scores */
} cost_axes;

void cost_axes_draw(const cost_axes *axes, plot *p);

/* How a method looks in every figure: a colour of Okabe and Ito's, and a dash type and a width,
 * which tell it apart also in grey. */
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
