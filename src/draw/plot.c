#define _GNU_SOURCE /* pipe2 */
#include "draw/plot.h"

#include "core/error.h"
#include "core/process.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TEXT_SIZE = 12, TITLE_SIZE = 13, LINE_PIXELS = 14, SIGN_PIXELS = 6, NOT_FOUND = 127 };

/* Left of words at the end of a line: without leading lines in the panel, and with them. */
enum { LABEL_GAP = 7, LEADER_GAP = 15 };

static const char *const format_names[] = {"svg", "pdf", "png"};

enum { FORMATS = sizeof format_names / sizeof *format_names };

const char *plot_format_name(size_t index) {
    return index < FORMATS ? format_names[index] : NULL;
}

static FILE *open_file(const plot *p, const char *ending, besd_error *error) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s.%s", p->folder, p->name, ending);
    FILE *file = fopen(path, "w");
    if (!file)
        besd_error_set(error, BESD_IO, "%s: %s", path, strerror(errno));
    return file;
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
    plot_say(p, "# gnuplot %s.gp; another format: gnuplot -e \"format='pdf'\" %s.gp", p->name,
             p->name);
    plot_say(p, "if (!exists(\"format\")) format = \"svg\"");
    choose_terminal(p, id);
    plot_say(p, "set output \"%s.\".format", p->name);
    plot_say(p, "set encoding utf8");
    plot_say(p, "set multiplot");
}

besd_status plot_open(plot *p, const char *folder, const char *name, besd_error *error) {
    int length = snprintf(p->folder, sizeof p->folder, "%s", *folder ? folder : ".");
    int named = snprintf(p->name, sizeof p->name, "%s", name);
    if (length >= (int)sizeof p->folder || named >= (int)sizeof p->name)
        return besd_fail(error, BESD_INVALID, "%s/%s: the name is too long", folder, name);
    if (strpbrk(name, "\"'`\\\n"))
        return besd_fail(error, BESD_INVALID, "%s: expected a name without quotes", name);
    p->block = 0;
    p->data = NULL;
    p->script = open_file(p, "gp", error);
    if (p->script)
        p->data = open_file(p, "dat", error);
    if (!p->data) {
        plot_abandon(p);
        return BESD_IO;
    }
    begin_script(p);
    return BESD_OK;
}

void plot_abandon(plot *p) {
    if (p->script)
        fclose(p->script);
    if (p->data)
        fclose(p->data);
    p->script = p->data = NULL;
}

static besd_status close_file(const plot *p, FILE **file, const char *ending, besd_error *error) {
    bool failed = ferror(*file);
    failed |= fclose(*file) != 0;
    *file = NULL;
    return failed ? besd_fail(error, BESD_IO, "%s/%s.%s: could not be written: %s", p->folder,
                              p->name, ending, strerror(errno))
                  : BESD_OK;
}

