import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { ReacherClient, type ReacherOutput } from '../../support/clients/reacher-client.js';
import { isOnMachine } from '../../support/jest/machine.js';
import { MailWorld } from '../../support/mail/mail-world.js';
import { mailboxes } from '../../support/smtp/smtp-behaviours.js';

const client = await ReacherClient.install();
afterAll(() => client?.remove());

const SCENES = [
  { domain: 'plain.mailworld', story: 'replies', servers: [mailboxes('jane', 'admin')], expect: {} },
];

(isOnMachine('npm packages', client !== null) ? describe : describe.skip)(
  '@reacherhq/api, installed from npm',
  () => {
    const { checkSingle, batchQueue } = client?.api ?? ({} as ReacherClient['api']);
    let world: MailWorld;
    let app: TestApp;
    let account: NewAccount;
    let backendUrl: string;
    beforeAll(async () => {
      world = await MailWorld.start({ scenes: SCENES });
      app = await anApp(world.env);
      account = await app.anAccount();
      backendUrl = `${app.url}/v0/check_email`;
    });
    afterAll(async () => {
      await app.stop();
      await world.stop();
    });

    it('verifies an address with its URL and a key of Rcpt, by the mail server', async () => {
      const options = { apiToken: account.liveKey, backendUrl };
      const asked = { from_email: 'me@example.com', proxy: { host: 'proxy.example', port: 1080 } };
      const output = await checkSingle({ to_email: 'jane@plain.mailworld', ...asked }, options);
      expect(output).toMatchObject({
        input: 'jane@plain.mailworld',
        is_reachable: 'safe',
        mx: { accepts_mail: true, records: [expect.stringMatching(/\.$/)] },
        smtp: { can_connect_smtp: true, is_catch_all: false, is_deliverable: true },
        syntax: { domain: 'plain.mailworld', username: 'jane' },
      });
      expect(world.server('plain.mailworld').commands).toContain('RCPT TO:<jane@plain.mailworld>');
      const other = { ...options, backendUrl: `${app.url}/v1/check_email` };
      expect(await checkSingle({ to_email: 'joe@plain.mailworld' }, other)).toMatchObject({
        is_reachable: 'invalid',
        smtp: { can_connect_smtp: true, is_deliverable: false },
      });
      expect(await checkSingle({ to_email: 'admin@plain.mailworld' }, other)).toMatchObject({
        is_reachable: 'risky',
        misc: { is_role_account: true },
      });
    });

    it('takes the key in the header that self-hosted installations are called with', async () => {
      const axios = { headers: { 'x-reacher-secret': account.liveKey } };
      const output = await checkSingle({ to_email: 'jane@plain.mailworld' }, { backendUrl, axios });
      expect(output.is_reachable).toBe('safe');
    });

    it('verifies a queue of addresses', async () => {
      const found: ReacherOutput[] = [];
      const queue = batchQueue({
        ...{ apiToken: account.liveKey, backendUrl, concurrency: 5 },
        onSuccessSingle: (output) => found.push(output),
      });
      const inputs = Array.from({ length: 30 }, (_, n) => ({
        to_email: `${n % 3 === 0 ? 'jane' : `user${n}`}@plain.mailworld`,
      }));
      const drained = queue.drain();
      queue.push(inputs);
      await drained;
      expect(found.map(({ input }) => input).sort()).toEqual(inputs.map(({ to_email }) => to_email).sort());
      expect(found.filter((output) => output.is_reachable === 'safe').length).toBe(10);
    });

    it('gets errors with a status and a sentence', async () => {
      const failed = (apiToken: string, to_email = 'jane@plain.mailworld') =>
        checkSingle({ to_email }, { apiToken, backendUrl }).catch((error: unknown) => error);
      const response = (status: number, error: RegExp) => ({
        response: { status, data: { error: expect.stringMatching(error) } },
      });
      expect(await failed('rcpt_live_unknown')).toMatchObject(
        response(401, /^The key is malformed, unknown/),
      );
      expect(await failed((await app.anAccount('suspended')).liveKey)).toMatchObject(
        response(402, /suspended/),
      );
      expect(await failed(account.liveKey, '')).toMatchObject(response(400, /^\/to_email: Send one address/));
    });
  },
);
