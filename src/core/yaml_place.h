/* Where things stand in a YAML file, and what they are, for sentences about it. */
#ifndef BESD_CORE_YAML_PLACE_H
#define BESD_CORE_YAML_PLACE_H

#include <stdbool.h>
#include <stddef.h>

/* The line of an entry of the list that a top-level key has, from 0; where the entry is a mapping
 * and `name` is not NULL, of the one whose member `member` is `name`, after so many others that
 * are. 0: there is none. */
int yaml_line_of_entry(const char *path, const char *key, const char *member, const char *name,
                       size_t after);

/* Has the top-level key a plain value, neither a list nor a mapping? */
bool yaml_is_plain(const char *path, const char *key);

#endif
