#define _GNU_SOURCE /* pipe2 */
#include "figures/plot.h"

#include "core/error.h"
#include "core/print.h"
#include "core/process.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_SIZE = 1024 };

enum { TEXT_SIZE = 12, TITLE_SIZE = 13, LINE_PIXELS = 14, SIGN_PIXELS = 6, NOT_FOUND = 127 };

/* A letter of a footer, in the widest font that browsers and gnuplot take for it. */
static const double FOOTER_SIGN_PIXELS = 6.9;

/* Left of words at the end of a line: without leading lines in the panel, and with them. */
enum { LABEL_GAP = 7, LEADER_GAP = 15 };

static const char *const format_names[] = {"svg", "pdf", "png"};

enum { FORMATS = sizeof format_names / sizeof *format_names };

const char *plot_format_name(size_t index) {
    return index < FORMATS ? format_names[index] : NULL;
}

static void write_path(const plot *p, const char *ending, char *path, size_t size) {
    snprintf(path, size, "%s/%s.%s", p->folder, p->name, ending);
}

/* As gnuplot reads it between single quotes, in which it looks for nothing but their end: a quote
 * is doubled. When it is the first of all signs, or comes after another, gnuplot takes it for the
 * end even so; an empty group keeps them apart. Signs that mean something in its enhanced mode get
 * a backslash. */
static const char *in_single_quotes(char sign, char before) {
    static const char special[] = "_^{}@&~\\";
    static const char *const escaped[] = {"\\_", "\\^", "\\{", "\\}", "\\@", "\\&", "\\~", "\\\\"};
    if (sign == '\'')
        return !before || before == '\'' ? "{}''" : "''";
    const char *found = strchr(special, sign);
    return found ? escaped[found - special] : NULL;
}

static size_t put_literal(FILE *out, const char *text, size_t length) {
    return text_put_escaped(out, text, length, in_single_quotes);
}

static void end_block(plot *p) {
    if (p->in_block)
        fputs("EOD\n", p->script);
    p->in_block = false;
}

void plot_put(plot *p, const char *format, ...) {
    va_list arguments;
    end_block(p);
    va_start(arguments, format);
    print_texts(p->script, put_literal, format, arguments);
    va_end(arguments);
}

void plot_end_line(plot *p, bool more) {
    fputs(more ? ", \\\n" : "\n", p->script);
}

void plot_say(plot *p, const char *format, ...) {
    va_list arguments;
    end_block(p);
    va_start(arguments, format);
    print_texts(p->script, put_literal, format, arguments);
    va_end(arguments);
    fputc('\n', p->script);
}

/* Points of a page for a pixel of the screen: text of 12 pixels is 7 points high. */
static const double page_scale = 7.0 / 12;

/* The three look the same, only their units differ: svg has pixels, png is twice as fine, for
 * screens that show it so; pdf has points for lines and 96ths of an inch for text. The cairo
 * terminals have other units of dashes and points than svg, too; they are measured. */
static void choose_terminal(plot *p, const char *id) {
    plot_say(p,
             "if (format eq \"svg\") set terminal svg size %g,%g dynamic butt "
             "dashlength 2 font \"Helvetica,%d\" name \"%s\"",
             p->width, p->height, TEXT_SIZE, id);
    plot_say(p,
             "if (format eq \"pdf\") set terminal pdfcairo size %.3fin,%.3fin butt dl 3.64 "
             "font \"Helvetica,%d\" fontscale %.4f linewidth %.4f pointscale %.4f",
             p->width * page_scale / 72, p->height * page_scale / 72, TEXT_SIZE,
             page_scale * 72 / 96, page_scale * 2, page_scale * 1.6);
    plot_say(p,
             "if (format eq \"png\") set terminal pngcairo size %g,%g butt dl 4 "
             "font \"Helvetica,%d\" fontscale 1.5 linewidth 2 pointscale 3.1",
             2 * p->width, 2 * p->height, TEXT_SIZE);
}

static void begin_script(plot *p) {
    char id[100]; /* prefix of the ids in an SVG: letters and digits only */
    for (size_t i = 0; i < sizeof id; i++)
        id[i] = (char)(isalnum((unsigned char)p->name[i]) || !p->name[i] ? p->name[i] : '_');
    plot_say(p, "# gnuplot THIS_FILE > FIGURE.svg, or gnuplot -e \"format='pdf'\" THIS_FILE > "
                "FIGURE.pdf");
    plot_say(p, "if (!exists(\"format\")) format = \"svg\"");
    choose_terminal(p, id);
    plot_say(p, "set encoding utf8");
    plot_say(p, "set multiplot");
}

