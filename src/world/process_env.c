#include "world/process_env.h"

#include "core/error.h"
#include "core/memory.h"
#include "world/child.h"
#include "world/domain_load.h"
#include "world/protocol.h"

#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double DEFAULT_RESET_TIMEOUT = 30, DEFAULT_STEP_TIMEOUT = 10;

/* A child and its lanes. */
typedef struct host {
    struct host *next;
    child *child;         /* NULL once it has failed */
    pthread_mutex_t lock; /* held during an exchange */
    pthread_t user;       /* the thread that holds its lanes */
    uint64_t parameters;  /* fingerprint of the parameters in its hello */
    int lanes, taken;
    bool used[PROTOCOL_MAX_LANES];
    besd_env_spec spec;
    besd_env_reaching reaching;
} host;

typedef struct process {
    domain_source source; /* first: a source is its process */
    pthread_mutex_t lock; /* of the list of hosts and their lanes */
    host *hosts;
    besd_env_methods methods; /* with the name that the first child told */
    char name[DOMAIN_NAME_SIZE];
    protocol_settings settings;
    double start_timeout; /* of the first child; others may take as long as a reset */
    char command[];       /* to the end */
} process;

typedef enum moment { FRESH, DRAWN, RUNNING, ENDED } moment;

struct besd_env {
    process *process;
    host *host;
    int lane;
    moment moment;
    bool seed_due; /* the next reset carries the seed */
    uint64_t seed;
    int64_t steps;
    double reset_timeout, step_timeout;
    char failure[BESD_ERROR_MESSAGE_SIZE]; /* empty while all is well */
};

/* Seeds are sent as whole numbers of 53 bits, which the JSON of every language can hold. */
static uint64_t short_seed(uint64_t seed) {
    return seed >> 11;
}

/* Sends one message and reads the answer; the caller releases the value. The caller holds the lock
 * of the host, and stops the child after a failure. */
static besd_status exchange(host *h, const char *key, const char *line, size_t length,
                            double seconds, json_t **value, besd_error *error) {
    const char *answer;
    size_t answer_length;
    *value = NULL;
    if (!h->child)
        return besd_fail(error, BESD_ENVIRONMENT, "its process has been stopped after a failure");
    besd_status status =
        child_exchange(h->child, line, length, seconds, &answer, &answer_length, error);
    return status == BESD_OK ? protocol_read_answer(answer, answer_length, key, value, error)
                             : status;
}

static void give_up(host *h) {
    child_stop(h->child, NULL);
    h->child = NULL;
}

static besd_status say_hello(const process *p, host *h, double seconds, protocol_hello *hello,
                             besd_error *error) {
    json_t *answer;
    char *line = protocol_hello_line(p->source.own, p->source.own_count);
    if (!line)
        return besd_fail_memory(error, "a message");
    besd_status status = exchange(h, "hello", line, strlen(line), seconds, &answer, error);
    if (status == BESD_OK)
        status = protocol_read_hello(answer, hello, error);
    json_decref(answer);
    free(line);
    return status;
}

/* The first child of all gives the name and the settings; the others only have to be sound. */
static besd_status greet(process *p, host *h, double seconds, besd_error *error) {
    static const char ask[] = "{\"spec\":{}}\n";
    protocol_hello hello;
    protocol_settings ignored = {0}, *settings = p->name[0] ? &ignored : &p->settings;
    json_t *answer;
    besd_status status = say_hello(p, h, seconds, &hello, error);
    if (status != BESD_OK)
        return status;
    status = exchange(h, "spec", ask, sizeof ask - 1, seconds, &answer, error);
    if (status == BESD_OK)
        status = protocol_read_spec(answer, &h->spec, &h->reaching, settings, error);
    json_decref(answer);
    if (status == BESD_OK)
        status = env_spec_check(hello.name, &h->spec, error);
    if (status != BESD_OK)
        return status;
    h->lanes = hello.lanes;
    if (!p->name[0])
        memcpy(p->name, hello.name, sizeof p->name);
    return BESD_OK;
}

static uint64_t hash_own(const process *p) {
    return domain_hash_own(HASH_START, &p->source);
}

