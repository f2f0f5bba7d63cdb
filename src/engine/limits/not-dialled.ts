import { CONNECTION_LIMITS, type LimitName } from './connection-limit.js';

/** All reasons why no connection to a mail server is opened: of a limit, of us, of the egress, and of the host. */
export const NOT_DIALLED = [
  ...CONNECTION_LIMITS,
  'breaker',
  'ceiling',
  'rejected',
  'unreachable',
  'no_route',
  'dns_error',
  'no_address',
  'unsafe_mail_server',
] as const;
export type NotDialled = (typeof NOT_DIALLED)[number];

const OF_LIMITS: Readonly<Record<LimitName, string>> = {
  pause: 'the mail server has rejected connections, and is not dialled for a moment',
  address: 'all sessions that one address of the provider allows are in use',
  provider: 'all sessions that the provider allows are in use',
  processes: 'the other processes have the remaining sessions of the provider',
  first_session:
    'the limit of the provider is not known: its next session begins when the one before was greeted',
  opening: 'a connection is being opened for each of them, and the mail server has not greeted yet',
  egress: 'the egress accepts no more connections',
};

const SENTENCES: Readonly<Record<NotDialled, string>> = {
  ...OF_LIMITS,
  breaker: 'the provider has refused us, and is probed again later',
  ceiling: 'the egress is new, and its probes of today are used: see EGRESS_WARMUP',
  rejected: 'the egress is rejected by many mail servers',
  unreachable: 'the egress does not work: its proxy fails, or its address is not on this machine',
  no_route: 'the mail server has no address of the family that the egress has',
  dns_error: 'the address of the mail server cannot be looked up',
  no_address: 'the mail server has no address',
  unsafe_mail_server: 'the address of the mail server may not be dialled',
};

/** Why, for the log, the administration and the doctor. */
export function sentenceOf(reason: NotDialled): string {
  return SENTENCES[reason];
}