besd_status plot_open(plot *p, const char *folder, const char *name, besd_error *error) {
    int length = snprintf(p->folder, sizeof p->folder, "%s", *folder ? folder : ".");
    int named = snprintf(p->name, sizeof p->name, "%s", name);
    if (length >= (int)sizeof p->folder || named >= (int)sizeof p->name)
        return besd_fail(error, BESD_INVALID, "%s/%s: the name is too long", folder, name);
    char path[PATH_SIZE];
    write_path(p, "gp", path, sizeof path);
    p->block = 0;
    p->in_block = false;
    p->script = fopen(path, "w");
    if (!p->script)
        return besd_fail(error, BESD_IO, "%s: %s", path, strerror(errno));
    begin_script(p);
    return BESD_OK;
}

void plot_abandon(plot *p) {
    if (p->script)
        fclose(p->script);
    p->script = NULL;
}

static besd_status close_script(plot *p, besd_error *error) {
    bool failed = ferror(p->script);
    failed |= fclose(p->script) != 0;
    p->script = NULL;
    return failed ? besd_fail(error, BESD_IO, "%s/%s.gp: could not be written: %s", p->folder,
                              p->name, strerror(errno))
                  : BESD_OK;
}

static void read_complaint(int from, char *text, size_t size) {
    size_t length = 0;
    char rest[512];
    for (ssize_t got; (got = read(from, rest, sizeof rest)) != 0;) {
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            break;
        for (ssize_t i = 0; i < got && length + 1 < size; i++)
            if (length || rest[i] != '\n') /* it begins with an empty line */
                text[length++] = rest[i];
    }
    text[length] = 0;
    for (char *c = text; *c; c++)
        if (*c == '\n')
            *c = ' ';
}

/* gnuplot does not notice when a write fails, but every format has an end that can be looked for.
 */
static bool is_whole(const char *path, const char *end) {
    char last[64];
    FILE *file = fopen(path, "rb");
    if (!file)
        return false;
    if (fseek(file, -(long)sizeof last, SEEK_END))
        rewind(file);
    size_t got = fread(last, 1, sizeof last, file);
    fclose(file);
    size_t length = strlen(end);
    for (size_t i = 0; i + length <= got; i++)
        if (!memcmp(last + i, end, length))
            return true;
    return false;
}

/* The script as its standard input, the figure as its standard output; its exit code, or -1 when it
 * has none, and how it ended or why it was not started. */
static int run_gnuplot(const char *format, int script, int figure, char *complaint, size_t size) {
    int ends[2];
    pid_t process;
    bool success;
    char command[64];
    process_setting setting = {.input = script, .output = figure};
    snprintf(command, sizeof command, "exec gnuplot -d -e \"format='%s'\" -", format);
    int failed = pipe2(ends, O_CLOEXEC) ? errno : 0;
    if (!failed) {
        setting.errors = ends[1];
        failed = process_start(command, &setting, &process);
        close(ends[1]);
        if (!failed)
            read_complaint(ends[0], complaint, size);
        close(ends[0]);
    }
    if (failed) {
        snprintf(complaint, size, "it could not be started: %s", strerror(failed));
        return -1;
    }
    int code = process_wait(process);
    if (code < 0)
        process_describe_end(process, complaint, size, &success);
    process_end(process);
    return code;
}

static besd_status judge_run(const plot *p, const char *path, const char *end, int code,
                             const char *complaint, besd_error *error) {
    if (code == NOT_FOUND)
        return besd_fail(error, BESD_UNSUPPORTED,
                         "gnuplot was not found; the figure is a script, %s/%s.gp: install gnuplot "
                         "(on Debian: apt install gnuplot-nox) and run it as its first line says",
                         p->folder, p->name);
    if (code != 0)
        return besd_fail(error, BESD_IO, "gnuplot failed on %s/%s.gp: %s", p->folder, p->name,
                         complaint);
    return is_whole(path, end)
               ? BESD_OK
               : besd_fail(error, BESD_IO,
                           "%s: gnuplot could not write all of it; is the disk full?", path);
}

/* besd opens both files, so gnuplot gets no name: a name that begins with | or < would be a
 * command. When the drawing fails no file is left, not even an older one. */