static void host_free(host *h) {
    child_stop(h->child, "{\"close\":{}}\n");
    pthread_mutex_destroy(&h->lock);
    free(h);
}

static besd_status host_start(process *p, double seconds, host **started, besd_error *error) {
    host *h = calloc(1, sizeof *h);
    if (!h)
        return besd_fail_memory(error, "a process's environments");
    if (pthread_mutex_init(&h->lock, NULL)) {
        free(h);
        return besd_fail_memory(error, "a lock");
    }
    h->parameters = hash_own(p);
    besd_status status = child_start(p->command, &h->child, error);
    if (status == BESD_OK)
        status = greet(p, h, seconds, error);
    if (status != BESD_OK) {
        host_free(h);
        return status;
    }
    *started = h;
    return BESD_OK;
}

static void hosts_free(host *first) {
    for (host *next; first; first = next) {
        next = first->next;
        host_free(first);
    }
}

/* Takes the children off the list that are of no more use: those that failed, and those that run
 * with other parameters. */
static host *sweep(process *p) {
    uint64_t parameters = hash_own(p);
    host *swept = NULL;
    for (host **at = &p->hosts; *at;) {
        host *h = *at;
        if (!h->taken && (!h->child || h->parameters != parameters)) {
            *at = h->next;
            h->next = swept;
            swept = h;
        } else {
            at = &h->next;
        }
    }
    return swept;
}

static host *find_host(const process *p) {
    uint64_t parameters = hash_own(p);
    for (host *h = p->hosts; h; h = h->next) {
        bool mine = !h->taken || pthread_equal(h->user, pthread_self());
        if (mine && h->child && h->taken < h->lanes && h->parameters == parameters)
            return h;
    }
    return NULL;
}

static int take_lane(host *h) {
    int lane = 0;
    while (h->used[lane])
        lane++;
    h->used[lane] = true;
    h->taken++;
    h->user = pthread_self();
    return lane;
}

/* Gives the handle a lane of a waiting child or of a new one. Starting and stopping children takes
 * long, so the lock is not held meanwhile, and several threads can start children side by side. */
static besd_status find_lane(process *p, besd_env *env, besd_error *error) {
    pthread_mutex_lock(&p->lock);
    host *swept = sweep(p), *h = find_host(p);
    if (h)
        env->lane = take_lane(h);
    pthread_mutex_unlock(&p->lock);
    hosts_free(swept);
    if (!h) {
        besd_status status = host_start(p, env->reset_timeout, &h, error);
        if (status != BESD_OK)
            return status;
        env->lane = take_lane(h);
        pthread_mutex_lock(&p->lock);
        h->next = p->hosts;
        p->hosts = h;
        pthread_mutex_unlock(&p->lock);
    }
    env->host = h;
    return BESD_OK;
}

static double or_default(double value, double otherwise) {
    return isnan(value) ? otherwise : value;
}

static besd_status process_open(domain_source *source, const domain *d, besd_env **opened,
                                besd_error *error) {
    process *p = (process *)source;
    besd_error own;
    besd_env *env = calloc(1, sizeof *env);
    if (!env)
        return besd_fail_memory(error, "an environment");
    env->process = p;
    env->reset_timeout =
        d ? or_default(d->value[PARAMETER_RESET_TIMEOUT], DEFAULT_RESET_TIMEOUT) : p->start_timeout;
    env->step_timeout =
        or_default(d ? d->value[PARAMETER_STEP_TIMEOUT] : NAN, DEFAULT_STEP_TIMEOUT);
    besd_status status = find_lane(p, env, &own);
    if (status != BESD_OK) {
        free(env);
        return besd_fail(error, status, "environment '%.100s': %.380s", p->command, own.message);
    }
    *opened = env;
    return BESD_OK;
}

static void process_destroy(besd_env *env) {
    if (!env)
        return;
    process *p = env->process;
    pthread_mutex_lock(&p->lock);
    env->host->used[env->lane] = false;
    env->host->taken--;
    pthread_mutex_unlock(&p->lock);
    free(env);
}

static void process_release(domain_source *source) {
    process *p = (process *)source;
    hosts_free(p->hosts);
    pthread_mutex_destroy(&p->lock);
    free(p);
}

