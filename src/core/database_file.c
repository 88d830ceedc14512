/* The place of the file is found and watched with the system's own calls.
 *
 * The schema of the file is compared with that of a database in memory, made by the same SQL.
 * Blanks do not count: different versions of the source set them differently. The pages are read
 * once, by SQLite's own quick_check: 12 ms for 5000 trials of 20 scores each. It finds pages that
 * are used twice, rows out of order, values of another type and missing values. After it, whatever
 * is read comes to an end. */
#include "core/database_state.h"

#include "core/error.h"
#include "core/text.h"

#include <ctype.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

bool database_file_is_writable(const char *path) {
    char folder[4096];
    const char *slash = strrchr(path, '/');
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) + 1 : 1,
             slash ? path : ".");
    return faccessat(AT_FDCWD, folder, W_OK, AT_EACCESS) == 0;
}

bool database_is_remote(const char *path) {
    /* NFS, SMB, SMB2, CIFS, sshfs and other FUSE, AFS, Ceph, 9P, Lustre, GPFS, OCFS2, GFS2 */
    static const unsigned types[] = {0x6969,     0x517b,     0xfe534d42, 0xff534d42,
                                     0x65735546, 0x5346414f, 0x00c36400, 0x01021997,
                                     0x0bd00bd0, 0x47504653, 0x7461636f, 0x01161970};
    struct statfs s;
    if (statfs(path, &s))
        return false;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if ((unsigned)s.f_type == types[i])
            return true;
    return false;
}

char *database_file_find_archive(const char *path) {
    char *real = realpath(path, NULL);
    if (real && !database_file_is_writable(real))
        return real;
    free(real);
    return NULL;
}

bool database_file_has_log(const char *real) {
    char log[PATH_MAX + 8];
    snprintf(log, sizeof log, "%s-wal", real);
    return access(log, F_OK) == 0;
}

int database_file_open(const char *path, int flags, sqlite3 **db) {
    static const char here[] = "./";
    if (strncmp(path, "file:", 5) != 0)
        return sqlite3_open_v2(path, db, flags, NULL);
    size_t size = sizeof here + strlen(path);
    char *name = malloc(size);
    if (!name)
        return SQLITE_NOMEM;
    snprintf(name, size, "%s%s", here, path);
    int code = sqlite3_open_v2(name, db, flags, NULL);
    free(name);
    return code;
}

/* The path as a URI that tells SQLite so; NULL without memory. */
static char *archive_uri(const char *path) {
    size_t size = 3 * strlen(path) + 40, length;
    char *uri = malloc(size);
    if (!uri)
        return NULL;
    length = (size_t)snprintf(uri, size, "file:%s", *path == '/' ? "//" : "");
    for (; *path; path++)
        if (strchr("%?#", *path))
            length += (size_t)snprintf(uri + length, size - length, "%%%02X", (unsigned)*path);
        else
            uri[length++] = *path;
    snprintf(uri + length, size - length, "?immutable=1");
    return uri;
}

int database_file_open_archive(const char *real, sqlite3 **db) {
    char *uri = archive_uri(real);
    int code =
        uri ? sqlite3_open_v2(uri, db, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI,
                              NULL)
            : SQLITE_NOMEM;
    free(uri);
    return code;
}

/* The full name of the open file, "" in memory. */
static const char *name_of(sqlite3 *db) {
    const char *name = sqlite3_db_filename(db, "main");
    return name ? name : "";
}

void database_file_remember(database *d) {
    struct stat file;
    d->stands = *name_of(d->db) && stat(name_of(d->db), &file) == 0;
    if (d->stands) {
        d->device = file.st_dev;
        d->inode = file.st_ino;
    }
}

besd_status database_file_check_place(const database *d, besd_error *error) {
    struct stat file;
    if (!d->stands)
        return BESD_OK;
    if (getpid() != d->owner)
        return besd_fail(error, BESD_INVALID,
                         "%s: another process opened it and was forked since; open it once more in "
                         "this process",
                         d->path);
    bool is_there = stat(name_of(d->origin ? d->origin : d->db), &file) == 0;
    if (is_there && file.st_dev == d->device && file.st_ino == d->inode)
        return BESD_OK;
    return besd_fail(error, BESD_IO,
                     "%s: the file was %s while it was in use, so nothing more can be kept; put it "
                     "back beside its -wal file if you still have it, or begin again under another "
                     "name",
                     d->path, is_there ? "replaced by another" : "removed or moved away");
}

