/* Seconds that pass, whatever happens to the date. */
#ifndef BESD_CORE_CLOCK_H
#define BESD_CORE_CLOCK_H

double clock_seconds(void);

#endif
