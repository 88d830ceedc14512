/* Copies of a study as of one moment, made by SQLite while others may write, and whether a file is
 * whole. */
#include "study/store_state.h"

#include "core/error.h"
#include "core/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* One step copies everything inside one reading transaction, so nothing that is written meanwhile
 * gets in. */
static int copy_all(sqlite3 *from, sqlite3 *to) {
    sqlite3_backup *backup = sqlite3_backup_init(to, "main", from, "main");
    if (!backup)
        return sqlite3_errcode(to);
    int code = sqlite3_backup_step(backup, -1);
    int ending = sqlite3_backup_finish(backup);
    return code == SQLITE_DONE ? ending : code;
}

static besd_status fail_copy(const store *s, int code, besd_error *error) {
    if (code == SQLITE_NOMEM)
        return besd_fail_memory(error, "the copy");
    return besd_fail(error, BESD_IO, "%s: it could not be copied: %s", s->file.path,
                     sqlite3_errstr(code));
}

static sqlite3 *source_of(const store *s) {
    return s->file.origin ? s->file.origin : s->file.db;
}

/* On the disk, under its name. */
static besd_status make_durable(const char *path, besd_error *error) {
    int file = open(path, O_RDONLY | O_CLOEXEC);
    bool done = file >= 0 && fsync(file) == 0;
    int cause = errno;
    if (file >= 0)
        close(file);
    return done ? BESD_OK : besd_fail(error, BESD_IO, "%s: %s", path, strerror(cause));
}

static besd_status copy_to(store *s, const char *path, besd_error *error) {
    sqlite3 *copy = NULL;
    int code = sqlite3_open_v2(
        path, &copy, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, NULL);
    if (code == SQLITE_OK)
        code = copy_all(source_of(s), copy);
    sqlite3_close(copy);
    return code == SQLITE_OK ? make_durable(path, error) : fail_copy(s, code, error);
}

besd_status store_backup(store *s, const char *out, besd_error *error) {
    char part[4096];
    int length = snprintf(part, sizeof part, "%s%s.part", *out == '/' ? "" : "./", out);
    if (length < 0 || (size_t)length >= sizeof part)
        return besd_fail(error, BESD_INVALID, "%.60s...: the name is too long", out);
    int file = open(part, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file < 0)
        return besd_fail(error, BESD_IO, "%s: %s", part, strerror(errno));
    close(file);
    besd_status status = copy_to(s, part, error);
    /* link, unlike rename, replaces nothing */
    if (status == BESD_OK && link(part, out) != 0)
        status = besd_fail(error, BESD_IO, "%s: %s", out, strerror(errno));
    unlink(part);
    return status;
}

besd_status store_snapshot(store *s, unsigned char **bytes, size_t *size, besd_error *error) {
    sqlite3 *copy = NULL;
    sqlite3_int64 length = 0;
    *bytes = NULL;
    int code = sqlite3_open_v2(
        ":memory:", &copy, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, NULL);
    if (code == SQLITE_OK)
        code = copy_all(source_of(s), copy);
    unsigned char *text = code == SQLITE_OK ? sqlite3_serialize(copy, "main", &length, 0) : NULL;
    if (text && (*bytes = malloc((size_t)length)))
        memcpy(*bytes, text, (size_t)length);
    sqlite3_free(text);
    sqlite3_close(copy);
    *size = (size_t)length;
    if (code != SQLITE_OK)
        return fail_copy(s, code, error);
    return *bytes ? BESD_OK : besd_fail_memory(error, "the copy");
}

besd_status store_verify(store *s, besd_error *error) {
    sqlite3_stmt *row;
    char finding[160] = "";
    besd_status status = database_prepare(&s->file, "PRAGMA integrity_check(1)", &row, error);
    if (status != BESD_OK)
        return status;
    int code = sqlite3_step(row);
    const char *text = code == SQLITE_ROW ? (const char *)sqlite3_column_text(row, 0) : NULL;
    snprintf(finding, sizeof finding, "%s", text ? text : "");
    status = database_end_reading(&s->file, row, code, error);
    if (status != BESD_OK || !strcmp(finding, "ok"))
        return status;
    text_clean(finding);
    return besd_fail(error, BESD_IO, "%s: it is damaged (%s)", s->file.path, finding);
}
