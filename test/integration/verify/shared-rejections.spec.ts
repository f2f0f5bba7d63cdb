import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ServerLimits } from '../../../src/engine/smtp/pool/server-limits.js';
import { StoredSharedState } from '../../../src/engine/limits/adapters/stored-shared-state.js';
import { AdjustableClock } from '../../support/time/adjustable-clock.js';
import { SharedDatabase } from '../../support/smtp/shared-database.js';
import { catchAll, HANG_UP, type SmtpBehaviour } from '../../support/smtp/smtp-behaviours.js';
import { SmtpProcess } from '../../support/smtp/smtp-process.js';
import { SmtpServer } from '../../support/smtp/smtp-server.js';

const REJECTING: SmtpBehaviour = {
  ...catchAll(),
  banner: ['421 4.3.2 too many mails from 192.0.2.1', HANG_UP],
};
/** No pause is longer. */
const MAX_PAUSE_MS = 90_000;

/** A process with its own connection to the store, its own clock, and no timer for the exchange. */
interface Member {
  clock: AdjustableClock;
  sharedState: StoredSharedState;
  smtp: SmtpProcess;
}

describe('a server that rejects connections', () => {
  let stores: SharedDatabase;
  let server: SmtpServer;
  let a: Member;
  let b: Member;

  beforeEach(async () => {
    stores = new SharedDatabase();
    await stores.start();
    server = await SmtpServer.start({ behaviour: REJECTING });
    [a, b] = [await member('a'), await member('b')];
    // The clocks of processes differ.
    b.clock.advance(90_000_000);
  });
  afterEach(async () => {
    await Promise.all([a, b].map(({ smtp }) => smtp.close()));
    await server.stop();
    await stores.drop();
  });

  async function member(name: string): Promise<Member> {
    const clock = new AdjustableClock();
    const sharedState = new StoredSharedState({ store: await stores.connectState(), process: name, clock });
    return {
      clock,
      sharedState,
      smtp: new SmtpProcess({ name, port: server.port, store: null, clock, sharedState }),
    };
  }

  /** Asks again after each pause, until one is long enough to be shared. */
  async function rejectUntilShared(ask: () => Promise<unknown>): Promise<void> {
    for (;;) {
      await ask();
      if (a.sharedState.waitingCount > 0) break;
      a.clock.advance(MAX_PAUSE_MS);
    }
    await a.sharedState.exchange();
    await b.sharedState.exchange();
  }

  it('is not dialled by other processes during the pause; they answer as the one that it rejected', async () => {
    const rejected = () => a.smtp.ask('jane');
    await rejectUntilShared(rejected);
    const before = server.connections;
    const { reply, ...rest } = await rejected();
    expect(await b.smtp.ask('joe')).toEqual({
      ...rest,
      // No text is shared, of the dialogue neither.
      beginning: undefined,
      reply: { code: reply?.code, enhancedCode: reply?.enhancedCode, lines: [], text: '' },
    });
    expect(server.connections).toBe(before);
    server.behaviour = catchAll();
    b.clock.advance(MAX_PAUSE_MS);
    expect(await b.smtp.ask('joe')).toMatchObject({ category: 'accepted' });
    expect(server.connections).toBe(before + 1);
  });

  it('is dialled again at the end of the pause, without another request', async () => {
    const rejected = await a.smtp.ask('jane');
    server.behaviour = catchAll();
    const { rejections } = new ServerLimits(a.clock, a.sharedState).for('direct', server.host);
    rejections.onGreeted();
    await rejectUntilShared(async () => rejections.onRejected(rejected, false));
    const offsetMs = b.clock.monotonicMs() - a.clock.monotonicMs();
    const before = server.connections;
    b.clock.advance(rejections.pausedUntilMs - a.clock.monotonicMs() - 500);
    const asked = b.smtp.ask('joe');
    await server.until(({ connections }) => connections > before);
    const ROUNDING_MS = 10;
    expect(b.clock.monotonicMs() - offsetMs).toBeGreaterThanOrEqual(rejections.pausedUntilMs - ROUNDING_MS);
    expect(await asked).toMatchObject({ category: 'accepted' });
  });

  it('leaves no text of its reply in the store', async () => {
    await rejectUntilShared(() => a.smtp.ask('jane'));
    const dump = await stores.dumpState();
    expect(dump).toContain('rejection');
    expect(dump).not.toMatch(/too many|192\.0\.2\.1/);
  });
});
