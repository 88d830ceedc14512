#include "serve/metrics.h"

#include "core/print.h"

static const int codes[METRICS_CODES - 1] = {200, 201, 304, 400, 401, 403, 404, 405,
                                             409, 413, 415, 500, 503, 411, 429};
static const double bounds[METRICS_BUCKETS] = {0.001, 0.0025, 0.005, 0.01, 0.025, 0.05,
                                               0.1,   0.25,   0.5,   1,    5,     30};

static size_t place_of(const route *which) {
    return which ? (size_t)(which - routes) : route_count();
}

void metrics_count(metrics *m, const route *which, int code, double seconds) {
    size_t row = place_of(which), column = 0, bucket = 0;
    while (column < METRICS_CODES - 1 && codes[column] != code)
        column++;
    while (bucket < METRICS_BUCKETS && seconds > bounds[bucket])
        bucket++;
    m->requests[row][column]++;
    if (bucket < METRICS_BUCKETS)
        m->within[row][bucket]++;
    m->micros[row] += (unsigned long long)(seconds * 1e6);
}

static void print_route(FILE *out, size_t row) {
    if (row < route_count())
        print_clean(out, "method=\"%s\",route=\"%s\"", routes[row].method, routes[row].pattern);
    else
        fputs("method=\"\",route=\"\"", out);
}

static unsigned long long count_all(const metrics *m, size_t row) {
    unsigned long long sum = 0;
    for (size_t column = 0; column < METRICS_CODES; column++)
        sum += m->requests[row][column];
    return sum;
}

static void print_requests(const metrics *m, FILE *out) {
    fputs("# HELP besd_http_requests_total Requests by route and code.\n"
          "# TYPE besd_http_requests_total counter\n",
          out);
    for (size_t row = 0; row <= route_count(); row++)
        for (size_t column = 0; column < METRICS_CODES; column++) {
            unsigned long long count = m->requests[row][column];
            if (!count)
                continue;
            fputs("besd_http_requests_total{", out);
            print_route(out, row);
            if (column < METRICS_CODES - 1)
                print_clean(out, ",code=\"%d\"} %llu\n", codes[column], count);
            else
                print_clean(out, ",code=\"other\"} %llu\n", count);
        }
}

static void print_times(const metrics *m, FILE *out) {
    fputs("# HELP besd_http_request_seconds From the first header to the last byte of the answer.\n"
          "# TYPE besd_http_request_seconds histogram\n",
          out);
    for (size_t row = 0; row <= route_count(); row++) {
        unsigned long long all = count_all(m, row), sum = 0;
        for (size_t bucket = 0; all && bucket < METRICS_BUCKETS; bucket++) {
            sum += m->within[row][bucket];
            fputs("besd_http_request_seconds_bucket{", out);
            print_route(out, row);
            print_clean(out, ",le=\"%g\"} %llu\n", bounds[bucket], sum);
        }
        if (!all)
            continue;
        fputs("besd_http_request_seconds_bucket{", out);
        print_route(out, row);
        print_clean(out, ",le=\"+Inf\"} %llu\nbesd_http_request_seconds_sum{", all);
        print_route(out, row);
        print_clean(out, "} %.6f\nbesd_http_request_seconds_count{", (double)m->micros[row] * 1e-6);
        print_route(out, row);
        print_clean(out, "} %llu\n", all);
    }
}

static void print_gauge(FILE *out, const char *name, const char *help, int value) {
    print_clean(out, "# HELP %s %s\n# TYPE %s gauge\n%s %d\n", name, help, name, name, value);
}

void metrics_print(const metrics *m, FILE *out) {
    print_requests(m, out);
    print_times(m, out);
    print_gauge(out, "besd_asks_under_way", "Asks that are computed or wait for their turn.",
                m->asks);
    print_gauge(out, "besd_event_streams", "Clients that follow a study.", m->streams);
    print_gauge(out, "besd_http_connections", "Open connections.", m->connections);
}
