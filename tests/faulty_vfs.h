/* A disk that fails on request: a layer over SQLite's own that counts everything that changes a
 * file (writes, truncations, syncs, deletions) and at the n-th of these kills the process, kills it
 * after half of the write, or reports a fault. It also knows which files were written and not
 * synced. */
#ifndef BESD_TESTS_FAULTY_VFS_H
#define BESD_TESTS_FAULTY_VFS_H

#include <signal.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

typedef enum fault {
    FAULT_NONE,
    FAULT_KILL,      /* dies before the n-th change */
    FAULT_KILL_HALF, /* dies in the middle of it */
    FAULT_FULL,      /* from the n-th on: the disk is full */
    FAULT_IO         /* the n-th alone: the device reports an error */
} fault;

static struct {
    fault fault;
    int at;       /* from 1 */
    int changes;  /* so far */
    int unsynced; /* writes since the last sync of their file, over all open files */
    sqlite3_vfs *real, layer;
} disk;

typedef struct faulty_file {
    sqlite3_file base;
    int unsynced;
    sqlite3_file *real; /* behind this struct */
} faulty_file;

static inline sqlite3_file *real_file(sqlite3_file *f) {
    return ((faulty_file *)f)->real;
}

/* Counts a change; what the caller has to answer instead of making it, or SQLITE_OK. */
static inline int next_change(int full_code) {
    disk.changes++;
    if (disk.fault == FAULT_KILL && disk.changes == disk.at)
        raise(SIGKILL);
    if (disk.fault == FAULT_FULL && disk.changes >= disk.at)
        return full_code;
    if (disk.fault == FAULT_IO && disk.changes == disk.at)
        return SQLITE_IOERR;
    return SQLITE_OK;
}

static inline bool dies_now(void) {
    return disk.fault == FAULT_KILL_HALF && disk.changes == disk.at;
}

static int faulty_close(sqlite3_file *f) {
    int result = real_file(f)->pMethods->xClose(real_file(f));
    disk.unsynced -= ((faulty_file *)f)->unsynced;
    return result;
}

static int faulty_read(sqlite3_file *f, void *data, int count, sqlite3_int64 offset) {
    return real_file(f)->pMethods->xRead(real_file(f), data, count, offset);
}

static int faulty_write(sqlite3_file *f, const void *data, int count, sqlite3_int64 offset) {
    int result = next_change(SQLITE_FULL);
    if (result != SQLITE_OK)
        return result;
    if (dies_now()) {
        real_file(f)->pMethods->xWrite(real_file(f), data, count / 2, offset);
        raise(SIGKILL);
    }
    ((faulty_file *)f)->unsynced++;
    disk.unsynced++;
    return real_file(f)->pMethods->xWrite(real_file(f), data, count, offset);
}

static int faulty_truncate(sqlite3_file *f, sqlite3_int64 size) {
    int result = next_change(SQLITE_OK);
    return result ? result : real_file(f)->pMethods->xTruncate(real_file(f), size);
}

/* A sync in a full-disk run succeeds: there is nothing new to sync. */
static int faulty_sync(sqlite3_file *f, int flags) {
    int result = next_change(SQLITE_OK);
    if (result != SQLITE_OK)
        return result;
    if (dies_now())
        raise(SIGKILL);
    disk.unsynced -= ((faulty_file *)f)->unsynced;
    ((faulty_file *)f)->unsynced = 0;
    return real_file(f)->pMethods->xSync(real_file(f), flags);
}

static int faulty_size(sqlite3_file *f, sqlite3_int64 *size) {
    return real_file(f)->pMethods->xFileSize(real_file(f), size);
}

static int faulty_lock(sqlite3_file *f, int level) {
    return real_file(f)->pMethods->xLock(real_file(f), level);
}

static int faulty_unlock(sqlite3_file *f, int level) {
    return real_file(f)->pMethods->xUnlock(real_file(f), level);
}

static int faulty_check_lock(sqlite3_file *f, int *locked) {
    return real_file(f)->pMethods->xCheckReservedLock(real_file(f), locked);
}

static int faulty_control(sqlite3_file *f, int operation, void *argument) {
    return real_file(f)->pMethods->xFileControl(real_file(f), operation, argument);
}

static int faulty_sector(sqlite3_file *f) {
    return real_file(f)->pMethods->xSectorSize(real_file(f));
}

static int faulty_device(sqlite3_file *f) {
    return real_file(f)->pMethods->xDeviceCharacteristics(real_file(f));
}

static int faulty_shm_map(sqlite3_file *f, int page, int size, int extend, void volatile **memory) {
    return real_file(f)->pMethods->xShmMap(real_file(f), page, size, extend, memory);
}

static int faulty_shm_lock(sqlite3_file *f, int offset, int n, int flags) {
    return real_file(f)->pMethods->xShmLock(real_file(f), offset, n, flags);
}

static void faulty_shm_barrier(sqlite3_file *f) {
    real_file(f)->pMethods->xShmBarrier(real_file(f));
}

static int faulty_shm_unmap(sqlite3_file *f, int erase) {
    return real_file(f)->pMethods->xShmUnmap(real_file(f), erase);
}

static int faulty_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *f, int flags,
                       int *out_flags) {
    static const sqlite3_io_methods methods = {
        2,
        faulty_close,
        faulty_read,
        faulty_write,
        faulty_truncate,
        faulty_sync,
        faulty_size,
        faulty_lock,
        faulty_unlock,
        faulty_check_lock,
        faulty_control,
        faulty_sector,
        faulty_device,
        faulty_shm_map,
        faulty_shm_lock,
        faulty_shm_barrier,
        faulty_shm_unmap,
        NULL,
        NULL,
    };
    (void)vfs;
    faulty_file *file = (faulty_file *)f;
    memset(file, 0, sizeof *file);
    file->real = (sqlite3_file *)(file + 1);
    int result = disk.real->xOpen(disk.real, name, file->real, flags, out_flags);
    file->base.pMethods = file->real->pMethods ? &methods : NULL;
    return result;
}

static int faulty_delete(sqlite3_vfs *vfs, const char *name, int sync_folder) {
    (void)vfs;
    int result = next_change(SQLITE_OK);
    if (result != SQLITE_OK)
        return result;
    if (dies_now())
        raise(SIGKILL);
    return disk.real->xDelete(disk.real, name, sync_folder);
}

/* From now on all databases that this process opens are on the faulty disk. */
static inline void use_faulty_disk(fault kind, int at) {
    if (!disk.real) {
        disk.real = sqlite3_vfs_find(NULL);
        disk.layer = *disk.real;
        disk.layer.zName = "faulty";
        disk.layer.pNext = NULL;
        disk.layer.szOsFile += (int)sizeof(faulty_file);
        disk.layer.xOpen = faulty_open;
        disk.layer.xDelete = faulty_delete;
    }
    sqlite3_vfs_register(&disk.layer, 1);
    disk.fault = kind;
    disk.at = at;
    disk.changes = 0;
}

/* The disk is sound again, also for databases that are open. */
static inline void repair_disk(void) {
    disk.fault = FAULT_NONE;
}

static inline void use_real_disk(void) {
    sqlite3_vfs_unregister(&disk.layer);
    sqlite3_vfs_register(disk.real, 1);
}

#endif
