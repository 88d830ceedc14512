#include "figures/method_look.h"

#include "draw/plot.h"

#include <stdio.h>
#include <string.h>

/* The last is drawn on top. Names that are not listed look like the first. */
static const method_look looks[] = {
    {"", "#555555", "(4,3,1,3)", 1.4},
    {"ql", PLOT_GREY, "(1,3)", 1.8},
    {"tql", PLOT_PURPLE, "(6,3,1,3)", 1.8},
    {"random", PLOT_ORANGE, "(2,2)", 1.8},
    {"hyperband-paper", "#66b49f", "(10,3)", 1.4},
    {"hyperband", PLOT_GREEN, "(12,4)", 1.8},
    {"lcb", PLOT_SKY, "(8,3,2,3)", 1.8},
    {"ei-paper", "#555555", "(3,2,1,2)", 1.4},
    {"ei", PLOT_BLUE, "(5,3)", 1.8},
    {"besd", PLOT_VERMILLION, "solid", 3},
};

enum { LOOKS = sizeof looks / sizeof *looks };

const method_look *method_look_of(const char *method) {
    for (int i = LOOKS - 1; i > 0; i--)
        if (!strcmp(looks[i].method, method))
            return &looks[i];
    return &looks[0];
}

const char *method_look_name(const char *method, char *text, size_t size) {
    enum { MOST = 32 };
    size_t length = strlen(method);
    if (length <= MOST)
        snprintf(text, size, "%s", method);
    else
        snprintf(text, size, "%.*s…%s", MOST / 2, method, method + length - MOST / 2);
    return text;
}

void method_look_order(const summary_domain *d, int *order) {
    for (int i = 0; i < d->method_count; i++) {
        int at = i;
        for (; at > 0 && method_look_of(d->methods[order[at - 1]].entry->method) >
                             method_look_of(d->methods[i].entry->method);
             at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
}