static besd_status draw_format(const plot *p, int format, besd_error *error) {
    static const char *const ends[] = {"</svg>", "%%EOF", "IEND"};
    char script_path[PATH_SIZE], path[PATH_SIZE], complaint[300];
    write_path(p, "gp", script_path, sizeof script_path);
    write_path(p, format_names[format], path, sizeof path);
    int script = open(script_path, O_RDONLY | O_CLOEXEC);
    if (script < 0)
        return besd_fail(error, BESD_IO, "%s: %s", script_path, strerror(errno));
    int figure = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (figure < 0) {
        close(script);
        return besd_fail(error, BESD_IO, "%s: %s", path, strerror(errno));
    }
    int code = run_gnuplot(format_names[format], script, figure, complaint, sizeof complaint);
    close(script);
    close(figure);
    besd_status status = judge_run(p, path, ends[format], code, complaint, error);
    if (status != BESD_OK)
        unlink(path);
    return status;
}

static int count_signs(const char *text, size_t length) {
    int signs = 0;
    for (size_t i = 0; i < length; i++)
        signs += ((unsigned char)text[i] & 0xc0) != 0x80; /* UTF-8: not the rest of a sign */
    return signs;
}

/* Breaks between words so that no line has more signs than fit; returns the number of lines. */
static int break_lines(const char *text, int fit, char *broken, size_t size) {
    int lines = 1, used = 0;
    size_t length = 0;
    broken[0] = 0;
    while (*text && length < size) {
        size_t word = strcspn(text, " ");
        int signs = count_signs(text, word);
        bool wraps = used && used + 1 + signs > fit;
        length += (size_t)snprintf(broken + length, size - length, "%s%.*s",
                                   wraps  ? "\\n" /* as gnuplot writes it */
                                   : used ? " "
                                          : "",
                                   (int)word, text);
        used = wraps ? signs : used + (used > 0) + signs;
        lines += wraps;
        text += word + strspn(text + word, " ");
    }
    return lines;
}

void plot_set_footer(plot *p, const char *text) {
    int fit = (int)((p->width - 16) / FOOTER_SIGN_PIXELS);
    int lines = break_lines(text, fit, p->words, sizeof p->words);
    p->footer = 20 + 16 * lines;
    p->height += p->footer;
}

/* Lines joined by breaks, which only double quotes can hold. */
static void quote_lines(plot *p) {
    for (const char *at = p->words, *end; at; at = end ? end + 2 : NULL) {
        end = strstr(at, "\\n");
        plot_put(p, "'%.*s'", end ? (int)(end - at) : (int)strlen(at), at);
        if (end)
            plot_put(p, ".\"\\n\".");
    }
}

/* A plot of nothing carries it, because labels are drawn with plots. */
static void draw_footer(plot *p) {
    plot_say(p, "\n# footer\nreset\nset encoding utf8\nunset key\nunset border\nunset tics");
    plot_say(p, "set lmargin at screen 0\nset rmargin at screen 1");
    plot_say(p, "set bmargin at screen 0\nset tmargin at screen %.5f", p->footer / p->height);
    plot_put(p, "set label ");
    quote_lines(p);
    plot_say(p, " at graph 0.5, screen %.5f center font \",%d\" tc rgb \"" PLOT_INK "\"",
             (p->footer - 16) / p->height, TEXT_SIZE);
    plot_say(p, "plot [0:1] [0:1] NaN");
}

besd_status plot_close(plot *p, unsigned formats, besd_error *error) {
    if (*p->words)
        draw_footer(p);
    plot_say(p, "unset multiplot");
    besd_status status = close_script(p, error);
    for (int i = 0; status == BESD_OK && i < FORMATS; i++)
        if (formats & (1U << i))
            status = draw_format(p, i, error);
    return status;
}

int plot_block(plot *p) {
    end_block(p);
    fprintf(p->script, "$block%d << EOD\n", p->block);
    p->in_block = true;
    return p->block++;
}

void plot_datum(plot *p, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vfprintf(p->script, format, arguments);
    va_end(arguments);
    fputc('\n', p->script);
}

const char *plot_source(int block, char *text, size_t size) {
    snprintf(text, size, "$block%d", block);
    return text;
}

double plot_panel_width(const plot *p) {
    return p->width / p->columns - p->room.left - p->room.right;
}

double plot_panel_height(const plot *p) {
    return (p->height - p->footer) / p->rows - p->room.above - p->room.below;
}

