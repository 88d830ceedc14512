/* Seconds that pass, whatever happens to the date, and the date. */
#ifndef BESD_CORE_CLOCK_H
#define BESD_CORE_CLOCK_H

double clock_seconds(void);

/* Seconds since 1970; clocks are set back and forth. */
double clock_date(void);

#endif
