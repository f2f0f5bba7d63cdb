/** What to do about a finding, by code. They are read in the console too, so that none is about a command. */
export const REMEDIES = {
  other: '{text}',
  report: 'please report this',
  connect_machine: 'connect it, or set SMTP_EGRESS to a proxy',
  add_address:
    'add it to a network interface of this machine (in a container: of the container), or correct SMTP_EGRESS',
  correct_proxy:
    'start the proxy, or correct its address, user and password in SMTP_EGRESS or SMTP_PROXY_URL',
  see_resolver: 'the check of the resolver says why',
  see_egress: 'the check of the egress says why; then correct SMTP_EGRESS or SMTP_PROXY_URL',
  see_port_25: 'the check of port 25 says why',
  end_redirection:
    'your network redirects port 25 to another server: ask for an exception, or use SMTP_PROXY_URL',
  open_port_25:
    'ask your hosting provider to open outbound port 25 (most clouds block it; home connections always do), or set SMTP_PROXY_URL (or an item of SMTP_EGRESS) to a SOCKS5 proxy on a machine where it is open',
  read_reply: 'read its reply: usually the address is on a block list, or has no reverse name',
  try_again: 'try again; if it still fails, the provider blocks the address',
  end_inspection:
    'a firewall or proxy on the way changes SMTP (often called "SMTP inspection" or "fixup"): switch that off, or use another egress',

  set_public_address:
    'set EGRESS_IPS to the public address, that of the gateway or of the proxy (with several egresses: NAME=ADDRESS)',
  set_name_to_reverse:
    'set SMTP_HELO_NAME to the reverse name of the address: many servers refuse address literals',
  set_whole_name: 'set SMTP_HELO_NAME to a whole host name, such as verify.example.org',
  give_name_address: 'give {name} an A (or AAAA) record with the address that mail servers see',
  correct_name_address:
    'correct the address record of {name}, or set SMTP_HELO_NAME to the reverse name of {address}',
  set_reverse:
    'ask who owns the address (your hosting provider; often a field in its console) to set the reverse name of {address} to {name}',
  set_reverse_and_forward:
    'ask who owns the address (your hosting provider; often a field in its console) to set the reverse name of {address} to {name}, and make sure that this name has {address} as its address',
  use_reverse_or_set:
    'set SMTP_HELO_NAME to {reverse}, or ask who owns the address (your hosting provider; often a field in its console) to set the reverse name of {address} to {name}',

  set_sender: 'set SMTP_MAIL_FROM to an address that exists, in a domain of yours that accepts mail',
  give_mx_or_set_sender:
    'give {domain} an MX record, or set SMTP_MAIL_FROM to an address that exists, in a domain of yours that accepts mail',
  add_to_spf: 'add {term} to the SPF record of {domain}, before its "all"',
  add_spf: 'add the TXT record "v=spf1 {term} -all" to {domain}',
  correct_spf:
    'let {domain} have one SPF record, without unknown terms, that needs at most 10 look-ups (RFC 7208 §4.6)',
  include_in_spf: 'make sure that it includes {address}',

  wait_for_removal: 'look it up at {url}; the entry is removed automatically when the reports end',
  request_removal:
    'the list contains addresses that should not send mail directly: request removal at {url}, or use another address',
  remove_cause: 'look up the reason at {url}, remove the cause, and request removal there',
  own_resolver_for_list:
    'it serves no public resolvers: run one of your own and name it in DNS_SERVERS, or look {subject} up at {url}',
  look_up: 'look {subject} up at {url}',
  list_closed:
    'the list has closed, or the resolver hides it: run a resolver of your own and name it in DNS_SERVERS, or look {subject} up at {url}',
  list_broken:
    'it is out of service, or the resolver answers for names that do not exist, which the check of the resolver shows; or look {subject} up at {url}',
} as const;
