/** What can limit the connections to a mail provider. */
export const CONNECTION_LIMITS = [
  'pause',
  'address',
  'provider',
  'processes',
  'first_session',
  'egress',
] as const;
export type LimitName = (typeof CONNECTION_LIMITS)[number];

/** A limit, and how many connections more it allows now. */
export interface ConnectionLimit {
  name: LimitName;
  room: number;
}

/** Why no connection may be opened: the smallest limit, of equal ones the first; null: one may be opened. */
export function whyNot(limits: readonly ConnectionLimit[]): LimitName | null {
  const [smallest] = [...limits].sort((a, b) => a.room - b.room);
  return smallest === undefined || smallest.room > 0 ? null : smallest.name;
}

const SENTENCES: Readonly<Record<LimitName, string>> = {
  pause: 'the mail server has rejected connections, and is not dialled for a moment',
  address: 'all sessions that one address of the provider allows are in use',
  provider: 'all sessions that the provider allows are in use',
  processes: 'the other processes have the remaining sessions of the provider',
  first_session:
    'the limit of the provider is not known: its next session begins when the one before was greeted',
  egress: 'the egress accepts no more connections',
};

export function sentenceOf(limit: LimitName): string {
  return SENTENCES[limit];
}
