/* OpenBLAS is opened once, by whoever comes first, and leaves the process as it was: every test has
 * a process of its own, because nobody can close it. */
#include "study_fixture.h" /* first: it asks for GNU names */

#include "model/blas.h"

#include <dirent.h>
#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>

enum { THREADS = 8, N = 70 };

/* The C library's, unless the system is one that does not allow it. */
static bool affinity_is_forbidden;

int sched_setaffinity(pid_t process, size_t size, const cpu_set_t *set) {
    return affinity_is_forbidden ? -1 : (int)syscall(SYS_sched_setaffinity, process, size, set);
}

static void in_a_process(void (*work)(void)) {
    int status;
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (!child) {
        work();
        _exit(0); /* a failed assertion ends the process before */
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

/* In the child there is nobody who would catch cmocka's jump. */
#define must(condition)                                                                            \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                        \
            _exit(1);                                                                              \
        }                                                                                          \
    } while (0)

/* The last entry of a factor depends on all others. */
static double compute(void) {
    static _Thread_local double matrix[N * N], room[N * N];
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j <= i; j++)
            matrix[i * N + j] = 1 / (1 + 0.1 * (double)(i - j)) + (i == j);
    must(arithmetic_begin(1, NULL) == BESD_OK);
    must(cholesky_factorise(matrix, N, room));
    return matrix[N * N - 1] + blas.ddot(N, matrix, 1, matrix + N, 1);
}

static pthread_barrier_t start;

static void *compute_with_others(void *result) {
    pthread_barrier_wait(&start);
    *(double *)result = compute();
    return NULL;
}

static void open_together(void) {
    pthread_t threads[THREADS];
    double results[THREADS];
    must(!pthread_barrier_init(&start, NULL, THREADS));
    for (size_t i = 0; i < THREADS; i++)
        must(!pthread_create(&threads[i], NULL, compute_with_others, &results[i]));
    for (size_t i = 0; i < THREADS; i++)
        must(!pthread_join(threads[i], NULL));
    double alone = compute();
    for (size_t i = 0; i < THREADS; i++)
        must(results[i] == alone);
}

static void test_threads_open_it_together(void **state) {
    (void)state;
    in_a_process(open_together);
}

static size_t count_threads(void) {
    DIR *tasks = opendir("/proc/self/task");
    must(tasks);
    size_t count = 0;
    while (readdir(tasks))
        count++;
    closedir(tasks);
    return count;
}

static void open_alone(void) {
    cpu_set_t before, after;
    must(!sched_getaffinity(0, sizeof before, &before));
    size_t threads = count_threads();
    must(blas_open(NULL) == BESD_OK);
    must(count_threads() == threads);
    must(!sched_getaffinity(0, sizeof after, &after));
    must(CPU_EQUAL(&before, &after));
}

static void test_it_starts_no_threads(void **state) {
    (void)state;
    in_a_process(open_alone);
}

static void compute_before_and_after_fork(void) {
    double parents = compute();
    int status;
    pid_t child = fork();
    must(child >= 0);
    if (!child)
        _exit(compute() == parents ? 0 : 1);
    must(waitpid(child, &status, 0) == child);
    must(WIFEXITED(status) && !WEXITSTATUS(status));
    must(compute() == parents);
}

static void test_a_child_computes_the_same(void **state) {
    (void)state;
    in_a_process(compute_before_and_after_fork);
}

/* The program has it already, with its threads. */
static void open_after_the_program(void) {
    void *library = dlopen(BESD_OPENBLAS, RTLD_NOW);
    must(library);
    void (*set)(int);
    int (*count)(void);
    *(void **)&set = dlsym(library, "openblas_set_num_threads");
    *(void **)&count = dlsym(library, "openblas_get_num_threads");
    must(set && count);
    set(2);
    must(count() == 2);
    must(blas_open(NULL) == BESD_OK);
    must(count() == 1);
}

static void test_a_program_that_has_it(void **state) {
    (void)state;
    in_a_process(open_after_the_program);
}

/* So many megabytes more than there are now. */
static void limit_room(size_t megabytes) {
    size_t pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    must(file && fscanf(file, "%zu", &pages) == 1);
    fclose(file);
    struct rlimit limit;
    must(!getrlimit(RLIMIT_AS, &limit));
    limit.rlim_cur = pages * (size_t)sysconf(_SC_PAGESIZE) + (megabytes << 20);
    must(!setrlimit(RLIMIT_AS, &limit));
}

static void lift_limit(void) {
    struct rlimit limit;
    must(!getrlimit(RLIMIT_AS, &limit));
    limit.rlim_cur = limit.rlim_max;
    must(!setrlimit(RLIMIT_AS, &limit));
}

static void open_without_room(void) {
    besd_error error = {0};
    char name[ARITHMETIC_NAME_SIZE] = "x", path[PATH_SIZE];
    new_path(path);
    limit_room(160);
    must(arithmetic_begin(1, &error) == BESD_MEMORY);
    must(strstr(error.message, "OpenBLAS needs 176 MB more of address space"));
    must(arithmetic_name(name, sizeof name, NULL) == BESD_MEMORY && !*name);
    must(!*besd_arithmetic());
    besd_study *study;
    besd_study_options options = small_options(2, 1);
    must(besd_study_open(&study, path, &options, NULL) == BESD_MEMORY);
    must(access(path, F_OK)); /* no half of a study */
    limit_room(200);          /* enough to open it, and for one caller */
    must(arithmetic_begin(1, &error) == BESD_OK);
    must(arithmetic_begin(3, &error) == BESD_MEMORY);
    must(strstr(error.message, "the model needs 384 MB more of address space"));
    must(*besd_arithmetic());
    lift_limit();
    must(arithmetic_begin(3, &error) == BESD_OK);
}

/* OpenBLAS will have a thread for each processor, and these want room as well. */
static void open_with_threads(void) {
    besd_error error = {0};
    cpu_set_t set;
    char need[80];
    must(!sched_getaffinity(0, sizeof set, &set));
    size_t others = (size_t)CPU_COUNT(&set) - 1;
    affinity_is_forbidden = true;
    limit_room(176 + 136 * others - 8);
    must(blas_open(&error) == BESD_MEMORY);
    snprintf(need, sizeof need, "OpenBLAS needs %zu MB more", 176 + 136 * others);
    must(strstr(error.message, need));
    lift_limit();
    compute();
}

static void test_room_is_asked_for(void **state) {
    (void)state;
#ifdef SANITIZED
    skip(); /* sanitizers take all addresses */
#endif
    in_a_process(open_without_room);
    in_a_process(open_with_threads);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_threads_open_it_together),
        cmocka_unit_test(test_it_starts_no_threads),
        cmocka_unit_test(test_a_child_computes_the_same),
        cmocka_unit_test(test_a_program_that_has_it),
        cmocka_unit_test(test_room_is_asked_for),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
