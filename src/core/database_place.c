#include "core/database_place.h"

#include "core/error.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool place_is_writable(const char *path) {
    char folder[4096];
    const char *slash = strrchr(path, '/');
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) + 1 : 1,
             slash ? path : ".");
    return faccessat(AT_FDCWD, folder, W_OK, AT_EACCESS) == 0;
}

char *place_find_archive(const char *path) {
    char *real = realpath(path, NULL);
    if (real && !place_is_writable(real))
        return real;
    free(real);
    return NULL;
}

bool place_has_log(const char *real) {
    char log[PATH_MAX + 8];
    snprintf(log, sizeof log, "%s-wal", real);
    return access(log, F_OK) == 0;
}

int place_open(const char *path, int flags, sqlite3 **db) {
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

/* The path as SQLite's URI that says so; NULL without memory. */
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

int place_open_archive(const char *real, sqlite3 **db) {
    char *uri = archive_uri(real);
    int code =
        uri ? sqlite3_open_v2(uri, db, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI,
                              NULL)
            : SQLITE_NOMEM;
    free(uri);
    return code;
}

/* The whole name of the open file, "" in memory. */
static const char *name_of(sqlite3 *db) {
    const char *name = sqlite3_db_filename(db, "main");
    return name ? name : "";
}

void place_remember(database *d) {
    struct stat file;
    d->stands = *name_of(d->db) && stat(name_of(d->db), &file) == 0;
    if (d->stands) {
        d->device = file.st_dev;
        d->inode = file.st_ino;
    }
}

besd_status place_check(const database *d, besd_error *error) {
    struct stat file;
    if (!d->stands)
        return BESD_OK;
    bool is_there = stat(name_of(d->origin ? d->origin : d->db), &file) == 0;
    if (is_there && file.st_dev == d->device && file.st_ino == d->inode)
        return BESD_OK;
    return besd_fail(error, BESD_IO,
                     "%s: the file was %s while it was in use, so nothing more can be kept; put it "
                     "back beside its -wal file if you still have it, or begin again under another "
                     "name",
                     d->path, is_there ? "replaced by another" : "removed or moved away");
}
