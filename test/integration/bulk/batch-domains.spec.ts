import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { VerifyChunkService } from '../../../src/modules/verification/verification/lists/verify-chunk.service.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { plain } from '../../support/mail/mail-scene.js';
import { MailWorld } from '../../support/mail/mail-world.js';
import { greetingWith, SILENCE } from '../../support/smtp/smtp-behaviours.js';

const scenes = [
  {
    domain: 'silent.mailworld',
    story: 'it never sends a greeting',
    servers: [greetingWith(SILENCE)],
    expect: {},
  },
  { domain: 'quick.mailworld', story: 'it replies at once', servers: [plain], expect: {} },
];
/** More addresses of the first domain than a batch verifies at a time. */
const SORTED = [
  ...Array.from({ length: 150 }, (_, n) => `person${n}@silent.mailworld`),
  'jane@quick.mailworld',
];

describe('a batch that is sorted by domain', () => {
  let world: MailWorld;
  let app: TestApp;
  beforeAll(async () => {
    world = await MailWorld.start({ scenes });
    app = await anApp(world.env);
  });
  afterAll(async () => {
    await app.stop();
    await world.stop();
  });

  it('connects to the servers of all its domains, although the first one does not reply', async () => {
    const { team } = await app.anAccount();
    const stop = new AbortController();
    const caller = {
      teamId: team.id,
      tier: 'unlimited',
      mode: 'live',
      rules: { roleIsRisky: false, retentionDays: 7 },
    } as const;
    const batches = app.service.app.get(VerifyChunkService);
    const results = batches.verify(caller, SORTED, { maxAge: null, signal: stop.signal });
    const first = await results.next();
    stop.abort();
    expect(first.value).toMatchObject([
      { index: 150, verdict: { email: 'jane@quick.mailworld', status: 'deliverable' } },
    ]);
  });
});
