/** What can limit the connections to a mail provider. */
export const CONNECTION_LIMITS = [
  'pause',
  'address',
  'provider',
  'processes',
  'first_session',
  'opening',
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
