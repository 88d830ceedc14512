#include "contest/transfer.h"

#include "core/rng.h"
#include "learn/pupil.h"
#include "learn/trial.h"

static besd_status enter(pupil *p, uint64_t seed, uint64_t instance, besd_error *error) {
    return pupil_enter(p, rng_seed(seed, RNG_INSTANCE, instance, 0, 0), error);
}

/* Learns from nothing in a stored instance. Trained anew for every test instance that starts from
 * it: the same seeds give the same values. */
static besd_status train_source(pupil *p, uint64_t seed, uint64_t source, besd_error *error) {
    besd_status status = enter(p, seed, source, error);
    if (status != BESD_OK)
        return status;
    return pupil_train(p, seed, source, domain_tau_max(p->domain), error);
}

static besd_status test_instance(pupil *p, uint64_t seed, uint64_t instance, double *score,
                                 besd_error *error) {
    int64_t tau = domain_tau_max(p->domain);
    agent_episode episode;
    besd_status status = enter(p, seed, instance, error);
    if (status == BESD_OK)
        status = pupil_train_on(p, seed, instance, tau, error);
    if (status == BESD_OK)
        status = pupil_test(p, seed, instance, tau, NULL, NULL, &episode, error);
    if (status == BESD_OK)
        *score = trial_score(p->domain, p->spec.cap, &episode);
    return status;
}

besd_status transfer_test(const domain *d, int stored, uint64_t source_seed, int64_t instances,
                          uint64_t test_seed, double *scores, besd_error *error) {
    pupil p;
    besd_status status = pupil_open(&p, d, NULL, 0, error);
    for (int64_t i = 0; status == BESD_OK && i < instances; i++) {
        rng stream = rng_open(source_seed, RNG_TRANSFER, (uint64_t)i, 0, 0);
        status = train_source(&p, source_seed, rng_below(&stream, (uint64_t)stored), error);
        if (status == BESD_OK)
            status = test_instance(&p, test_seed, (uint64_t)i, &scores[i], error);
    }
    pupil_close(&p);
    return status;
}
