import { setMaxListeners } from 'node:events';
import type { Requester } from '../domain/requester.js';
import { Callers } from './callers.js';

interface SharedQuery<T> {
  landing: Promise<T>;
  callers: Callers;
  cancel: AbortController;
}

/**
 * One flight per question: whoever asks what is being asked already waits for
 * the same answer, and a flight that still waits for its slot waits in the name
 * of all its callers. A caller that gives up leaves the others their flight;
 * when the last one leaves, the flight is cancelled.
 */
export class DnsQueries<T> {
  private readonly inTheAir = new Map<string, SharedQuery<T>>();

  has(key: string): boolean {
    return this.inTheAir.has(key);
  }

  /**
   * @param start asks; must not reject, and settles soon after its signal aborts.
   * @returns null when `signal` aborts before the answer is there.
   */
  async join(
    key: string,
    requester: Requester,
    start: (callers: Callers, signal: AbortSignal) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T | null> {
    if (signal.aborted) return null;
    const known = this.inTheAir.get(key);
    known?.callers.add(requester);
    const flight = known ?? this.takeOff(key, requester, start);
    const answer = await beforeAbort(flight.landing, signal);
    flight.callers.remove(requester);
    if (answer === null && flight.callers.isEmpty) this.abandon(key, flight);
    return answer;
  }

  private takeOff(
    key: string,
    requester: Requester,
    start: (callers: Callers, signal: AbortSignal) => Promise<T>,
  ): SharedQuery<T> {
    const cancel = new AbortController();
    const callers = new Callers();
    callers.add(requester);
    const flight = { landing: start(callers, cancel.signal), callers, cancel };
    this.inTheAir.set(key, flight);
    void flight.landing.then(() => this.forget(key, flight));
    return flight;
  }

  private abandon(key: string, flight: SharedQuery<T>): void {
    this.forget(key, flight);
    flight.cancel.abort();
  }

  private forget(key: string, flight: SharedQuery<T>): void {
    if (this.inTheAir.get(key) === flight) this.inTheAir.delete(key);
  }
}

function beforeAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T | null> {
  setMaxListeners(0, signal); // a bulk chunk waits for hundreds of answers under one deadline
  return new Promise((resolve) => {
    const giveUp = () => resolve(null);
    signal.addEventListener('abort', giveUp, { once: true });
    void work.then((answer) => {
      signal.removeEventListener('abort', giveUp);
      resolve(answer);
    });
  });
}
