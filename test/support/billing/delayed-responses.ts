/** A response that is computed immediately and delivered when it is released. */
export interface DelayedResponse {
  /** Resolves when the request has arrived. */
  reached: Promise<void>;
  release: () => void;
}

interface Hold {
  path: RegExp;
  reached: () => void;
  released: Promise<void>;
}

/** Delays responses, so that a test controls what happens before they arrive. */
export class DelayedResponses {
  private readonly holds: Hold[] = [];

  /** Delays the response of the next request with a matching path. */
  next(path: RegExp): DelayedResponse {
    let reach = () => {};
    let release = () => {};
    const reached = new Promise<void>((resolve) => (reach = resolve));
    const released = new Promise<void>((resolve) => (release = resolve));
    this.holds.push({ path, reached: () => reach(), released });
    return { reached, release: () => release() };
  }

  async pass(path: string): Promise<void> {
    const at = this.holds.findIndex((hold) => hold.path.test(path));
    const [hold] = at < 0 ? [] : this.holds.splice(at, 1);
    hold?.reached();
    await hold?.released;
  }
}
