/* Handles of the studies: a handle belongs to one thread at a time, and opening one takes longer
 * than using it. So each study keeps one for its writer, one for its asker, whose model it
 * remembers, and a few for readers. */
#ifndef BESD_SERVE_HANDLES_H
#define BESD_SERVE_HANDLES_H

#include "serve/studies.h"

typedef enum handle_use { HANDLE_READ, HANDLE_WRITE, HANDLE_ASK } handle_use;

/* Takes a kept handle or opens one; *fresh says which. */
besd_status handle_borrow(served *one, handle_use use, besd_study **study, bool *fresh,
                          besd_error *error);

/* Gives it back. After BESD_IO no handle is worth keeping: the file may have been replaced. */
void handle_return(served *one, handle_use use, besd_study *study, besd_status status);

void handles_close(served *one);

#endif
