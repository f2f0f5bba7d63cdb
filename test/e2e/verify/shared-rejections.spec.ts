import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { VerdictResponse } from '../../../src/modules/verification/verification/single/verification.dto.js';
import { ResponseValidator } from '../../support/openapi/response-validator.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import type { MailScene } from '../../support/mail/mail-scene.js';
import { MailWorld } from '../../support/mail/mail-world.js';
import { mailboxes, recipients, type SmtpBehaviour } from '../../support/smtp/smtp-behaviours.js';

const DOMAINS = 6;
const ACCOUNTS = 4;

const scene = (name: string, server: SmtpBehaviour, host?: string): MailScene => ({
  domain: `${name}.mailworld`,
  story: name,
  servers: [server],
  ...(host === undefined ? {} : { hosts: [host] }),
  expect: {},
});
const atMicrosoft = (name: string, server: SmtpBehaviour) =>
  scene(name, server, `${name}-mailworld.mail.protection.outlook.com`);

describe('refusals of other teams', () => {
  let world: MailWorld;
  let app: TestApp;
  let answers: ResponseValidator;

  beforeAll(async () => {
    const refusing = recipients({}, '550 5.7.1 Your IP is blocked');
    const strangers = Array.from({ length: DOMAINS }, (_, n) => atMicrosoft(`rogue${n}`, refusing));
    const corp = recipients(
      { jane: '250 2.1.5 Ok', boss: '550 5.7.1 Sender blocked by recipient' },
      '550 5.1.1 no',
    );
    const scenes = [
      ...strangers,
      atMicrosoft('victim', mailboxes('jane')),
      scene('corp', corp),
      scene('listed', refusing),
    ];
    world = await MailWorld.start({ scenes });
    app = await anApp(world.env);
    answers = await ResponseValidator.published(app);
  });
  afterAll(async () => {
    await app.stop();
    await world.stop();
  });

  const verify = async (email: string, key: string): Promise<VerdictResponse> => {
    const answer = await app.get(`/v1/verify?email=${email}`, key);
    expect(answer.status).toBe(200);
    answers.expect('GET', '/v1/verify', answer);
    return answer.body as VerdictResponse;
  };

  it('at a third party’s domains at a provider do not change a team’s verdicts there, for any number of accounts', async () => {
    for (let account = 0; account < ACCOUNTS; account += 1) {
      const { liveKey } = await app.anAccount();
      for (let n = 0; n < DOMAINS; n += 1) {
        const { reason } = await verify(`jane@rogue${n}.mailworld`, liveKey);
        expect(reason).toBe('sender_blocked');
      }
    }
    const { liveKey } = await app.anAccount();
    expect(await verify('jane@victim.mailworld', liveKey)).toMatchObject({
      reason: 'accepted_email',
      dns: { provider: 'microsoft' },
    });
  });

  it('of one mailbox do not change verdicts about others', async () => {
    const stranger = await app.anAccount();
    for (let n = 0; n < 5; n += 1) await verify('boss@corp.mailworld', stranger.liveKey);
    const { liveKey } = await app.anAccount();
    expect((await verify('jane@corp.mailworld', stranger.liveKey)).reason).toBe('accepted_email');
    expect((await verify('jane@corp.mailworld', liveKey)).reason).toBe('accepted_email');
  });

  it('disclose only their category to a team that was refused too, and no host, code or text', async () => {
    const [first, second] = [await app.anAccount(), await app.anAccount()];
    for (const name of ['ann', 'ben', 'cleo']) await verify(`${name}@listed.mailworld`, first.liveKey);
    expect((await verify('dan@listed.mailworld', second.liveKey)).smtp?.text).toBe('Your IP is blocked');
    expect(await verify('eve@listed.mailworld', second.liveKey)).toMatchObject({
      reason: 'sender_blocked',
      smtp: {
        stage: null,
        code: null,
        enhanced_code: null,
        category: 'sender_blocked',
        mx_host: null,
        attempts: 0,
        tls: null,
        text: null,
      },
    });
    expect(world.server('listed.mailworld').commandsOf('RCPT TO:<eve')).toEqual([]);
  });
});
