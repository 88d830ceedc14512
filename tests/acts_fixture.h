/* What tests of acts share: events as a line of words, leases that end by changing the file. */
#ifndef BESD_TESTS_ACTS_FIXTURE_H
#define BESD_TESTS_ACTS_FIXTURE_H

#include "study_fixture.h" /* first: it asks for GNU names */

#include "study_file.h"

typedef struct event_words {
    char text[4000];
    int64_t newest;
    double at;
    int most; /* visits; 0: all */
    int count;
} event_words;

static inline bool write_event(void *context, const besd_event *e) {
    event_words *w = context;
    size_t used = strlen(w->text);
    assert_true(e->id > w->newest); /* in their order */
    assert_true(e->at >= w->at);
    w->newest = e->id;
    w->at = e->at;
    snprintf(w->text + used, sizeof w->text - used, "%s%s %lld%s%s", used ? ", " : "", e->what,
             (long long)e->trial, e->who[0] ? " by " : "", e->who);
    return !w->most || ++w->count < w->most;
}

/* "asked 1 by robot, told 1", those after the given one. */
static inline const char *events_after(besd_study *s, int64_t after, event_words *w) {
    besd_error error = {BESD_OK, ""};
    w->text[0] = 0;
    w->newest = after;
    w->count = 0;
    w->at = 0;
    assert_ok(besd_study_events(s, after, write_event, w, &error), &error);
    return w->text;
}

/* The last event of the study. */
static inline int64_t newest_event(besd_study *s) {
    event_words w = {0};
    events_after(s, 0, &w);
    return w.newest;
}

static inline besd_work work_of(besd_study *s, int64_t id) {
    besd_error error = {BESD_OK, ""};
    besd_work w;
    assert_ok(besd_study_work(s, id, &w, &error), &error);
    return w;
}

static inline besd_trial ask_for(besd_study *s, const char *worker, double lease) {
    besd_error error = {BESD_OK, ""};
    besd_trial t;
    assert_ok(
        besd_study_ask(s, &(besd_ask){.worker = worker, .lease = &(double){lease}}, &t, &error),
        &error);
    return t;
}

/* All leases were given so many seconds earlier. */
static inline void age_leases(const char *path, int seconds) {
    char statement[100];
    snprintf(statement, sizeof statement, "UPDATE work SET since = since - %d", seconds);
    sql(path, statement);
}

static inline bool same_recommendation(const besd_recommendation *a, const besd_recommendation *b) {
    return same_numbers(a->theta, b->theta, BESD_MAX_DIMENSION) && a->mean == b->mean &&
           a->sd == b->sd && a->value == b->value && a->low == b->low && a->high == b->high &&
           a->tried == b->tried && a->trials == b->trials && a->cost == b->cost;
}

#endif
