/* What happened to a study, who works on its trials and until when, and tags: the part of the study
 * file that explains the rest. */
#ifndef BESD_STUDY_STORE_ACTS_H
#define BESD_STUDY_STORE_ACTS_H

#include "study/store.h"

/* One that is about to be written; trial 0: about the study, undoes 0: it undoes none. */
typedef struct store_event {
    const char *who, *what, *detail;
    int64_t trial, undoes;
} store_event;

besd_status store_add_event(store *s, const store_event *event, besd_error *error);

/* Those after the given one, in their order, until `visit` returns false. */
besd_status store_list_events(store *s, int64_t after, besd_event_visitor *visit, void *context,
                              besd_error *error);

/* The newest event of this name about a trial that none has undone, 0 when there is none; free()
 * its detail. */
besd_status store_last_event(store *s, int64_t trial, const char *what, int64_t *event,
                             char **detail, besd_error *error);

/* How often what was told has been changed otherwise than by telling. */
besd_status store_count_changes(store *s, int64_t *count, besd_error *error);

/* A trial is in somebody's hands from now on; lease INFINITY: for good. */
besd_status store_set_work(store *s, int64_t id, const char *worker, double since, double lease,
                           besd_error *error);
/* It is in nobody's in particular, for good. */
besd_status store_clear_work(store *s, int64_t id, besd_error *error);

besd_status store_set_why(store *s, int64_t id, const char *why, besd_error *error);

/* Empty, and without a lease, when nothing is known. */
besd_status store_get_work(store *s, int64_t id, besd_work *work, besd_error *error);

/* Is there a trial that waits, or a lease to look at? */
besd_status store_any_to_give(store *s, double now, bool *any, besd_error *error);

/* The first asked trial whose lease has ended by now; 0: there is none. Leases that were given in
 * the future, because the clock was set back since, count from now on. */
besd_status store_overdue_trial(store *s, double now, int64_t *id, besd_error *error);
besd_status store_mend_leases(store *s, double now, besd_error *error);

/* The first trial that waits to be asked; 0: there is none. */
besd_status store_waiting_trial(store *s, int64_t *id, besd_error *error);

/* It is asked, now. */
besd_status store_hand_out(store *s, int64_t id, besd_error *error);

besd_status store_set_tag(store *s, int64_t id, const char *tag, bool on, besd_error *error);
/* By name, with commas between them; free() it. NULL: there is none. */
besd_status store_get_tags(store *s, int64_t id, char **tags, besd_error *error);

#endif
