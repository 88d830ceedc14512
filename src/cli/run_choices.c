/* What the command line says of a study, for every kind of trainer. */
#include "cli/run.h"

#include "cli/common.h"
#include "core/error.h"
#include "core/print.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* "--tau-max-share" for tau_max_share. */
static const char *dashed(const char *name, char *text, size_t size) {
    snprintf(text, size, "%s", name);
    for (char *at = text; (at = strchr(at, '_'));)
        *at = '-';
    return text;
}

/* What it is, of what it is one, and what it is when it is not said. */
static const char *describe(const study_option *o, char *text, size_t size) {
    besd_study_options initially = besd_study_options_default();
    char value[64];
    study_option_print(o, &initially, value, sizeof value);
    if (o->kind == STUDY_OPTION_NUMBER && isfinite(o->initially))
        snprintf(value, sizeof value, "%.4g", o->initially);
    size_t length = (size_t)snprintf(text, size, "%s (", o->help);
    for (size_t i = 0; o->names && o->names(i) && length < size; i++)
        length += (size_t)snprintf(text + length, size - length, "%s%s", o->names(i),
                                   o->names(i + 1) ? ", " : "; ");
    if (length < size)
        snprintf(text + length, size - length, "default %s)", value);
    return text;
}

void run_choices_offer(run_choices *c, run_choice_texts *texts, option *rows) {
    static const char *const placeholders[] = {[STUDY_OPTION_CHOICE] = "NAME",
                                               [STUDY_OPTION_NUMBER] = "X",
                                               [STUDY_OPTION_COUNT] = "N",
                                               [STUDY_OPTION_SEED] = "S",
                                               [STUDY_OPTION_SWITCH] = NULL};
    for (size_t i = 0; i < STUDY_OPTIONS; i++) {
        const study_option *o = &study_options[i];
        bool is_switch = o->kind == STUDY_OPTION_SWITCH;
        rows[i] = (option){.name = dashed(o->name, texts->name[i], sizeof texts->name[i]),
                           .kind = is_switch ? OPTION_FLAG : OPTION_TEXT,
                           .target = is_switch ? (void *)&c->on[i] : (void *)&c->text[i],
                           .value = placeholders[o->kind],
                           .help = is_switch ? o->help
                                             : describe(o, texts->help[i], sizeof texts->help[i])};
    }
    for (size_t i = 0, renamed = STUDY_OPTIONS; i < STUDY_OPTIONS; i++) {
        const char *old_name = study_option_old_name(&study_options[i]);
        if (!old_name)
            continue;
        rows[renamed] = rows[i];
        rows[renamed].name = dashed(old_name, texts->old_name[i], sizeof texts->old_name[i]);
        rows[renamed++].help = NULL;
    }
}

bool run_choices_given(const run_choices *c, size_t number) {
    return c->text[number] || c->on[number];
}

bool run_choices_given_besides(const run_choices *c, const size_t *except, size_t count) {
    for (size_t i = 0; i < STUDY_OPTIONS; i++) {
        bool excepted = false;
        for (size_t j = 0; j < count; j++)
            excepted = excepted || except[j] == i;
        if (!excepted && run_choices_given(c, i))
            return true;
    }
    return false;
}

/* The sentence about an option of the study with the name that it has on the command line. */
static int refuse_choice(const verb *v, size_t number, const besd_error *error) {
    char name[32];
    const char *rest = strchr(error->message, ':');
    return usage_error(v, "--%s%s%s", dashed(study_options[number].name, name, sizeof name),
                       rest ? rest : "",
                       number == STUDY_OPTION_method ? "; ql and tql learn without subgoals" : "");
}

int run_choices_apply(const verb *v, const run_choices *c, besd_study_options *o) {
    for (size_t i = 0; i < STUDY_OPTIONS; i++) {
        besd_error error;
        const char *text = c->on[i] ? "true" : c->text[i];
        if (text && study_option_parse(&study_options[i], text, o, &error) != BESD_OK)
            return refuse_choice(v, i, &error);
    }
    return 0;
}
