import { beforeEach, describe, expect, it } from '@jest/globals';
import { BreakerScene } from '../../../test/support/verification/breaker-scene.js';
import { atMicrosoft, REJECTIONS } from '../../../test/support/verification/rejections.js';
import { MINUTE_MS } from '../../kernel/durations.js';

describe('a provider', () => {
  let scene: BreakerScene;
  let domains: number;
  beforeEach(() => {
    scene = new BreakerScene('mx1.corp.test');
    domains = 0;
  });
  const rejectAt = (team: string, count: number, text = REJECTIONS.sender) => {
    for (let n = 0; n < count; n += 1) {
      const domain = `rejecting${(domains += 1)}.test`;
      scene.reject(team, domain, { mx: atMicrosoft(domain), text });
    }
  };
  const mayAskMicrosoft = (team: string) => scene.mayAsk(team, 'victim.test', atMicrosoft('victim.test'));

  it('is left alone by a team that it has rejected at six domains in a row, and by no other', () => {
    rejectAt('a', 5);
    expect(mayAskMicrosoft('a')).toBe(true);
    rejectAt('a', 1);
    expect([mayAskMicrosoft('a'), mayAskMicrosoft('b')]).toEqual([false, true]);
  });

  it('is not blocked while one in six is answered', () => {
    for (let n = 0; n < 20; n += 1) {
      rejectAt('a', 5);
      scene.answer('a', 'good.test', atMicrosoft('good.test'));
    }
    expect(mayAskMicrosoft('a')).toBe(true);
  });

  it('that is not in the table is known by the domain of its servers', () => {
    for (let n = 0; n < 6; n += 1) {
      expect(scene.mayAsk('a', 'victim.test', 'mx9.hoster.test')).toBe(true);
      scene.reject('a', `customer${n}.test`, { mx: `mx${n}.hoster.test` });
    }
    expect([
      scene.mayAsk('a', 'victim.test', 'mx9.hoster.test'),
      scene.mayAsk('a', 'victim.test', 'mx9.other.test'),
    ]).toEqual([false, true]);
  });

  it('is left alone too when it rejects before RCPT, at a host of each domain, and does not say why', () => {
    for (let n = 0; n < 6; n += 1)
      scene.reject('a', `d${n}.test`, {
        mx: atMicrosoft(`d${n}.test`),
        text: 'Access denied',
        stage: 'ehlo',
      });
    expect(mayAskMicrosoft('a')).toBe(false);
  });

  it('is blocked for a team rejected at two domains, when two others were rejected at four more', () => {
    rejectAt('a', 2);
    rejectAt('b', 2);
    rejectAt('c', 1);
    expect(mayAskMicrosoft('c')).toBe(true);
    rejectAt('c', 1);
    expect([mayAskMicrosoft('c'), mayAskMicrosoft('a')]).toEqual([false, true]);
    rejectAt('a', 1);
    expect(mayAskMicrosoft('a')).toBe(false);
  });

  it('is not blocked for a team without rejections, though a thousand accounts have some', () => {
    for (let n = 0; n < 1_000; n += 1) rejectAt(`stranger ${n}`, 3);
    expect(mayAskMicrosoft('a')).toBe(true);
  });

  it('is not blocked by subdomains of one domain', () => {
    for (const team of ['a', 'b', 'c'])
      for (let n = 0; n < 10; n += 1) {
        const domain = `d${n}.stranger.test`;
        scene.reject(team, domain, { mx: atMicrosoft(domain) });
      }
    expect(mayAskMicrosoft('c')).toBe(true);
  });

  it('is not blocked while 20 % of the teams or more are answered', () => {
    const answered = () => scene.answer('d', 'good.test', atMicrosoft('good.test'));
    answered();
    for (const team of ['a', 'b', 'c']) rejectAt(team, 3);
    expect(mayAskMicrosoft('c')).toBe(true);
    rejectAt('e', 3);
    expect(mayAskMicrosoft('e')).toBe(false);
    answered();
    expect(mayAskMicrosoft('e')).toBe(false);
    scene.answer('g', 'good.test', atMicrosoft('good.test'));
    rejectAt('f', 2);
    expect(mayAskMicrosoft('f')).toBe(true);
  });

  it.each(['team', 'recipient', 'nobody'] as const)('is not closed by rejections of %s', (whom) => {
    for (const team of ['a', 'b', 'c', 'd', 'e']) rejectAt(team, 10, REJECTIONS[whom]);
    expect(['a', 'b', 'c', 'd', 'e'].map(mayAskMicrosoft)).toEqual([true, true, true, true, true]);
  });

  it('has a half-open probe after the pause, and is blocked twice as long after its rejection', () => {
    rejectAt('a', 6);
    expect(mayAskMicrosoft('a')).toBe(false);
    scene.nowMs += 5 * MINUTE_MS;
    expect([mayAskMicrosoft('a'), mayAskMicrosoft('a')]).toEqual([true, false]);
    rejectAt('a', 1);
    scene.nowMs += 10 * MINUTE_MS - 1;
    expect(mayAskMicrosoft('a')).toBe(false);
    scene.nowMs += 1;
    expect(mayAskMicrosoft('a')).toBe(true);
  });

  it('costs ten teams of five addresses 22 rejections when it rejects all', () => {
    let rejections = 0;
    for (let n = 0; n < 5; n += 1)
      for (let team = 0; team < 10; team += 1) {
        if (!mayAskMicrosoft(`team ${team}`)) continue;
        rejectAt(`team ${team}`, 1);
        rejections += 1;
      }
    expect(rejections).toBe(22);
  });
});
