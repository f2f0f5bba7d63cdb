import type { Reason } from '../../../kernel/verdict.js';

/** Every reason in a sentence, for people. */
export const EXPLANATIONS: Readonly<Record<Reason, string>> = {
  accepted_email: 'The mail server takes mail for this address, and not for just any address.',
  catch_all: 'The domain takes mail for any address, so this one may not exist.',
  catch_all_unknown:
    'The mail server takes mail for this address, but would not tell whether it does for any.',
  disposable: 'The domain belongs to a provider of throw-away mailboxes.',
  role: 'The address works and names a function, not a person; the team counts that as risky.',
  mailbox_full: 'The mailbox exists and has no room.',
  inconclusive_provider: 'This provider takes mail for addresses that do not exist, and bounces it later.',
  blocked_domain: 'The domain is on the team’s blocklist.',
  invalid_syntax: 'This is no address that mail could be sent to.',
  invalid_domain: 'The domain does not exist, or is a name that no public mail server can have.',
  no_mail_server: 'The domain exists and has no mail server.',
  null_mx: 'The domain says that it takes no mail.',
  mailbox_not_found: 'The mail server says that there is no such mailbox.',
  mailbox_disabled: 'The mail server says that the mailbox is closed.',
  smtputf8_unsupported: 'The address has non-ASCII characters and its mail server takes none.',
  dns_error: 'The name servers failed or kept silent; this says nothing about the address.',
  no_connect: 'No mail server of the domain could be reached on port 25 from here.',
  timeout: 'The time was up before the mail server had answered.',
  greylisted: 'The mail server puts strangers off for some minutes; it is worth asking again.',
  temporary_failure: 'The mail server has a passing problem.',
  sender_blocked: 'The mail server refuses us, not the address.',
  recipient_policy: 'The mail server refuses by a policy that does not tell whether the mailbox exists.',
  smtp_protocol_error: 'The mail server broke off, or what it said is no SMTP.',
  smtp_disabled: 'Mail servers are not asked here (SMTP_ENABLED); DNS alone cannot tell.',
  unsafe_mail_server: 'The domain’s mail servers have only addresses that must not be dialled.',
  internal_error: 'Something failed on our side.',
};
