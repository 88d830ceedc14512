"""besd inside other people's optimisation libraries: `besd.integrations.optuna`, `besd.integrations.ray`."""