static void process_spec(const besd_env *env, besd_env_spec *spec) {
    *spec = env->host->spec;
}

static void process_reaching(const besd_env *env, besd_env_reaching *how) {
    *how = env->host->reaching;
}

static const char *process_failure(const besd_env *env) {
    return env->failure[0] ? env->failure : NULL;
}

static void tell_failure(besd_env *env, const char *why, besd_env_outcome *out) {
    if (!env->failure[0])
        snprintf(env->failure, sizeof env->failure, "%s", why);
    *out = (besd_env_outcome){.reward = NAN, .state = -1};
    for (int i = 0; i < BESD_ENV_MAX_OBSERVATION; i++)
        out->observation[i] = NAN;
}

static besd_status process_instance(besd_env *env, uint64_t seed, besd_error *error) {
    char line[96];
    besd_error own;
    json_t *answer;
    int length = snprintf(line, sizeof line, "{\"instance\":{\"lane\":%d,\"seed\":%" PRIu64 "}}\n",
                          env->lane, short_seed(seed));
    pthread_mutex_lock(&env->host->lock);
    besd_status status =
        exchange(env->host, "instance", line, (size_t)length, env->reset_timeout, &answer, &own);
    if (status != BESD_OK)
        give_up(env->host);
    pthread_mutex_unlock(&env->host->lock);
    json_decref(answer);
    env->moment = DRAWN;
    if (status != BESD_OK)
        return besd_fail(error, status, "environment %s: %s", env->process->name, own.message);
    return BESD_OK;
}

static void process_seed(besd_env *env, uint64_t seed) {
    env->seed = short_seed(seed);
    env->seed_due = true;
}

static void process_reset(besd_env *env, besd_env_outcome *out) {
    char line[96];
    besd_error own;
    json_t *answer;
    if (env->failure[0] || env->moment == FRESH) {
        tell_failure(env, "reset was called before an instance was drawn", out);
        return;
    }
    int length =
        env->seed_due
            ? snprintf(line, sizeof line, "{\"reset\":{\"lane\":%d,\"seed\":%" PRIu64 "}}\n",
                       env->lane, env->seed)
            : snprintf(line, sizeof line, "{\"reset\":{\"lane\":%d}}\n", env->lane);
    pthread_mutex_lock(&env->host->lock);
    besd_status status =
        exchange(env->host, "reset", line, (size_t)length, env->reset_timeout, &answer, &own);
    if (status == BESD_OK)
        status = protocol_read_row(&env->host->spec, "reset", answer, out, &own);
    if (status == BESD_OK && (out->reward != 0 || out->terminated || out->truncated))
        status = protocol_fail(&own, "reset", "reward 0 and end 0", answer);
    if (status != BESD_OK)
        give_up(env->host);
    pthread_mutex_unlock(&env->host->lock);
    json_decref(answer);
    env->seed_due = false;
    env->moment = RUNNING;
    env->steps = 0;
    if (status != BESD_OK)
        tell_failure(env, own.message, out);
}

/* Why a step must not be sent; NULL: it may. */
static const char *objection(const besd_env *env, int action) {
    if (env->failure[0])
        return env->failure;
    if (env->moment == FRESH || env->moment == DRAWN)
        return "step was called before reset";
    if (env->moment == ENDED)
        return "step was called after the end of the episode";
    if (action < 0 || action >= env->host->spec.actions)
        return "step was called with an action out of range";
    return NULL;
}

static besd_status take_row(besd_env *env, const json_t *row, besd_env_outcome *out,
                            besd_error *error) {
    besd_status status = protocol_read_row(&env->host->spec, "step", row, out, error);
    if (status != BESD_OK)
        return status;
    env->steps++;
    if (out->terminated || out->truncated)
        env->moment = ENDED;
    else if (env->steps >= env->host->spec.cap)
        return besd_fail(error, BESD_ENVIRONMENT,
                         "expected truncation (end 2) after the cap of %" PRId64 " steps",
                         env->host->spec.cap);
    return BESD_OK;
}

