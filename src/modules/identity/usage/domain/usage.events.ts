declare module '../../../../kernel/events.js' {
  interface EventPayloads {
    /** 80 % of the day's quota is used: once per team and day. */
    'quota.warning': QuotaPayload;
    /** The day's quota is used up: once per team and day. */
    'quota.exceeded': QuotaPayload;
  }
}

/** `date`: the UTC day. */
export type QuotaPayload = { mode: 'live'; date: string; limit: number; used: number };