/* Far longer than any text or blob of besd. */
enum { LONGEST_VALUE = 1 << 28 };

besd_status database_file_distrust(database *d, besd_error *error) {
    static const struct {
        int what, value;
    } settings[] = {{SQLITE_DBCONFIG_DEFENSIVE, 1},
                    {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
                    {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
                    {SQLITE_DBCONFIG_ENABLE_VIEW, 0}};
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        sqlite3_db_config(d->db, settings[i].what, settings[i].value, (int *)NULL);
    sqlite3_limit(d->db, SQLITE_LIMIT_LENGTH, LONGEST_VALUE);
    sqlite3_limit(d->db, SQLITE_LIMIT_ATTACHED, 0);
    return database_run(d, "PRAGMA cell_size_check=ON", error);
}

/* The next letter of a statement; blanks in a row are one. */
static int next_letter(const char **text) {
    if (!isspace((unsigned char)**text))
        return **text ? (unsigned char)*(*text)++ : 0;
    while (isspace((unsigned char)**text))
        (*text)++;
    return ' ';
}

static bool says_the_same(const char *a, const char *b) {
    for (;;) {
        int x = next_letter(&a), y = next_letter(&b);
        if (x != y)
            return false;
        if (!x)
            return true;
    }
}

static const char *text_of(sqlite3_stmt *row, int column) {
    const char *text = (const char *)sqlite3_column_text(row, column);
    return text ? text : "";
}

/* A name out of the file, fit to be printed. */
static void copy_name(char name[64], sqlite3_stmt *row, int column) {
    snprintf(name, 64, "%s", text_of(row, column));
    text_clean(name);
}

#define ENTRIES "SELECT type, name, tbl_name, sql FROM sqlite_schema"

/* What `other` has under the name and type of this entry; SQLITE_ROW, SQLITE_DONE or an error. */
static int find_entry(sqlite3 *other, sqlite3_stmt *entry, sqlite3_stmt **found) {
    *found = NULL;
    int code = sqlite3_prepare_v2(other, ENTRIES " WHERE type = ? AND name = ?", -1, found, NULL);
    if (code != SQLITE_OK)
        return code;
    sqlite3_bind_value(*found, 1, sqlite3_column_value(entry, 0));
    sqlite3_bind_value(*found, 2, sqlite3_column_value(entry, 1));
    return sqlite3_step(*found);
}

/* An entry of the file must be one of the model's. */
static besd_status check_entry(database *d, sqlite3 *model, sqlite3_stmt *entry,
                               besd_error *error) {
    char name[64], type[64];
    sqlite3_stmt *expected;
    besd_status status = BESD_OK;
    int code = find_entry(model, entry, &expected);
    copy_name(type, entry, 0);
    copy_name(name, entry, 1);
    if (code == SQLITE_DONE)
        status = besd_fail(error, BESD_IO, "%s: it has the %s '%s', which %s does not have",
                           d->path, type, name, d->kind->what);
    else if (code != SQLITE_ROW)
        status = besd_fail_memory(error, d->kind->what);
    else if (!says_the_same(text_of(entry, 2), text_of(expected, 2)) ||
             !says_the_same(text_of(entry, 3), text_of(expected, 3)))
        status = besd_fail(error, BESD_IO, "%s: its %s '%s' is not the one that besd makes",
                           d->path, type, name);
    sqlite3_finalize(expected);
    return status;
}

/* An entry of the model must be in the file, once. */
static besd_status check_presence(database *d, sqlite3_stmt *entry, besd_error *error) {
    sqlite3_stmt *found;
    besd_status status = BESD_OK;
    int code = find_entry(d->db, entry, &found);
    if (code == SQLITE_DONE)
        status = besd_fail(error, BESD_IO, "%s: its %s '%s' is missing", d->path, text_of(entry, 0),
                           text_of(entry, 1));
    else if (code != SQLITE_ROW)
        status = database_fail(d, error);
    else if (sqlite3_step(found) == SQLITE_ROW)
        status = besd_fail(error, BESD_IO, "%s: its %s '%s' is there twice", d->path,
                           text_of(entry, 0), text_of(entry, 1));
    sqlite3_finalize(found);
    return status;
}

static besd_status check_presences(database *d, sqlite3 *model, besd_error *error) {
    sqlite3_stmt *entries = NULL;
    besd_status status = BESD_OK;
    int code = sqlite3_prepare_v2(model, ENTRIES, -1, &entries, NULL);
    while (code == SQLITE_OK && status == BESD_OK) {
        code = sqlite3_step(entries);
        if (code == SQLITE_ROW) {
            status = check_presence(d, entries, error);
            code = SQLITE_OK;
        }
    }
    sqlite3_finalize(entries);
    if (status == BESD_OK && code != SQLITE_DONE)
        status = besd_fail_memory(error, d->kind->what);
    return status;
}

static besd_status check_entries(database *d, sqlite3 *model, const char *which,
                                 besd_error *error) {
    sqlite3_stmt *entries;
    int code = SQLITE_DONE;
    besd_status status = database_prepare(d, which, &entries, error);
    if (status != BESD_OK)
        return status;
    while (status == BESD_OK && (code = sqlite3_step(entries)) == SQLITE_ROW)
        status = check_entry(d, model, entries, error);
    besd_status ended = database_end_reading(d, entries, code, status == BESD_OK ? error : NULL);
    return status == BESD_OK ? ended : status;
}

static const char *tables_of(const database_kind *kind, int64_t schema) {
    return schema == kind->schema ? kind->tables : kind->older[schema - kind->oldest];
}

static bool has_views(const database_kind *kind, int64_t schema) {
    return kind->views && schema == kind->schema;
}

/* A database in memory with what this SQL makes; SQLite's code. */
static int make_model(const char *sql, sqlite3 **model) {
    int code = sqlite3_open_v2(
        ":memory:", model, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, NULL);
    return code == SQLITE_OK ? sqlite3_exec(*model, sql, NULL, NULL, NULL) : code;
}

/* Everything but views that depend on what the file holds, which is not read before its pages are
 * known to be sound. */
static besd_status check_tables(database *d, int64_t schema, besd_error *error) {
    const database_kind *k = d->kind;
    sqlite3 *model = NULL;
    int code = make_model(tables_of(k, schema), &model);
    besd_status status =
        code == SQLITE_OK ? check_presences(d, model, error) : besd_fail_memory(error, k->what);
    if (status == BESD_OK && k->optional &&
        sqlite3_exec(model, k->optional, NULL, NULL, NULL) != SQLITE_OK)
        status = besd_fail_memory(error, k->what);
    if (status == BESD_OK)
        status = check_entries(
            d, model, has_views(k, schema) ? ENTRIES " WHERE type <> 'view'" : ENTRIES, error);
    sqlite3_close(model);
    return status;
}

/* Views are besd's own or none: besd does not use them, but people do. */
static besd_status check_views(database *d, besd_error *error) {
    char *sql = NULL;
    sqlite3 *model = NULL;
    besd_status status = d->kind->views(d, &sql, error);
    if (status == BESD_OK && make_model(sql ? sql : "", &model) != SQLITE_OK)
        status = besd_fail_memory(error, d->kind->what);
    if (status == BESD_OK)
        status = check_entries(d, model, ENTRIES " WHERE type = 'view'", error);
    sqlite3_close(model);
    free(sql);
    return status;
}

static besd_status check_pages(database *d, besd_error *error) {
    sqlite3_stmt *s;
    besd_status status = database_prepare(d, "PRAGMA quick_check(1)", &s, error);
    if (status != BESD_OK)
        return status;
    int code = sqlite3_step(s);
    char finding[160] = "";
    if (code == SQLITE_ROW)
        snprintf(finding, sizeof finding, "%s", text_of(s, 0));
    besd_status ended = database_end_reading(d, s, code, error);
    if (ended != BESD_OK || !strcmp(finding, "ok"))
        return ended;
    text_clean(finding);
    return besd_fail(error, BESD_IO, "%s: it is damaged (%s)", d->path, finding);
}

besd_status database_file_check(database *d, int64_t schema, besd_error *error) {
    besd_status status = check_tables(d, schema, error);
    if (status == BESD_OK)
        status = check_pages(d, error);
    return status == BESD_OK && has_views(d->kind, schema) ? check_views(d, error) : status;
}
