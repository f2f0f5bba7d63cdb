import { useRef } from 'react';

const POLL_MS = 3_000;
const FAST_POLL_MS = 300;
/** Most receivers answer a test within milliseconds. */
const FAST_FOR_MS = 3_000;

/** Polling is fast for some seconds after something was sent. */
export interface FastPoll {
  begin: () => void;
  isOn: () => boolean;
}

export function useFastPoll(): FastPoll {
  const until = useRef(0);
  return {
    begin: () => (until.current = Date.now() + FAST_FOR_MS),
    isOn: () => Date.now() < until.current,
  };
}

/** While a delivery is pending, or was just requested. */
export function pollOf(fast: FastPoll, rows: readonly { status: string }[]): number | false {
  if (fast.isOn()) return FAST_POLL_MS;
  return rows.some(({ status }) => status === 'pending') && POLL_MS;
}
