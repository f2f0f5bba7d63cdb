import { setMaxListeners } from 'node:events';

interface Flight<T> {
  landing: Promise<T>;
  callers: number;
  cancel: AbortController;
}

/**
 * One flight per question: whoever asks what is being asked already waits for
 * the same answer. A caller that gives up leaves the others their flight; when
 * the last one leaves, the flight is cancelled.
 */
export class DnsFlights<T> {
  private readonly inTheAir = new Map<string, Flight<T>>();

  /**
   * @param start asks; must not reject, and settles soon after its signal aborts.
   * @returns null when `signal` aborts before the answer is there.
   */
  async join(
    key: string,
    start: (signal: AbortSignal) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T | null> {
    if (signal.aborted) return null;
    const flight = this.inTheAir.get(key) ?? this.takeOff(key, start);
    flight.callers += 1;
    const answer = await beforeAbort(flight.landing, signal);
    flight.callers -= 1;
    if (answer === null && flight.callers === 0) this.abandon(key, flight);
    return answer;
  }

  private takeOff(key: string, start: (signal: AbortSignal) => Promise<T>): Flight<T> {
    const cancel = new AbortController();
    const flight = { landing: start(cancel.signal), callers: 0, cancel };
    this.inTheAir.set(key, flight);
    void flight.landing.then(() => this.forget(key, flight));
    return flight;
  }

  private abandon(key: string, flight: Flight<T>): void {
    this.forget(key, flight);
    flight.cancel.abort();
  }

  private forget(key: string, flight: Flight<T>): void {
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
