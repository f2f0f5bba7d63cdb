import { describe, expect, it } from '@jest/globals';
import { runRcpt } from '../../support/processes/run-rcpt.js';

const EX_USAGE = 64;
const REPLY = '550 5.1.1 <jane@corp.test>: User unknown';

describe('rcpt explain', () => {
  it('prints the category, the rule, the features with their weights, and the probabilities', async () => {
    const { code, out, err } = await runRcpt(['explain', REPLY, '--recipient', 'jane@corp.test'], {});
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/^category +mailbox_not_found$/m);
    expect(out).toMatch(/^about +recipient$/m);
    expect(out).toMatch(/^rule +recipient5xx\.absent$/m);
    expect(out).toMatch(/^mailbox +absent$/m);
    expect(out).toMatch(/^ +mailbox unknown( +-?\d+\.\d\d){4}$/m);
    expect(out).toMatch(/^ +probability( +[01]\.\d\d){4}$/m);
  });

  it('names the words that it cannot read', async () => {
    const text = '554 5.7.1 <jane@corp.test>: Recipient address rejected: quack moo';
    const { out } = await runRcpt(['explain', text, '--recipient', 'jane@corp.test'], {});
    expect(out).toMatch(/^mailbox +not stated$/m);
    expect(out).toMatch(/^not read +quack, moo$/m);
  });

  it('prints the same as one JSON object', async () => {
    const args = ['explain', REPLY, '--recipient', 'jane@corp.test', '--json'];
    const { code, out, err } = await runRcpt(args, {});
    expect([code, err]).toEqual([0, '']);
    const weights = { absent: expect.any(Number), none: expect.any(Number) };
    expect(JSON.parse(out)).toMatchObject({
      code: 550,
      enhanced_code: '5.1.1',
      category: 'mailbox_not_found',
      about: 'recipient',
      rule: 'recipient5xx.absent',
      mailbox_state: 'absent',
      probability: weights,
      features: expect.arrayContaining([{ feature: 'unknown', weight: expect.objectContaining(weights) }]),
    });
  });

  it('explains a reply of an earlier stage by the rules of that stage', async () => {
    const { out } = await runRcpt(['explain', '554 5.7.1 blocked', '--stage', 'banner', '--json'], {});
    expect(JSON.parse(out)).toMatchObject({ category: 'sender_blocked' });
  });

  it.each(['User unknown', '5500 x', ''])(
    'rejects a text that is no reply as a usage error: %p',
    async (text) => {
      const { code, out, err } = await runRcpt(['explain', text], {});
      expect([code, out]).toEqual([EX_USAGE, '']);
      expect(err).toMatch(/^rcpt: A reply begins with its code.*\n$/i);
    },
  );
});
