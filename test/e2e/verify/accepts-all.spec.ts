import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { VerdictResponse } from '../../../src/modules/verification/verification/single/verification.dto.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { MailWorld } from '../../support/mail/mail-world.js';

describe('a provider that accepts every recipient, as the operator says', () => {
  let world: MailWorld;
  let app: TestApp;
  let folder: string;
  beforeAll(async () => {
    world = await MailWorld.start();
    folder = await mkdtemp(join(tmpdir(), 'rcpt-providers-'));
    const file = join(folder, 'providers.json');
    await writeFile(file, JSON.stringify({ 'people.mailworld': { accepts_all: true } }));
    app = await anApp({ ...world.env, PROVIDERS_FILE: file });
  });
  afterAll(async () => {
    await app.stop();
    await world.stop();
    await rm(folder, { recursive: true });
  });

  it('proves nothing by acceptance, for every team, also from stored facts', async () => {
    const { liveKey } = await app.anAccount();
    for (const cached of [false, true]) {
      const answer = await app.get('/v1/verify?email=person0@people.mailworld', liveKey);
      const { status, reason, ...verdict } = answer.body as VerdictResponse;
      expect([status, reason, verdict.cached]).toEqual(['risky', 'inconclusive_provider', cached]);
    }
    const ghost = await app.get('/v1/verify?email=ghost@people.mailworld', liveKey);
    expect((ghost.body as VerdictResponse).reason).toBe('mailbox_not_found');
  });
});
