/* What the files of the store share. */
#ifndef BESD_STUDY_STORE_STATE_H
#define BESD_STUDY_STORE_STATE_H

#include "core/database.h"
#include "study/store.h"

struct store {
    database file;
};

#endif
