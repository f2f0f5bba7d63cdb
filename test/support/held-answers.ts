/** An answer that is the truth of the moment it was asked for, and comes when it is let go. */
export interface HeldAnswer {
  /** It has been asked for. */
  reached: Promise<void>;
  release: () => void;
}

interface Hold {
  path: RegExp;
  reached: () => void;
  released: Promise<void>;
}

/** Holds back answers, so that a test decides what happens before they arrive. */
export class HeldAnswers {
  private readonly holds: Hold[] = [];

  /** Of the next request whose path fits. */
  next(path: RegExp): HeldAnswer {
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
