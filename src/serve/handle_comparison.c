/* Comparisons that `besd compare --out` has left in the served folder: their list, and what each
 * says, as its summary.json has it. Nothing is computed here. */
#include "core/error.h"
#include "core/json.h"
#include "serve/route.h"
#include "serve/service.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* A summary with more bytes than this is none of ours. */
enum { LONGEST_SUMMARY = 64 << 20, LONGEST_PATH = SERVED_LONGEST_PATH + CALL_NAME_SIZE + 16 };

/* False where files are served and no folder. */
static bool find_summary(const studies *s, const char *name, char path[LONGEST_PATH],
                         struct stat *info) {
    if (!*s->folder || !route_is_name(name))
        return false;
    return snprintf(path, LONGEST_PATH, "%s/%s/summary.json", s->folder, name) < LONGEST_PATH &&
           stat(path, info) == 0 && S_ISREG(info->st_mode) && info->st_size <= LONGEST_SUMMARY;
}

static int by_name(const struct dirent **a, const struct dirent **b) {
    return strcmp((*a)->d_name, (*b)->d_name);
}

void handle_comparisons(call *c, reply *r) {
    const studies *s = &c->service->studies;
    struct dirent **entries = NULL;
    int count = *s->folder ? scandir(s->folder, &entries, NULL, by_name) : 0;
    json_t *list = json_array();
    for (int i = 0; i < count; i++) {
        char path[LONGEST_PATH];
        struct stat info;
        if (find_summary(s, entries[i]->d_name, path, &info))
            json_add(&list, json_pack("{s:s, s:I}", "name", entries[i]->d_name, "at",
                                      (json_int_t)info.st_mtime));
        free(entries[i]);
    }
    free(entries);
    reply_json(r, 200, json_pack("{s:o}", "comparisons", list));
}

/* The text of a file; NULL: it cannot be read. */
static char *read_whole(const char *path, size_t size) {
    FILE *in = fopen(path, "r");
    char *text = in ? malloc(size + 1) : NULL;
    bool read = text && fread(text, 1, size, in) == size;
    if (in)
        fclose(in);
    if (read)
        return text;
    free(text);
    return NULL;
}

void handle_comparison(call *c, reply *r) {
    char path[LONGEST_PATH];
    struct stat info;
    json_error_t fault;
    if (!find_summary(&c->service->studies, c->name, path, &info)) {
        reply_refuse(r, 404, "unknown", "there is no comparison '%s'", c->name);
        return;
    }
    char *text = read_whole(path, (size_t)info.st_size);
    json_t *object = text ? json_read(text, (size_t)info.st_size, 0, &fault) : NULL;
    free(text);
    if (json_is_object(object)) {
        reply_json(r, 200, object);
        return;
    }
    json_decref(object);
    reply_refuse(r, 500, "io", "the summary.json of '%s' cannot be read as JSON", c->name);
}
