/**
 * What checks find, by code. Codes are part of the API. `other` is for checks of the installation that are made
 * once; the checks of an egress, which are made regularly, have a code each.
 */
export const FOUND = {
  other: '{text}',
  check_failed: 'the check itself failed: {reason}',
  offline: 'offline: this machine has no route to the Internet',
  offline_wanted: 'offline: --offline was given',
  no_name_server: 'no name server responds',
  smtp_disabled: 'SMTP_ENABLED is false: no mail server is probed',

  no_route: 'this machine has no route to the Internet',
  leaves_directly: 'connections leave directly, from {addresses}',
  address_of_machine: '{address} is an address of this machine',
  address_not_of_machine: '{address} is not an address of this machine',
  proxy_works: 'the proxy supports SOCKS5 and accepts the connection',
  proxy_fails: 'the proxy cannot be used: {reason}',

  no_server_to_dial: 'no mail server to dial: {servers}',
  source_address_fails: 'the source address does not work: {servers}',
  proxy_does_not_work: 'the proxy does not work: {servers}',
  another_server_answers: 'another server answers instead of {servers}',
  none_reached: 'none of the mail servers can be reached: {servers}',
  none_reached_from_address: 'none of the mail servers can be reached from this address: {servers}',
  none_reached_through_proxy: 'none of the mail servers can be reached through the proxy: {servers}',
  refused: 'refused by {servers}',
  some_not_reached: 'cannot be reached: {servers}',
  servers_greet: '{servers} greet us',
  servers_greet_through_proxy: '{servers} greet us through the proxy',

  no_server_greets: 'no mail server greets us',
  no_starttls: '{server} does not offer STARTTLS to us',
  starttls_refused: '{server} refuses STARTTLS for now: {reply}',
  session_encrypted: 'the session with {server} is encrypted',
  handshake_fails: 'the TLS handshake with {server} fails: {reason}',
  egress_fails: 'the egress does not work',

  public_address_unknown: 'the public address cannot be determined from here',
  behind_proxy: 'the public address cannot be determined from here: mail servers see the proxy',
  behind_gateway:
    'the public address cannot be determined from here: this machine sends from {address}, which is not a public address',
  name_is_literal: '{name} is an address',
  name_not_public: '{name} is not a public host name',
  name_not_looked_up: '{name} could not be looked up ({error})',
  name_without_address: '{name} has no address',
  name_resolves: '{name} resolves to {address}',
  name_resolves_elsewhere: '{name} resolves to {addresses} and not to {address}',

  reverse_not_looked_up: 'the reverse name of {address} could not be looked up ({error})',
  reverse_missing: '{address} has no reverse name',
  reverse_name_not_looked_up: '{name}, the reverse name of {address}, could not be looked up ({error})',
  reverse_not_back: 'the reverse name of {address} is {name}, which does not resolve back',
  reverse_is_other: 'the reverse name of {address} is {name}, and the EHLO name is {ehlo}',
  reverse_matches: 'the reverse name of {address} is {name}, which resolves back',

  domain_accepts: '{domain} accepts mail at {host}',
  domain_null_mx: '{domain} declares that it accepts no mail (RFC 7505)',
  domain_without_mx: '{domain} has an address and no MX record',
  domain_without_mail: '{domain} accepts no mail: it has no MX record and no address',

  spf_pass: '{domain} lets {address} send',
  spf_fail: 'the SPF record of {domain} does not allow {address} (fail)',
  spf_softfail: 'the SPF record of {domain} does not allow {address} (softfail)',
  spf_neutral: 'the SPF record of {domain} says nothing about {address} (neutral)',
  spf_missing: '{domain} has no SPF record',
  spf_unreadable: 'the SPF record of {domain} cannot be read',
  spf_not_looked_up: 'the SPF record of {domain} could not be looked up',
  spf_depends: 'the SPF record of {domain} has terms that depend on the message',

  not_listed: '{subject} is not on {list}',
  listed: '{subject} is on {list} ({codes})',
  list_refuses_resolver: '{list} cannot be queried through this resolver: it refuses it ({codes})',
  list_silent: '{list} did not respond ({error})',
  list_without_test: '{list} cannot be queried through this resolver: its test entry is missing',
  list_lists_all: '{list} is not usable: it answers as if every name were listed',
} as const;
