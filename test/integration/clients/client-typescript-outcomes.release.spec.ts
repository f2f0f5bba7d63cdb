import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Rcpt, type Outcome } from '../../../clients/typescript/src/index.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { aComplaint } from '../../support/outcomes/delivery-reports.js';

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}

describe('outcomes of the TypeScript client', () => {
  let app: TestApp;
  let rcpt: Rcpt;
  beforeAll(async () => {
    app = await anApp();
    app.clock.standAt('2026-11-20T12:00:00Z');
    rcpt = new Rcpt({ baseUrl: app.url, apiKey: (await app.anAccount()).liveKey, maxRetries: 0 });
  });
  afterAll(() => app.stop());

  const numbered = (count: number, name: string): Outcome[] =>
    Array.from({ length: count }, (_, n) => ({ email: `${name}${n}@example.com`, outcome: 'delivered' }));

  it('are reported in several requests, whose receipts are summed', async () => {
    async function* stream() {
      yield* numbered(700, 'a');
      yield { email: 'nobody', outcome: 'bounced' } as const;
      yield* numbered(700, 'a');
    }
    expect(await rcpt.outcomes.report(stream())).toMatchObject({
      received: 1_401,
      stored: 700,
      duplicates: 700,
      ignored: [{ index: 700, code: 'invalid_email' }],
    });
    expect(await rcpt.outcomes.report([])).toEqual({ received: 0, stored: 0, duplicates: 0, ignored: [] });
  });

  it('may be one, or a message', async () => {
    expect(await rcpt.outcomes.report({ email: 'b@example.com', outcome: 'delivered' })).toMatchObject({
      stored: 1,
    });
    const message = Buffer.from(aComplaint());
    expect(await rcpt.outcomes.reportMessage(message)).toMatchObject({ stored: 1 });
    expect(await rcpt.outcomes.reportMessage(new Blob([message]))).toMatchObject({ duplicates: 1 });
    await expect(rcpt.outcomes.report(message as never)).rejects.toThrow('reportMessage takes a message');
  });

  it('are listed over several pages, and forgotten', async () => {
    const email = 'p@example.com';
    await rcpt.outcomes.report(
      numbered(101, '').map((each, n) => ({ ...each, email, message_id: `<${n}@sender.example>` })),
    );
    expect((await all(rcpt.outcomes.list(email))).map(({ kind }) => kind)).toEqual(
      Array(101).fill('delivered'),
    );
    await rcpt.outcomes.forget(email);
    expect(await all(rcpt.outcomes.list(email))).toEqual([]);
  });

  it('are compared with the verdicts', async () => {
    expect(await rcpt.accuracy()).toMatchObject({ calibration: { outcomes: 0, brier: null } });
    await expect(rcpt.accuracy({ days: 366 })).rejects.toMatchObject({ errors: [{ pointer: '/days' }] });
  });

  it('come from sources, which are added, listed and deleted', async () => {
    const source = await rcpt.outcomes.sources.add({ kind: 'brevo', secret: 'hook:secret' });
    expect(source.url).toContain('/inbound/outcomes/');
    expect(await all(rcpt.outcomes.sources.list())).toMatchObject([{ id: source.id, kind: 'brevo' }]);
    await rcpt.outcomes.sources.delete(source);
    await expect(rcpt.outcomes.sources.delete(source.id)).rejects.toMatchObject({ code: 'not_found' });
  });
});