void plot_panel(plot *p, int number, const char *title) {
    double left = number % p->columns * (p->width / p->columns) + p->room.left;
    double top =
        p->height - number / p->columns * ((p->height - p->footer) / p->rows) - p->room.above;
    plot_say(p, "\n# panel %d\nreset", number + 1);
    plot_say(p, "set encoding utf8\nunset key");
    plot_say(p, "set border 3 lw 0.8 lc rgb \"#999999\"");
    plot_say(p, "set tics nomirror out scale 0.5 textcolor rgb \"" PLOT_INK "\"");
    plot_say(p, "set grid ytics lt 1 lw 0.6 lc rgb \"#e8e8e8\"");
    plot_say(p, "set style fill transparent solid 0.18 noborder");
    plot_say(p, "set lmargin at screen %.5f\nset rmargin at screen %.5f", left / p->width,
             (left + plot_panel_width(p)) / p->width);
    plot_say(p, "set tmargin at screen %.5f\nset bmargin at screen %.5f", top / p->height,
             (top - plot_panel_height(p)) / p->height);
    plot_say(p,
             "set label '{/:Bold=%d %s}' at graph 0, graph 1 offset character 0, 1.2 left "
             "tc rgb \"#000000\"",
             TITLE_SIZE, title);
}

void plot_axes(plot *p, const char *x, const char *y) {
    plot_say(p, "set xlabel '%s' offset 0, 0.4 tc rgb \"" PLOT_INK "\" noenhanced", x);
    plot_say(p, "set ylabel '%s' offset 0.4, 0 tc rgb \"" PLOT_INK "\" noenhanced", y);
}

static int by_height(const void *a, const void *b) {
    const plot_end *x = a, *y = b;
    return x->y < y->y ? -1 : x->y > y->y;
}

/* Neighbours that are too near share the missing distance; repeated, that settles. Then what
 * sticks out below or above pushes the others back inside. */
static void push_apart(plot_end *ends, int count, double distance) {
    for (int i = 0; i < count; i++)
        ends[i].label = ends[i].y;
    for (int round = 0; round < 200; round++)
        for (int i = 0; i + 1 < count; i++) {
            double missing = distance - (ends[i + 1].label - ends[i].label);
            if (missing > 0) {
                ends[i].label -= missing / 2;
                ends[i + 1].label += missing / 2;
            }
        }
    for (int i = 0; i < count; i++) {
        double lowest = i ? ends[i - 1].label + distance : 0;
        ends[i].label = ends[i].label < lowest ? lowest : ends[i].label;
    }
    for (int i = count - 1; i >= 0; i--) {
        double highest = i + 1 < count ? ends[i + 1].label - distance : 1;
        ends[i].label = ends[i].label > highest ? highest : ends[i].label;
    }
}

static void draw_leader(plot *p, const plot_end *end) {
    double pixel = 1 / plot_panel_width(p);
    plot_say(p,
             "set arrow from graph %.4f, graph %.4f to graph %.4f, graph %.4f nohead lw 0.7 lc rgb "
             "\"%s\"",
             1 + pixel, fmin(fmax(end->y, 0), 1), 1 + (LEADER_GAP - 2) * pixel, end->label,
             end->colour);
}

double plot_label_room(const char *text) {
    return LEADER_GAP + 7.0 * count_signs(text, strlen(text));
}

void plot_label_ends(plot *p, plot_end *ends, int count) {
    double distance = LINE_PIXELS / plot_panel_height(p);
    bool leads = false;
    qsort(ends, (size_t)count, sizeof *ends, by_height);
    push_apart(ends, count, distance);
    for (int i = 0; i < count; i++)
        leads |= fabs(ends[i].label - ends[i].y) > distance / 2;
    double gap = leads ? LEADER_GAP : LABEL_GAP;
    for (int i = 0; leads && i < count; i++)
        draw_leader(p, &ends[i]);
    for (int i = 0; i < count; i++) {
        plot_put(p, ends[i].bold ? "set label '{/:Bold %s}'" : "set label '%s'", ends[i].text);
        plot_say(p, " at graph %.4f, graph %.4f left tc rgb \"%s\" font \",%d\" front",
                 1 + gap / plot_panel_width(p), ends[i].label, ends[i].colour, TEXT_SIZE);
    }
}

unsigned plot_tint(const char *colour, double strength) {
    unsigned full = (unsigned)strtoul(colour + 1, NULL, 16), tint = 0;
    for (int shift = 0; shift < 24; shift += 8) {
        double part = (full >> shift) & 0xff;
        tint |= (unsigned)(255 + strength * (part - 255) + 0.5) << shift;
    }
    return tint;
}
