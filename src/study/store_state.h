/* What the files of the store share. */
#ifndef BESD_STUDY_STORE_STATE_H
#define BESD_STUDY_STORE_STATE_H

#include "core/database.h"
#include "study/store.h"

/* As datetime() writes dates, with milliseconds, which all versions of besd read. */
#define STORE_NOW "strftime('%Y-%m-%d %H:%M:%f', 'now')"

struct store {
    database file;
};

#endif
