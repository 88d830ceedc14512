/* What a design promises, in the units of the scores: the mean score that a test would measure, and
 * an interval for it. The model speaks of a latent performance on its own scale. Where that is a
 * logarithm, exp of a mean of logarithms is no mean of scores; the scores of like trials say by how
 * much it falls short. Where it is known what is possible, nothing is expected beyond. */
#ifndef BESD_STUDY_FORECAST_H
#define BESD_STUDY_FORECAST_H

#include "model/mixture.h"
#include "study/evidence.h"

/* The averaged model's doubt in itself where it expects this, a variance on its scale: cliffs
 * between trials that no draw knows of, and what can be better than all that was seen. Of a single
 * model 0, whose claims are its own. */
double forecast_doubt(const study_spec *spec, const evidence *e, const mixture *model,
                      const double *theta, double mean);

/* By the model. */
void forecast_model(const study_spec *spec, const evidence *e, const mixture *model,
                    const double *theta, int64_t tau, besd_forecast *f);

/* The same at many places, for figures: a model makes them together. */
besd_status forecast_many(const study_spec *spec, const evidence *e, const mixture *model,
                          const double *thetas, const int64_t *taus, size_t count, besd_forecast *f,
                          besd_error *error);

/* At the largest tau, when mean and variance of the latent performance are known otherwise: without
 * a model (NULL), or after confirming trials. `doubt` is the part of the variance that makes the
 * interval wider and the expected score no other. */
void forecast_alone(const study_spec *spec, const evidence *e, const mixture *model,
                    const double *theta, double mean, double variance, double doubt,
                    besd_forecast *f);

#endif
