/**
 * Options of `createEngine`: the variables of the same names in docs/installation.md, with the same
 * defaults. The environment is not read.
 */
export interface EngineOptions {
  /** Resolvers `ip[:port]`; default: those of the system. */
  dnsServers?: readonly string[];
  /** Timeout of one query, including retries; default: 5000. */
  dnsTimeoutMs?: number;
  /** `false`: no SMTP connections; default: true. */
  smtpEnabled?: boolean;
  /** Port of mail servers; default: 25. */
  smtpPort?: number;
  /** Host name in EHLO; default: the name of the host. */
  smtpHeloName?: string;
  /** Address in MAIL FROM; default: `verify@` and the EHLO name. */
  smtpMailFrom?: string;
  /** Default: 7000. */
  smtpConnectTimeoutMs?: number;
  /** Default: 15000. */
  smtpCommandTimeoutMs?: number;
  /** Concurrent connections to one mail server, for each egress; default: 4. */
  smtpMaxConnectionsPerMx?: number;
  /** A SOCKS5 proxy, `socks5://user:password@host:1080`. */
  smtpProxyUrl?: string;
  /** Ways out: `direct`, `bind:198.51.100.7`, `socks5://…`, `socks5s://…`, each with its options. */
  smtpEgress?: readonly string[];
  /** Private networks in which mail servers are allowed. */
  mxAllowCidrs?: readonly string[];
}
