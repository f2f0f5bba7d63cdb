import { describe, expect, it } from '@jest/globals';
import { Ambient } from './ambient.js';

/** Resolves when it is let go. */
function aGate() {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open, opened };
}

describe('an ambient value', () => {
  it('is there across every wait of its work, and nowhere else', async () => {
    const ambient = new Ambient<string>();
    const [one, other] = [aGate(), aGate()];
    const seenIn = (value: string, gate: Promise<void>) =>
      ambient.during(value, async () => {
        await gate;
        return ambient.get();
      });
    const seen = [seenIn('one', one.opened), seenIn('other', other.opened)];
    expect(ambient.get()).toBeUndefined();
    one.open();
    expect(await seen[0]).toBe('one');
    // The end of one work takes nothing from the other.
    other.open();
    expect(await seen[1]).toBe('other');
    expect(ambient.get()).toBeUndefined();
  });

  it('is there again for work that begins after all work had ended', async () => {
    const ambient = new Ambient<string>();
    await ambient.during('first', async () => undefined);
    const gate = aGate();
    const seen = ambient.during('second', async () => {
      await gate.opened;
      return ambient.get();
    });
    gate.open();
    expect(await seen).toBe('second');
  });

  it('ends with work that fails', async () => {
    const ambient = new Ambient<string>();
    const failed = ambient.during('value', () => Promise.reject(new Error('no')));
    await expect(failed).rejects.toThrow('no');
    expect(ambient.get()).toBeUndefined();
  });
});
