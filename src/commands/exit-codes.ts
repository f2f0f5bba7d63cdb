/** Exit codes of sysexits.h; they do not overlap with those of `verify`. */
export const EX_USAGE = 64;
export const EX_DATAERR = 65;
export const EX_SOFTWARE = 70;
export const EX_IOERR = 74;
export const EX_TEMPFAIL = 75;
export const EX_CONFIG = 78;
