/* What a design promises, in the units of the scores: the mean score that a test would measure, and
 * an interval for it. The model speaks of a latent performance on its own scale. Where that scale
 * is a logarithm, exp of the mean logarithm is less than the mean score; the scores of like trials
 * say by how much. Where it is known what is possible, nothing better is expected. */
#ifndef BESD_STUDY_FORECAST_H
#define BESD_STUDY_FORECAST_H

#include "model/mixture.h"
#include "study/evidence.h"

/* The averaged model's doubt in itself at theta, where it expects `mean`: a variance on the model's
 * scale. It stands for cliffs between trials, which no draw knows of, and for designs that may be
 * better than all that were seen. 0 for models of a single draw: their claims are their own. */
double forecast_doubt(const study_spec *spec, const evidence *e, const mixture *model,
                      const double *theta, double mean);

/* The forecast by the model. */
void forecast_model(const study_spec *spec, const evidence *e, const mixture *model,
                    const double *theta, int64_t tau, besd_forecast *f);

/* The same at many places, for figures: faster than one by one. */
besd_status forecast_many(const study_spec *spec, const evidence *e, const mixture *model,
                          const double *thetas, const int64_t *taus, size_t count, besd_forecast *f,
                          besd_error *error);

/* The forecast at the largest tau from a given mean and variance of the latent performance: without
 * a model (NULL), or after confirming trials. `doubt` is the part of the variance that makes the
 * interval wider and does not change the expected score. */
void forecast_alone(const study_spec *spec, const evidence *e, const mixture *model,
                    const double *theta, double mean, double variance, double doubt,
                    besd_forecast *f);

#endif
