/* What besd's own programs do with a study, beside the calls of besd/besd.h. */
#ifndef BESD_STUDY_STUDY_H
#define BESD_STUDY_STUDY_H

#include "besd/besd.h"

#include <jansson.h>

/* How many trials a study has in each state, without reading them one by one (look.c). */
enum { CENSUS_STATES = BESD_TRIAL_WAITING + 1 };
besd_status study_census(besd_study *study, int64_t counts[CENSUS_STATES], besd_error *error);

/* Reads the budget alone; other processes may have changed it (look.c). */
besd_status study_read_budget(besd_study *s, besd_error *error);

/* And the sources, which another handle may have added. */
besd_status study_read_sources(besd_study *s, besd_error *error);

/* Several acts on a study with one commit, for programs that have many at hand: what makes an act
 * slow is waiting for the disk. Each act succeeds or fails on its own; none is durable before
 * study_settle. When study_settle fails, nothing of what was gathered has happened. Then, and after
 * study_scatter, which undoes all, the handle should be closed: it may remember what is not in the
 * file (study.c). */
besd_status study_gather(besd_study *study, besd_error *error);
besd_status study_settle(besd_study *study, besd_error *error);
void study_scatter(besd_study *study);

/* An act that its sender has named by a key, which may come twice. `digest` tells what the act was,
 * so that a key that is used for two acts is noticed. What is found is an answer's code with the
 * number of a trial, which is to be shown as it is now, or its text. The caller frees the text.
 * Answers are kept for a day (acts.c). */
typedef struct kept_answer {
    bool is_known, is_another;
    int code;
    int64_t trial; /* 0: none */
    char *text;
} kept_answer;
besd_status study_find_answer(besd_study *s, const char *key, const char *digest, kept_answer *a,
                              besd_error *error);

/* With study_gather before, the act and its answer are kept together or not at all. */
besd_status study_keep_answer(besd_study *s, const char *key, const char *digest,
                              const kept_answer *a, besd_error *error);

/* From now on the trial that an ask gives is kept as the answer of this key, in the transaction
 * that gives it; NULL: of none. An ask cannot be gathered, because it computes. */
enum { STUDY_KEY_SIZE = 101, STUDY_DIGEST_SIZE = 33 };
void study_name_asks(besd_study *s, const char *key, const char *digest);

/* The event to undo must be the newest that stands; 0: whichever that is. An event that is undone
 * already is left so, and nothing else is undone (acts.c). */
besd_status study_restore(besd_study *s, int64_t id, int64_t event, besd_error *error);

/* Visits the trials after the given one with all that is known of each, as of one moment, until the
 * visitor fails or sets *go_on to false. What is pointed to lasts as long as the visit (look.c). */
typedef struct trial_facts {
    besd_trial trial;
    const besd_work *work;
    const char *note; /* NULL: none */
    const char *tags; /* by name, with commas between them */
    const double *scores;
    size_t score_count; /* 0: only a summary was told */
    const besd_leg *legs;
    size_t leg_count;
} trial_facts;
typedef besd_status study_list_visitor(void *context, const trial_facts *f, bool *go_on,
                                       besd_error *error);
besd_status study_list(besd_study *s, int64_t after, study_list_visitor *visit, void *context,
                       besd_error *error);

/* A copy of the study as of one moment, while others write: into a file that is not there yet, and
 * durable under its name when the call returns, or into memory, which the caller frees (study.c).
 */
besd_status study_backup(besd_study *s, const char *out, besd_error *error);
besd_status study_snapshot(besd_study *s, unsigned char **bytes, size_t *size, besd_error *error);

/* Are all pages and indexes of the file sound? */
besd_status study_verify(besd_study *s, besd_error *error);

/* The number of the newest event; 0: there is none (acts.c). */
besd_status study_newest_event(besd_study *s, int64_t *id, besd_error *error);

/* Refuses a note that could not be read back whole; NULL is fine (acts.c). */
besd_status study_check_note(const char *note, besd_error *error);

/* Changes the note (NULL: it stays) and tags of a trial, all or nothing (acts.c). */
typedef struct tag_change {
    const char *tag;
    bool on;
} tag_change;
besd_status study_annotate(besd_study *s, int64_t id, const char *note, const tag_change *tags,
                           size_t count, besd_error *error);

/* Why a trial was chosen, as JSON, and what every (tau, reps) was worth; json/answers.h adds
 * the best candidates. NULL without memory (ask.c). */
json_t *explanation_kept(const besd_explanation *explanation);

/* The same as the text that is kept with the event of the ask. The caller frees it. NULL without
 * memory (ask.c). */
char *explanation_text(const besd_explanation *explanation);

/* What runs of one handle must know of each other (src/run/claims.c): the file that their claims
 * stand beside, and the trials that are claimed of a study in memory (study.c). */
typedef struct claimed_trial {
    int64_t id;
    const void *by;
} claimed_trial;

typedef struct claimed_trials {
    claimed_trial *of;
    size_t count, capacity;
} claimed_trials;

/* The study's file, "" in memory. */
const char *study_file(const besd_study *study);

claimed_trials *study_claimed(besd_study *study);

#endif