/* Steps the chosen ones of these handles, which are all lanes of one host. */
static void step_host(besd_env *const *envs, const int *actions, besd_env_outcome *const *outs,
                      const int *chosen, int count) {
    char line[32 + 32 * PROTOCOL_MAX_LANES];
    besd_error own;
    json_t *answer;
    host *h = envs[chosen[0]]->host;
    int length = snprintf(line, sizeof line, "{\"step\":[");
    for (int i = 0; i < count; i++)
        length += snprintf(line + length, sizeof line - (size_t)length, "%s[%d,%d]", i ? "," : "",
                           envs[chosen[i]]->lane, actions[chosen[i]]);
    length += snprintf(line + length, sizeof line - (size_t)length, "]}\n");
    pthread_mutex_lock(&h->lock);
    besd_status status =
        exchange(h, "step", line, (size_t)length, envs[chosen[0]]->step_timeout, &answer, &own);
    if (status == BESD_OK && json_array_size(answer) != (size_t)count) {
        char expected[48];
        snprintf(expected, sizeof expected, "a list of %d rows", count);
        status = protocol_fail(&own, "step", expected, answer);
    }
    for (int i = 0; status == BESD_OK && i < count; i++)
        status =
            take_row(envs[chosen[i]], json_array_get(answer, (size_t)i), outs[chosen[i]], &own);
    if (status != BESD_OK)
        give_up(h);
    pthread_mutex_unlock(&h->lock);
    json_decref(answer);
    for (int i = 0; status != BESD_OK && i < count; i++)
        tell_failure(envs[chosen[i]], own.message, outs[chosen[i]]);
}

static void process_step_many(besd_env *const *envs, const int *actions,
                              besd_env_outcome *const *outs, int count) {
    bool done[PROTOCOL_MAX_LANES] = {false};
    for (int first = 0; first < count; first += PROTOCOL_MAX_LANES) {
        int block = count - first < PROTOCOL_MAX_LANES ? count - first : PROTOCOL_MAX_LANES;
        for (int i = 0; i < block; i++) {
            const char *why = objection(envs[first + i], actions[first + i]);
            done[i] = why != NULL;
            if (why)
                tell_failure(envs[first + i], why, outs[first + i]);
        }
        for (int i = 0; i < block; i++) {
            int chosen[PROTOCOL_MAX_LANES], size = 0;
            for (int j = i; j < block && !done[i]; j++)
                if (!done[j] && envs[first + j]->host == envs[first + i]->host)
                    chosen[size++] = first + j;
            if (size)
                step_host(envs, actions, outs, chosen, size);
            for (int j = 0; j < size; j++)
                done[chosen[j] - first] = true;
        }
    }
}

static void process_step(besd_env *env, int action, besd_env_outcome *out) {
    process_step_many(&env, &action, &out, 1);
}

static const besd_env_methods process_methods = {
    .version = BESD_ENV_VERSION,
    .size = sizeof(besd_env_methods),
    .name = "process",
    .destroy = process_destroy,
    .spec = process_spec,
    .instance = process_instance,
    .seed = process_seed,
    .reset = process_reset,
    .step = process_step,
    .step_many = process_step_many,
    .failure = process_failure,
    .reaching = process_reaching,
};

besd_status process_load(const char *command, double start_timeout, domain *d, besd_error *error) {
    size_t size = strlen(command) + 1;
    process *p = calloc(1, sizeof *p + size);
    if (!p)
        return besd_fail_memory(error, "a process");
    memcpy(p->command, command, size);
    p->start_timeout = or_default(start_timeout, DEFAULT_RESET_TIMEOUT);
    p->source = (domain_source){.open = process_open, .release = process_release, .timed = true};
    if (pthread_mutex_init(&p->lock, NULL)) {
        free(p);
        return besd_fail_memory(error, "a lock");
    }
    besd_env *env = NULL; /* the first child tells name, lanes and settings, and stays */
    besd_status status = process_open(&p->source, NULL, &env, error);
    if (status != BESD_OK) {
        process_release(&p->source);
        return status;
    }
    p->source.expensive_handles = env->host->lanes < PROTOCOL_MAX_LANES;
    process_destroy(env);
    p->methods = process_methods;
    p->methods.name = p->name;
    char title[128];
    snprintf(title, sizeof title, "the process '%.100s'", command);
    return domain_adopt(d, p->name, title, &p->source, &p->methods, p->settings.list, error);
}
