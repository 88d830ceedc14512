/* Figures with gnuplot: a script with its data is written to a file, then gnuplot is run as a child
 * that turns it into svg, pdf or png. The script stays, so that anyone can change a figure and run
 * `gnuplot NAME.gp > NAME.svg` again.
 *
 * gnuplot runs commands that it finds in the names of files ("<ls", "|ls"), in double quotes
 * (backquotes) and in scripts (system). So it never gets a name: the script is its standard input,
 * the figure its standard output, the data stand in the script. And every %s of plot_say is written
 * for single quotes.
 *
 * A figure is a lattice of panels of equal size. Their frames are computed here and not left to
 * gnuplot, so that panels line up and labels have the room they need. The style is ours: light
 * axes left and below, a faint grid, Okabe and Ito's colours; legends are words beside the lines.
 */
#ifndef BESD_FIGURES_PLOT_H
#define BESD_FIGURES_PLOT_H

#include "besd/status.h"

#include <stdbool.h>
#include <stdio.h>

#define PLOT_BLACK "#000000"
#define PLOT_ORANGE "#e69f00"
#define PLOT_SKY "#56b4e9"
#define PLOT_GREEN "#009e73"
#define PLOT_BLUE "#0072b2"
#define PLOT_VERMILLION "#d55e00"
#define PLOT_PURPLE "#cc79a7"
#define PLOT_GREY "#8c8c8c"
#define PLOT_INK "#333333" /* of words */

typedef enum plot_format {
    PLOT_SVG = 1,
    PLOT_PDF = 2,
    PLOT_PNG = 4,
    PLOT_EVERY_FORMAT = 7
} plot_format;

/* The formats by number, 0, 1, 2, as names; NULL past the last. */
const char *plot_format_name(size_t index);

typedef struct plot {
    FILE *script;
    char folder[900], name[100];
    double width, height; /* pixels */
    int columns, rows;
    struct {
        double left, right, above, below; /* pixels around every panel, for its labels */
    } room;
    double footer;   /* pixels below all panels, for words; see plot_set_footer */
    char words[600]; /* the footer's, "\\n" between lines */
    int block;       /* of data, the number of the next */
    bool in_block;   /* its lines are being written */
} plot;

/* Opens NAME.gp in an existing folder; width, height, columns, rows and room are set by the caller.
 */
besd_status plot_open(plot *p, const char *folder, const char *name, besd_error *error);

/* Closes the script and runs gnuplot once per format. Without gnuplot BESD_UNSUPPORTED: the script
 * is there, and the sentence says what to install. */
besd_status plot_close(plot *p, unsigned formats, besd_error *error);

/* Closes the script and leaves it at that, after a failure. */
void plot_abandon(plot *p);

/* Begins panel 0, 1, ... (row after row) with a title; everything set for the one before is
 * forgotten. */
void plot_panel(plot *p, int number, const char *title);

/* The inside of every panel, in pixels. */
double plot_panel_width(const plot *p);
double plot_panel_height(const plot *p);

/* Lines for the script; a newline is added. Any text may come in through %s where that stands
 * between single quotes: it is cleaned (core/text), quotes are doubled, and signs that mean
 * something in gnuplot's enhanced mode get a backslash. */
void plot_say(plot *p, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A part of a line, and its end; `more`: the list of curves goes on in the next one. */
void plot_put(plot *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
void plot_end_line(plot *p, bool more);

/* Begins a block of data, which the next plot_say ends, and returns its number for plot_source. */
int plot_block(plot *p);
void plot_datum(plot *p, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The block as gnuplot names it, "$block3", in `text`, which is returned. */
const char *plot_source(int block, char *text, size_t size);

/* What the axes of a panel mean. */
void plot_axes(plot *p, const char *x, const char *y);

/* Words below all panels, broken into lines that fit. To be said between setting width and height
 * and plot_open, because the figure grows by the room they need. */
void plot_set_footer(plot *p, const char *text);

/* Words beside the ends of lines, pushed apart until they can be read; where one was pushed far, a
 * thin line leads to each. */
typedef struct plot_end {
    double y; /* where the line ends, 0 at the lower side of the panel, 1 at the upper */
    const char *text, *colour;
    bool bold;
    double label; /* the height of the words, found by plot_label_ends */
} plot_end;

/* The pixels right of a panel that such words need, on the safe side. */
double plot_label_room(const char *text);

void plot_label_ends(plot *p, plot_end *ends, int count);

/* A colour between white (0) and the given one (1), as 0xRRGGBB. */
unsigned plot_tint(const char *colour, double strength);

#endif
