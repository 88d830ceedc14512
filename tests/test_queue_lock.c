/* One plan at a time: who holds the turn, who waits for it, and that nobody who is gone holds it.
 */
#include "study_fixture.h" /* first: it asks for GNU names */

#include "study/queue.h"

#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>

/* A process that takes the turn, says so, and leaves it when it is told to. */
typedef struct rival {
    pid_t process;
    int says, hears;
} rival;

static rival start_rival(const char *study) {
    int said[2], heard[2];
    assert_int_equal(pipe(said), 0);
    assert_int_equal(pipe(heard), 0);
    rival r = {fork(), said[0], heard[1]};
    assert_true(r.process >= 0);
    if (r.process == 0) {
        turn_lock lock;
        char byte = 0;
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        turn_lock_take(&lock, study);
        bool fine = lock.descriptor >= 0 && write(said[1], &byte, 1) == 1;
        fine = read(heard[0], &byte, 1) == 1 && fine;
        turn_lock_leave(&lock);
        _exit(fine ? 0 : 1);
    }
    close(said[1]);
    close(heard[0]);
    return r;
}

/* Has it got the turn within so many milliseconds? */
static bool has_turn(const rival *r, int ms) {
    struct pollfd waiting = {.fd = r->says, .events = POLLIN};
    return poll(&waiting, 1, ms) == 1;
}

static void send_away(const rival *r) {
    assert_int_equal(write(r->hears, "", 1), 1);
}

static void dismiss(const rival *r) {
    int status;
    send_away(r);
    assert_int_equal(waitpid(r->process, &status, 0), r->process);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    close(r->says);
}

static const char *lock_path(const char *study, char *path, size_t size) {
    snprintf(path, size, "%s-ask", study);
    return path;
}

/* The second waits until the first leaves; whoever is last takes the file away. */
static void test_taking_turns(void **state) {
    (void)state;
    char study[PATH_SIZE], path[PATH_SIZE + 8];
    turn_lock lock;
    lock_path(new_path(study), path, sizeof path);
    turn_lock_take(&lock, study);
    assert_true(lock.descriptor >= 0);
    assert_int_equal(access(path, F_OK), 0);
    rival r = start_rival(study);
    assert_false(has_turn(&r, 100));
    turn_lock_leave(&lock);
    assert_true(has_turn(&r, 20000));
    dismiss(&r);
    assert_int_equal(access(path, F_OK), -1);
}

/* Several who wait get it one after the other, never two at once. */
static void test_a_queue(void **state) {
    (void)state;
    enum { RIVALS = 4 };
    char study[PATH_SIZE];
    rival rivals[RIVALS];
    bool done[RIVALS] = {false};
    new_path(study);
    for (int i = 0; i < RIVALS; i++)
        rivals[i] = start_rival(study);
    for (int turns = 0; turns < RIVALS; turns++) {
        int owner = -1;
        for (int waited = 0; owner < 0 && waited < 4000; waited++)
            for (int i = 0; i < RIVALS; i++)
                if (!done[i] && has_turn(&rivals[i], 1))
                    owner = i;
        assert_true(owner >= 0);
        for (int i = 0; i < RIVALS; i++)
            assert_true(i == owner || done[i] || !has_turn(&rivals[i], 20));
        done[owner] = true;
        send_away(&rivals[owner]);
    }
    for (int i = 0; i < RIVALS; i++) {
        int status;
        assert_int_equal(waitpid(rivals[i].process, &status, 0), rivals[i].process);
        assert_int_equal(status, 0);
    }
}

/* A process that is killed leaves its turn, and the file that it leaves behind hinders nobody. */
static void test_killed(void **state) {
    (void)state;
    char study[PATH_SIZE], path[PATH_SIZE + 8];
    turn_lock lock;
    int status;
    lock_path(new_path(study), path, sizeof path);
    rival r = start_rival(study);
    assert_true(has_turn(&r, 20000));
    assert_int_equal(kill(r.process, SIGKILL), 0);
    assert_int_equal(waitpid(r.process, &status, 0), r.process);
    assert_int_equal(access(path, F_OK), 0);
    turn_lock_take(&lock, study);
    assert_true(lock.descriptor >= 0);
    turn_lock_leave(&lock);
    assert_int_equal(access(path, F_OK), -1);
}

/* A study in memory has no rivals; where no lock can be made, because a folder or a link has its
 * name, one goes on without, and leaves both alone. */
static void test_without(void **state) {
    (void)state;
    char study[PATH_SIZE], path[PATH_SIZE + 8];
    turn_lock lock;
    turn_lock_take(&lock, NULL);
    assert_true(!lock.path && lock.descriptor < 0);
    turn_lock_leave(&lock);
    for (int link = 0; link < 2; link++) {
        lock_path(new_path(study), path, sizeof path);
        assert_int_equal(link ? symlink("/dev/null", path) : mkdir(path, 0755), 0);
        turn_lock_take(&lock, study);
        assert_true(lock.descriptor < 0);
        turn_lock_leave(&lock);
        assert_int_equal(access(path, F_OK), 0);
    }
}

/* Who may write the study may lock it: the file has the study's mode, whatever the umask. */
static void test_mode(void **state) {
    (void)state;
    static const mode_t modes[] = {0600, 0640, 0666};
    mode_t before = umask(077);
    for (int i = 0; i < 3; i++) {
        char study[PATH_SIZE], path[PATH_SIZE + 8];
        struct stat made;
        turn_lock lock;
        lock_path(new_path(study), path, sizeof path);
        write_bytes(study, "", 0);
        assert_int_equal(chmod(study, modes[i]), 0);
        turn_lock_take(&lock, study);
        assert_int_equal(stat(path, &made), 0);
        assert_int_equal(made.st_mode & 0777, modes[i]);
        turn_lock_leave(&lock);
    }
    umask(before);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_taking_turns), cmocka_unit_test(test_a_queue),
        cmocka_unit_test(test_killed),       cmocka_unit_test(test_without),
        cmocka_unit_test(test_mode),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
