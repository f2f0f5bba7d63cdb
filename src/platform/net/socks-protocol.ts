/** Values of SOCKS version 5 (RFC 1928) and its username/password authentication (RFC 1929). */
export const VERSION = 5;
export const AUTHENTICATION_VERSION = 1;

export const NO_AUTHENTICATION = 0;
export const USERNAME_AND_PASSWORD = 2;
export const NOTHING_ACCEPTABLE = 0xff;

export const CONNECT = 1;

export const IPV4 = 1;
export const NAME = 3;
export const IPV6 = 4;

/** Reply codes (RFC 1928 §6). */
export const SUCCEEDED = 0;
export const NOT_ALLOWED = 2;
export const HOST_UNREACHABLE = 4;
export const COMMAND_NOT_SUPPORTED = 7;
export const ADDRESS_TYPE_NOT_SUPPORTED = 8;
