#include "study/leg_misses.h"

#include "study/leg_rows.h"

#include <math.h>

/* What a trial has to say of one of its points. */
typedef enum visit { NOT_TRIED, MISSED, VISITED } visit;

static visit visit_of(const besd_leg *legs, size_t count, size_t points, size_t k) {
    visit said = NOT_TRIED;
    for (size_t i = 0; i < count; i++) {
        const besd_leg *l = legs + i * (points + 1);
        if (l[0].reached == -INFINITY)
            continue;
        if (!isnan(l[k].reached))
            return VISITED;
        bool set_out = k == 0 || !isnan(l[k - 1].reached);
        if (set_out && isnan(l[points].reached))
            said = MISSED;
    }
    return said;
}

void leg_misses_count(const study_spec *spec, const evidence *e, const path_lattice *lattice,
                      double *misses) {
    size_t points = spec->path.points;
    for (size_t cell = 0; cell < lattice->cells; cell++)
        misses[cell] = 0;
    for (size_t i = 0; i < e->count; i++) {
        const besd_leg *legs;
        const double *theta = e->trials[i].trial.theta;
        size_t count = leg_rows_teaches(e, i) ? evidence_legs(e, i, &legs) / (points + 1) : 0;
        for (size_t k = 0; count && k < points; k++) {
            double place[BESD_MAX_COORDINATES];
            visit said = visit_of(legs, count, points, k);
            path_point(spec, theta, k + 1, place);
            size_t cell = path_lattice_find(lattice, spec, place);
            if (said == VISITED)
                misses[cell] = -INFINITY; /* for good */
            else if (said == MISSED)
                misses[cell]++;
        }
    }
    for (size_t cell = 0; cell < lattice->cells; cell++)
        misses[cell] = fmax(misses[cell], 0);
}
