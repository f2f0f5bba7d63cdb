import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  createEngine,
  type EngineOptions,
  type VerificationEngine,
  type Verdict,
} from '../../../src/engine/library/create-engine.js';
import { MailWorld } from '../../support/mail/mail-world.js';

describe('createEngine', () => {
  let world: MailWorld;
  let options: EngineOptions;
  let engine: VerificationEngine;
  beforeAll(async () => {
    world = await MailWorld.start();
    options = {
      dnsServers: [world.dns.server],
      dnsTimeoutMs: 2_500,
      smtpPort: world.smtp.port,
      smtpHeloName: 'library.mailworld',
      smtpConnectTimeoutMs: 3_000,
      smtpCommandTimeoutMs: 3_000,
      mxAllowCidrs: ['127.0.0.0/8'],
    };
    // Another place to verify from, and none at all.
    process.env.SMTP_HELO_NAME = 'environment.mailworld';
    process.env.SMTP_ENABLED = 'false';
    engine = createEngine(options);
  });
  afterAll(async () => {
    delete process.env.SMTP_HELO_NAME;
    delete process.env.SMTP_ENABLED;
    await engine.close();
    await world.stop();
  });

  async function all(verdicts: AsyncIterable<Verdict>): Promise<Verdict[]> {
    const found: Verdict[] = [];
    for await (const verdict of verdicts) found.push(verdict);
    return found;
  }

  it('has no verdict in a time that no server could keep, and starts no timer in the past', async () => {
    const warnings: Error[] = [];
    const note = (warning: Error) => warnings.push(warning);
    process.on('warning', note);
    expect(await engine.verify('jane@plain.mailworld', { timeoutMs: 1 })).toMatchObject({
      status: 'unknown',
    });
    // Warnings are emitted on the next tick.
    await new Promise(setImmediate);
    process.off('warning', note);
    expect(warnings).toEqual([]);
  });

  it('verifies with its options, and does not read the environment', async () => {
    expect(await engine.verify('jane@plain.mailworld')).toMatchObject({
      email: 'jane@plain.mailworld',
      status: 'deliverable',
      reason: 'accepted_email',
    });
    expect(await engine.verify('ghost@plain.mailworld', { timeoutMs: 5_000 })).toMatchObject({
      reason: 'mailbox_not_found',
    });
    expect(new Set(world.server('plain.mailworld').commandsOf('EHLO'))).toEqual(
      new Set(['EHLO library.mailworld']),
    );
    expect((await engine.verify('jane@mailinator.com')).reason).toBe('disposable');
    expect((await engine.verify('J.ane+news@googlemail.com')).canonicalEmail).toBe('jane@gmail.com');
  });

  it('gives every address of the mail world the verdict that the service gives', async () => {
    const expected = new Map(world.expectations.map(({ email, reason }) => [email, reason]));
    async function* emails() {
      yield* expected.keys();
    }
    const verdicts = await all(engine.verifyMany(emails(), { concurrency: 200, timeoutMs: 15_000 }));
    expect(Object.fromEntries(verdicts.map(({ email, reason }) => [email, reason]))).toEqual(
      Object.fromEntries(expected),
    );
  });

  it('explains a reply', () => {
    expect(engine.explain('550 5.1.1 User unknown')).toMatchObject({ category: 'mailbox_not_found' });
    expect(engine.explain('554 5.7.1 blocked', { stage: 'banner' })).toMatchObject({
      category: 'sender_blocked',
    });
    expect(engine.explain('User unknown')).toBeNull();
  });

  it('rejects with the reason of a signal', async () => {
    const reason = new Error('enough');
    await expect(engine.verify('jane@plain.mailworld', { signal: AbortSignal.abort(reason) })).rejects.toBe(
      reason,
    );
    const caller = new AbortController();
    const tarpit = engine.verify('jane@silent.mailworld', { signal: caller.signal });
    caller.abort(reason);
    await expect(tarpit).rejects.toBe(reason);
    await expect(all(engine.verifyMany(['a@plain.mailworld'], { signal: caller.signal }))).rejects.toBe(
      reason,
    );
  });

  it('does nothing when the signal has aborted: no query, no connection, and the list is not read', async () => {
    const other = createEngine(options);
    const signal = AbortSignal.abort(new Error('too late'));
    const seen = () => [world.dns.questions.length, world.server('plain.mailworld').commands.length];
    const before = seen();
    let read = 0;
    const list = (function* () {
      for (;;) yield `${(read += 1)}@plain.mailworld`;
    })();
    await expect(other.verify('jane@plain.mailworld', { signal })).rejects.toThrow('too late');
    await expect(all(other.verifyMany(list, { signal }))).rejects.toThrow('too late');
    expect([read, seen()]).toEqual([0, before]);
    await other.close();
  });

  it('ends a list at the signal although its source never gives another address', async () => {
    const caller = new AbortController();
    const list = (async function* () {
      yield 'jane@plain.mailworld';
      await new Promise(() => undefined);
    })();
    const verdicts = engine.verifyMany(list, { signal: caller.signal });
    expect((await verdicts.next()).value).toMatchObject({ status: 'deliverable' });
    const next = verdicts.next();
    caller.abort(new Error('enough'));
    await expect(next).rejects.toThrow('enough');
    expect(await verdicts.next()).toEqual({ value: undefined, done: true });
  });

  it.each<[string, (wrong: never) => Promise<unknown>, unknown, string]>([
    ['verify', (it) => engine.verify(it), undefined, 'verify takes an address as text, not undefined'],
    ['verify', (it) => engine.verify(it), 5, 'verify takes an address as text, not a value of type number'],
    [
      'verify',
      (it) => engine.verify('a@b.test', it),
      { timeoutMs: '1' },
      'verify: timeoutMs must be a number',
    ],
    [
      'verify',
      (it) => engine.verify('a@b.test', it),
      { timeoutMs: NaN },
      'verify: timeoutMs must be a number',
    ],
    ['verify', (it) => engine.verify('a@b.test', it), { timeoutMs: 3e9 }, 'above 0 and at most 2147483647'],
    [
      'verify',
      (it) => engine.verify('a@b.test', it),
      { signal: {} },
      'verify: signal must be an AbortSignal',
    ],
    ['verifyMany', (it) => all(engine.verifyMany(it)), 'a@b.test', 'takes an array or another iterable'],
    ['verifyMany', (it) => all(engine.verifyMany(it)), null, 'iterable of addresses, not null'],
    [
      'verifyMany',
      (it) => all(engine.verifyMany(it)),
      [null],
      'verifyMany takes each address as text, not null',
    ],
    ['verifyMany', (it) => all(engine.verifyMany([], it)), { concurrency: 0 }, 'concurrency must be a whole'],
    ['explain', (it) => Promise.resolve().then(() => engine.explain(it)), undefined, 'takes a reply as text'],
    [
      'explain',
      (it) => Promise.resolve().then(() => engine.explain('550 a', it)),
      { stage: 'x' },
      'stage must be',
    ],
  ])('rejects a wrong argument of %s with a sentence (%#)', async (_, call, wrong, sentence) => {
    const error = await call(wrong as never).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(TypeError);
    expect((error as Error).message).toContain(sentence);
  });

  it('shares nothing with another engine, and rejects calls after it is closed', async () => {
    const other = createEngine({ ...options, smtpEnabled: false });
    expect((await other.verify('jane@plain.mailworld')).reason).toBe('smtp_disabled');
    const running = engine.verify('jane@plain.mailworld');
    const late = other.verify('jane@secondary.mailworld');
    await other.close();
    await expect(late).rejects.toThrow('The engine is closed');
    await expect(other.verify('jane@plain.mailworld')).rejects.toThrow('The engine is closed');
    await expect(all(other.verifyMany(['jane@plain.mailworld']))).rejects.toThrow('The engine is closed');
    expect(() => other.explain('550 no')).toThrow('The engine is closed');
    expect((await running).reason).toBe('accepted_email');
  });

  it.each<[object, string]>([
    [{ smtpPort: 0 }, 'smtpPort must be between 1 and 65535'],
    [{ mxAllowCidrs: ['10.0.0.0'] }, 'mxAllowCidrs must be networks'],
    [{ smtpEgress: ['tor'] }, 'smtpEgress must have as item 1'],
    [{ smtpEgress: ['direct'], smtpProxyUrl: 'socks5://a:1' }, 'smtpEgress and smtpProxyUrl exclude'],
    [{ databaseUrl: 'postgres://' }, 'createEngine has no option databaseUrl'],
    [null as unknown as object, 'createEngine takes an object of options'],
    ['dns' as unknown as object, 'createEngine takes an object of options'],
  ])('rejects %j', (wrong, message) => {
    expect(() => createEngine(wrong)).toThrow(message);
    expect(() => createEngine(wrong)).toThrow(TypeError);
  });
});
