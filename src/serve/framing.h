/* Is it plain where a request begins and ends? A proxy in front of besd and besd itself must agree
 * on that, or the rest of one client's request becomes the beginning of another's. libmicrohttpd
 * forgives much (single line feeds, blanks before a colon, two lengths); this forgives nothing:
 *
 *   400  a line that does not end with CR LF, a header that is folded over two lines, a name with
 *        other letters than those of a token, a control character in a value
 *   400  HTTP/1.1 without Host, two Hosts, two Content-Lengths
 *   411  Transfer-Encoding: bodies come with their length */
#ifndef BESD_SERVE_FRAMING_H
#define BESD_SERVE_FRAMING_H

#include "serve/request.h"

#include <microhttpd.h>

/* False: refused, and the connection has to be closed after the answer. */
bool framing_check(struct MHD_Connection *connection, const char *method, const char *version,
                   reply *r);

#endif
