/* Hyperband (decide/hyperband) on a study's tau levels. */
#ifndef BESD_STUDY_CHOOSE_BRACKET_H
#define BESD_STUDY_CHOOSE_BRACKET_H

#include "study/turn.h"

besd_status choose_bracket(turn *t, besd_error *error);

#endif
