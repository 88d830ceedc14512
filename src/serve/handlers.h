/* The handlers of the routes. */
#ifndef BESD_SERVE_HANDLERS_H
#define BESD_SERVE_HANDLERS_H

#include "serve/call.h"

handler handle_health, handle_metrics, handle_openapi, handle_page, handle_asset;
handler handle_studies, handle_create, handle_study;
handler handle_trials, handle_trial, handle_tell, handle_fail, handle_again;
handler handle_renew, handle_void, handle_restore, handle_note;
handler handle_add, handle_enqueue, handle_set, handle_events;
handler handle_ask, handle_explain, handle_recommend, handle_predict;
handler handle_curve, handle_hindsight, handle_slices, handle_map;

/* The curve of the study shows it from now on. */
void remember_recommendation(call *c, const besd_recommendation *recommended);

#endif
