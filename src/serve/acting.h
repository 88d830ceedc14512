/* What handlers that change a study share. */
#ifndef BESD_SERVE_ACTING_H
#define BESD_SERVE_ACTING_H

#include "serve/call.h"

#include <stdio.h>

/* States in which nothing can be told of a trial any more. */
#define ENDED_STATES (1u << BESD_TRIAL_TOLD | 1u << BESD_TRIAL_VOIDED)

/* The handle acts in the name of this worker, or of the client's address. */
bool act_as(call *c, reply *r, const char *worker);

/* Is the trial in one of these states? A refusal is a conflict then, and no mistake in the request.
 */
bool has_state(call *c, int64_t id, unsigned states);

/* Answers with a trial as it is now. */
void reply_trial(call *c, reply *r, int code, int64_t id);

#endif
