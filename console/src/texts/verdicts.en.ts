import type { Reason } from '../api/client';

/** What a reason means, and what to do. The service may be newer and have others. */
type Advice = readonly [string, string];

export const verdictsEn = {
  status: { deliverable: 'Deliverable', undeliverable: 'Undeliverable', risky: 'Risky', unknown: 'Unknown' },
  /** What each reason means, and what to do with the address. */
  reason: {
    accepted_email: ['The mail server accepts this address and rejects others.', 'Send to it.'],
    delivered: ['A mail to this address was delivered lately.', 'Send to it.'],
    catch_all: [
      'The domain accepts mail for every address, so this mailbox may not exist.',
      'Ask the person to confirm the address, or watch for bounces.',
    ],
    catch_all_unknown: [
      'The mail server accepts this address. Whether it accepts every address is not known.',
      'Send with care, or verify again later.',
    ],
    disposable: ['The domain offers disposable mailboxes.', 'Do not rely on it: it may be gone in minutes.'],
    role: ['The address belongs to a role, not a person.', 'Your team treats role addresses as risky.'],
    mailbox_full: ['The mailbox exists and is full.', 'Try to send again in some days.'],
    inconclusive_provider: [
      'This provider accepts mail for addresses that do not exist and returns it later.',
      'Ask the person to confirm the address.',
    ],
    blocked_domain: ['The domain is on the blocklist of your team.', 'Do not send to it.'],
    invalid_syntax: ['This is not a valid email address.', 'Correct it.'],
    invalid_domain: ['The domain does not exist.', 'Check the spelling after the @.'],
    no_mail_server: [
      'The domain exists but has no mail server that accepts mail for it.',
      'Do not send to it.',
    ],
    null_mx: ['The domain declares that it accepts no mail.', 'Do not send to it.'],
    mailbox_not_found: ['The mail server says that this mailbox does not exist.', 'Do not send to it.'],
    bounced: ['A mail to this address came back: there is no such mailbox.', 'Do not send to it.'],
    mailbox_disabled: ['The mail server says that this mailbox is disabled.', 'Do not send to it.'],
    smtputf8_unsupported: [
      'The address has characters that the mail server does not support.',
      'Ask for another address.',
    ],
    dns_error: [
      'The name servers of the domain failed. This says nothing about the address.',
      'Verify it again later.',
    ],
    no_connect: ['No mail server of the domain could be reached.', 'Verify it again later.'],
    timeout: ['The mail server did not answer in time.', 'Verify it again later.'],
    greylisted: ['The mail server makes unknown senders wait.', 'Verify it again in some minutes.'],
    temporary_failure: ['The mail server reported a temporary failure.', 'Verify it again later.'],
    sender_blocked: [
      'The mail server rejected this verifier, not the address.',
      'Check the reputation of the outgoing address: see System.',
    ],
    recipient_policy: [
      'The mail server refused by a policy. This does not show whether the mailbox exists.',
      'Ask the person to confirm the address.',
    ],
    smtp_protocol_error: [
      'The mail server closed the connection or sent no valid reply.',
      'Verify it again later.',
    ],
    smtp_disabled: ['This service does not ask mail servers (SMTP_ENABLED).', 'DNS alone cannot show more.'],
    unsafe_mail_server: [
      'The mail servers of the domain have only addresses that must not be contacted.',
      'Treat it as doubtful.',
    ],
    rate_limited: [
      'Too many addresses of its domain were verified with a publishable key.',
      'Verify it with a secret key.',
    ],
    internal_error: ['Something failed inside the service.', 'Verify it again.'],
  } satisfies Record<Reason, Advice> as Record<string, Advice>,
  verify: {
    title: 'Verify an address',
    address: 'Email address',
    placeholder: 'jane@example.com',
    submit: 'Verify',
    refresh: 'Ask again, without stored results',
    asking: 'Asking the mail server…',
    emptyTitle: 'Will mail to this address arrive?',
    empty: 'Type an address above. The verdict tells you, and shows how it was found.',
    tryTest: 'With a test key the address picks the result. Try one:',
    score: 'Score',
    scoreOf: (score: number) => `Score ${score} of 100; higher is safer to send to`,
    didYouMean: 'Did you mean',
    evidence: 'How this was found',
    request: 'The request, to copy',
    history: 'History',
    historyHint: 'Kept in this tab only, until you sign out or close it.',
    at: 'Verified',
    clear: 'Clear history',
    again: (email: string) => `Verify ${email} again`,
    cached: (age: string) => `From stored results, ${age} old.`,
    took: (ms: number) => `Took ${ms} ms.`,
    retryAfter: (minutes: number) => `The service asks again by itself in about ${minutes} min.`,
    age: (seconds: number) =>
      seconds < 120
        ? `${seconds} s`
        : seconds < 7200
          ? `${Math.round(seconds / 60)} min`
          : `${Math.round(seconds / 3600)} h`,
    policy: { accept: 'Accept', review: 'Review', reject: 'Reject' },
    step: {
      syntax: 'Address',
      domain: 'Domain and DNS',
      lists: 'Lists',
      smtp: 'Mail server',
      decision: 'Decision',
    },
    syntaxOk: (address: string) => `Valid. Read as ${address}.`,
    syntaxBad: 'Not a valid address.',
    notTested: 'Not tested.',
    mx: (count: number) => (count === 1 ? '1 mail server' : `${count} mail servers`),
    noMx: 'No mail server found.',
    nullMx: 'The domain says that it accepts no mail (null MX).',
    implicitMx: 'The domain has no MX record; its own address receives mail.',
    provider: (name: string) => `Provider: ${name}`,
    preference: 'preference',
    noLists: 'On no list.',
    onList: (list: string, pattern: string, source: string) =>
      `On the list “${list}” as ${pattern} (${source}).`,
    traits: {
      disposable: 'disposable',
      privacy_relay: 'privacy relay',
      role: 'role address',
      free: 'free provider',
      subaddress: 'has a subaddress',
      no_reply: 'no-reply address',
      catch_all: 'domain accepts every address',
      mailbox_full: 'mailbox full',
      disabled: 'mailbox disabled',
      smtputf8: 'supports non-ASCII addresses',
    } as Record<string, string>,
    stage: {
      connect: 'Connect',
      banner: 'Greeting',
      ehlo: 'EHLO',
      starttls: 'STARTTLS',
      mail: 'MAIL FROM',
      rcpt: 'RCPT TO',
    },
    dialogue: 'The SMTP dialogue',
    speaker: { connection: 'Connection to', client: 'Sent', server: 'Answer' },
    through: (egress: string) => `Sent through the egress “${egress}”.`,
    connectedTo: (host: string) => `Connected to ${host}.`,
    breakerOpen: 'Not contacted: a circuit breaker is open.',
    withTls: 'The connection is encrypted (STARTTLS).',
    reached: 'passed',
    stopped: 'the answer came here',
    serverSaid: 'The server answered',
    attempts: (count: number) => (count === 1 ? '1 connection' : `${count} connections`),
    readAs: (category: string, rule: string | null) =>
      `Read as “${category}”${rule === null ? '' : `, rule ${rule}`}.`,
    rule: (rule: string) => `Rule: ${rule}`,
  },
};
