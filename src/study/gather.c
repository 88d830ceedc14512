#include "study/gather.h"

#include "study/store_state.h"
#include "study/study_state.h"

besd_status study_gather(besd_study *s, besd_error *error) {
    return database_gather(&s->store->file, error);
}

besd_status study_settle(besd_study *s, besd_error *error) {
    return database_settle(&s->store->file, error);
}

void study_scatter(besd_study *s) {
    database_scatter(&s->store->file);
}
