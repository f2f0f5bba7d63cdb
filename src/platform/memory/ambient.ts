import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * A value that is there wherever in the code one stands, while some work is under way.
 *
 * To carry it, Node 20 has every promise of the process watched, also those of requests that carry
 * nothing. So it is switched off while no such work is under way.
 */
export class Ambient<T> {
  private readonly storage = new AsyncLocalStorage<T>();
  private underWay = 0;

  get(): T | undefined {
    return this.storage.getStore();
  }

  async during<R>(value: T, work: () => Promise<R>): Promise<R> {
    try {
      return await this.enter(value, work);
    } finally {
      this.leave();
    }
  }

  /** For work whose end is told by an event: then `leave` is called, once. */
  enter<R>(value: T, work: () => R): R {
    this.underWay++;
    return this.storage.run(value, work);
  }

  leave(): void {
    this.underWay--;
    if (this.underWay === 0) this.storage.disable();
  }
}