static besd_status close_files(plot *p, besd_error *error) {
    besd_status script = close_file(p, &p->script, "gp", error);
    besd_status data = close_file(p, &p->data, "dat", script == BESD_OK ? error : NULL);
    return script == BESD_OK ? data : script;
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

static besd_status check_figure(const plot *p, int format, besd_error *error) {
    static const char *const ends[] = {"</svg>", "%%EOF", "IEND"};
    char path[1024];
    snprintf(path, sizeof path, "%s/%s.%s", p->folder, p->name, format_names[format]);
    if (is_whole(path, ends[format]))
        return BESD_OK;
    return besd_fail(error, BESD_IO, "%s: gnuplot could not write all of it; is the disk full?",
                     path);
}

/* Runs gnuplot in the folder of the figure; its exit code, or -1 when it has none, and how it ended
 * or why it was not started. */
static int run_in_folder(const plot *p, const char *command, char *complaint, size_t size) {
    int ends[2];
    pid_t process;
    bool success;
    process_setting setting = {.folder = p->folder, .input = -1, .output = -1};
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

static besd_status run_gnuplot(const plot *p, const char *format, besd_error *error) {
    char command[200], complaint[300];
    snprintf(command, sizeof command, "exec gnuplot -d -e \"format='%s'\" './%s.gp'", format,
             p->name);
    int code = run_in_folder(p, command, complaint, sizeof complaint);
    if (code == 0)
        return BESD_OK;
    if (code == NOT_FOUND)
        return besd_fail(error, BESD_UNSUPPORTED,
                         "gnuplot was not found; data and script are in %s: install gnuplot (on "
                         "Debian: apt install gnuplot-nox) and run 'gnuplot %s.gp' there",
                         p->folder, p->name);
    return besd_fail(error, BESD_IO, "gnuplot failed on %s/%s.gp: %s", p->folder, p->name,
                     complaint);
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
    int fit = (int)((p->width - 16) / SIGN_PIXELS);
    int lines = break_lines(text, fit, p->words, sizeof p->words);
    p->footer = 20 + 16 * lines;
    p->height += p->footer;
}

/* Lines in single quotes, in which gnuplot runs nothing, joined by breaks in double ones. */
static void quote_lines(plot *p) {
    char line[sizeof p->words], escaped[2 * sizeof p->words];
    const char *join = "";
    for (const char *at = p->words, *end; at; at = end ? end + 2 : NULL) {
        end = strstr(at, "\\n");
        snprintf(line, sizeof line, "%.*s", end ? (int)(end - at) : (int)strlen(at), at);
        fprintf(p->script, "%s'%s'", join, plot_literal(line, escaped, sizeof escaped));
        join = ".\"\\n\".";
    }
}

/* A plot of nothing carries it, because labels are drawn with plots. */
static void draw_footer(plot *p) {
    plot_say(p, "\n# footer\nreset\nset encoding utf8\nunset key\nunset border\nunset tics");
    plot_say(p, "set lmargin at screen 0\nset rmargin at screen 1");
    plot_say(p, "set bmargin at screen 0\nset tmargin at screen %.5f", p->footer / p->height);
    fputs("set label ", p->script);
    quote_lines(p);
    plot_say(p, " at graph 0.5, screen %.5f center font \",%d\" tc rgb \"" PLOT_INK "\"",
             (p->footer - 16) / p->height, TEXT_SIZE);
    plot_say(p, "plot [0:1] [0:1] NaN");
}

besd_status plot_close(plot *p, unsigned formats, besd_error *error) {
    if (*p->words)
        draw_footer(p);
    plot_say(p, "unset multiplot");
    besd_status status = close_files(p, error);
    for (int i = 0; status == BESD_OK && i < FORMATS; i++)
        if (formats & (1U << i)) {
            status = run_gnuplot(p, format_names[i], error);
            if (status == BESD_OK)
                status = check_figure(p, i, error);
        }
    return status;
}

void plot_say(plot *p, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vfprintf(p->script, format, arguments);
    va_end(arguments);
    fputc('\n', p->script);
}

int plot_block(plot *p) {
    if (p->block)
        fputs("\n\n", p->data);
    return p->block++;
}

void plot_datum(plot *p, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vfprintf(p->data, format, arguments);
    va_end(arguments);
    fputc('\n', p->data);
}

const char *plot_source(const plot *p, int block, char *text, size_t size) {
    snprintf(text, size, "\"%s.dat\" index %d", p->name, block);
    return text;
}

const char *plot_literal(const char *text, char *escaped, size_t size) {
    size_t length = 0;
    for (; *text && length + 3 < size; text++) {
        if (strchr("_^{}@&~\\", *text))
            escaped[length++] = '\\';
        if (*text == '\'')
            escaped[length++] = '\'';
        escaped[length++] = (unsigned char)*text < ' ' ? ' ' : *text;
    }
    escaped[length] = 0;
    return escaped;
}

double plot_panel_width(const plot *p) {
    return p->width / p->columns - p->room.left - p->room.right;
}

double plot_panel_height(const plot *p) {
    return (p->height - p->footer) / p->rows - p->room.above - p->room.below;
}

void plot_panel(plot *p, int number, const char *title) {
    char escaped[300];
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
             TITLE_SIZE, plot_literal(title, escaped, sizeof escaped));
}

void plot_axes(plot *p, const char *x, const char *y) {
    plot_say(p, "set xlabel \"%s\" offset 0, 0.4 tc rgb \"" PLOT_INK "\" noenhanced", x);
    plot_say(p, "set ylabel \"%s\" offset 0.4, 0 tc rgb \"" PLOT_INK "\" noenhanced", y);
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
    char escaped[300];
    double distance = LINE_PIXELS / plot_panel_height(p);
    bool leads = false;
    qsort(ends, (size_t)count, sizeof *ends, by_height);
    push_apart(ends, count, distance);
    for (int i = 0; i < count; i++)
        leads |= fabs(ends[i].label - ends[i].y) > distance / 2;
    double gap = leads ? LEADER_GAP : LABEL_GAP;
    for (int i = 0; leads && i < count; i++)
        draw_leader(p, &ends[i]);
    for (int i = 0; i < count; i++)
        plot_say(p,
                 "set label '%s%s%s' at graph %.4f, graph %.4f left tc rgb \"%s\" font \",%d\" "
                 "front",
                 ends[i].bold ? "{/:Bold " : "",
                 plot_literal(ends[i].text, escaped, sizeof escaped), ends[i].bold ? "}" : "",
                 1 + gap / plot_panel_width(p), ends[i].label, ends[i].colour, TEXT_SIZE);
}

unsigned plot_tint(const char *colour, double strength) {
    unsigned full = (unsigned)strtoul(colour + 1, NULL, 16), tint = 0;
    for (int shift = 0; shift < 24; shift += 8) {
        double part = (full >> shift) & 0xff;
        tint |= (unsigned)(255 + strength * (part - 255) + 0.5) << shift;
    }
    return tint;
}
