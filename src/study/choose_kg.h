/* Method besd: the trial with the largest knowledge gradient per cost (paper section 4.2), unless
 * an exploring trial is due or nothing promises to change the recommendation. */
#ifndef BESD_STUDY_CHOOSE_KG_H
#define BESD_STUDY_CHOOSE_KG_H

#include "study/turn.h"

besd_status choose_kg(turn *t, besd_error *error);

#endif
