import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  aRejection,
  answeredBy,
  asked,
  REJECTIONS,
  rejectedBy,
} from '../../../test/support/verification/rejections.js';
import { BreakerScene } from '../../../test/support/verification/breaker-scene.js';
import { aSilence } from '../../../test/support/verification/evidence.js';
import { MINUTE_MS } from '../../kernel/durations.js';

const MX = 'mx1.corp.test';
const OTHER_MX = 'mx2.corp.test';

let scene: BreakerScene;
beforeEach(() => {
  scene = new BreakerScene(MX);
});

describe('rejections before RCPT', () => {
  const before = { stage: 'banner', times: 3 } as const;

  it('block that host for the team after three, for every domain', () => {
    scene.reject('a', 'corp.test', { ...before, times: 2 });
    expect(scene.mayAsk('a')).toBe(true);
    scene.reject('a', 'corp.test', { ...before, times: 1 });
    expect([
      scene.mayAsk('a'),
      scene.mayAsk('a', 'other.test'),
      scene.mayAsk('a', 'other.test', OTHER_MX),
    ]).toEqual([false, false, true]);
  });

  it('do not block other hosts of the domain', () => {
    scene.reject('a', 'corp.test', before);
    expect(scene.hosts('a', 'corp.test', MX, OTHER_MX)).toEqual([OTHER_MX]);
  });

  it('do not block other teams, which then need one rejection of their own', () => {
    scene.reject('a', 'corp.test', before);
    expect(scene.mayAsk('b')).toBe(true);
    scene.reject('b', 'other.test', { ...before, times: 1 });
    expect(scene.mayAsk('b')).toBe(false);
  });

  it('count for the MX host name, wherever it points', () => {
    scene.reject('a', 'stranger.test', { ...before, mx: 'mx.stranger.test' });
    scene.reject('b', 'stranger.test', { ...before, mx: 'mx.stranger.test' });
    expect([scene.mayAsk('a'), scene.mayAsk('b')]).toEqual([true, true]);
  });

  it('do not count when another address of the same host accepted the connection', () => {
    for (const name of ['jane', 'jack', 'jill', 'john']) {
      const outcome = answeredBy(MX, [aRejection(MX, REJECTIONS.sender, 'banner')]);
      scene.breakers.record(asked('a', `${name}@corp.test`), outcome, scene.nowMs);
    }
    expect(scene.mayAsk('a')).toBe(true);
  });

  it('count once for all addresses of a host', () => {
    const one = aRejection(MX, REJECTIONS.sender, 'banner');
    scene.breakers.record(
      asked('a', 'jane@corp.test'),
      { ...rejectedBy(MX), rejections: [one, one, one] },
      scene.nowMs,
    );
    expect(scene.mayAsk('a')).toBe(true);
  });
});

describe('rejections at RCPT', () => {
  it('block that domain only, and for that team only', () => {
    scene.reject('a', 'corp.test', { times: 3 });
    expect([scene.mayAsk('a'), scene.mayAsk('a', 'other.test'), scene.mayAsk('b')]).toEqual([
      false,
      true,
      true,
    ]);
  });

  it('of one mailbox do not block its domain, however often it is probed', () => {
    for (let n = 0; n < 20; n += 1)
      scene.breakers.record(asked('a', 'jane@corp.test'), rejectedBy(MX, REJECTIONS.sender), scene.nowMs);
    expect(scene.mayAsk('a')).toBe(true);
  });

  it('of a recipient block nothing, however many there are', () => {
    scene.reject('a', 'corp.test', { text: REJECTIONS.recipient, times: 20 });
    expect([scene.mayAsk('a'), scene.mayAsk('b')]).toEqual([true, true]);
  });

  it.each([REJECTIONS.team, REJECTIONS.nobody])(
    'that do not concern us do not count for other teams (%s)',
    (text) => {
      scene.reject('a', 'corp.test', { text, times: 10 });
      scene.reject('b', 'corp.test', { text, times: 2 });
      expect([scene.mayAsk('a'), scene.mayAsk('b')]).toEqual([false, true]);
    },
  );

  it('that concern us need one of another team’s own', () => {
    scene.reject('a', 'corp.test', { times: 3 });
    scene.reject('b');
    expect(scene.mayAsk('b')).toBe(false);
  });

  it('count for one egress route', () => {
    for (const name of ['jane', 'jack', 'jill'])
      scene.breakers.record(asked('a', `${name}@corp.test`, 'second'), rejectedBy(MX), scene.nowMs);
    expect(scene.mayAsk('a')).toBe(true);
    expect(
      scene.breakers.allowedHosts(
        asked('a', 'jane@corp.test', 'second'),
        [{ host: MX, preference: 10 }],
        scene.nowMs,
      ),
    ).toEqual([]);
  });
});

describe('answers', () => {
  it('end a row of rejections: only those after it count', () => {
    scene.reject('a', 'corp.test', { times: 2 });
    scene.answer('a');
    scene.reject('a', 'corp.test', { times: 2 });
    expect(scene.mayAsk('a')).toBe(true);
    scene.reject('a');
    expect(scene.mayAsk('a')).toBe(false);
  });

  it('of a team mean that rejections of others say nothing about it', () => {
    scene.answer('b');
    scene.reject('a', 'corp.test', { times: 3 });
    scene.reject('b', 'corp.test', { times: 2 });
    expect(scene.mayAsk('b')).toBe(true);
    scene.reject('b');
    expect(scene.mayAsk('b')).toBe(false);
  });

  it('count for ten minutes, as rejections do', () => {
    scene.reject('a', 'corp.test', { times: 2 });
    scene.nowMs += 10 * MINUTE_MS;
    scene.reject('a');
    expect(scene.mayAsk('a')).toBe(true);
    scene.reject('a', 'corp.test', { times: 2 });
    expect(scene.mayAsk('a')).toBe(false);
  });

  it('of another team do not end a pause', () => {
    scene.reject('a', 'corp.test', { times: 3 });
    scene.answer('b');
    expect([scene.mayAsk('a'), scene.mayAsk('b')]).toEqual([false, true]);
  });
});

describe('an open breaker', () => {
  beforeEach(() => scene.reject('a', 'corp.test', { times: 3 }));

  it('allows one request after five minutes, and no other before its result', () => {
    scene.nowMs += 5 * MINUTE_MS - 1;
    expect(scene.mayAsk('a')).toBe(false);
    scene.nowMs += 1;
    expect([scene.mayAsk('a'), scene.mayAsk('a')]).toEqual([true, false]);
  });

  it('allows another one a minute later when the first had no result', () => {
    scene.nowMs += 5 * MINUTE_MS;
    scene.mayAsk('a');
    const silence = { ...aSilence('timeout', 'connect'), rejections: [] };
    scene.breakers.record(asked('a', 'jane@corp.test'), silence, scene.nowMs);
    expect(scene.mayAsk('a')).toBe(false);
    scene.nowMs += MINUTE_MS;
    expect(scene.mayAsk('a')).toBe(true);
  });

  it('uses no half-open probe when the request cannot be sent for another reason', () => {
    scene.reject('a', 'other.test', { stage: 'banner', times: 3 });
    scene.nowMs += 1;
    scene.reject('a', 'third.test', { mx: OTHER_MX, stage: 'banner', times: 3 });
    scene.nowMs += 5 * MINUTE_MS - 1;
    expect(scene.mayAsk('a', 'corp.test', OTHER_MX)).toBe(false);
    expect(scene.mayAsk('a', 'corp.test', 'mx3.corp.test')).toBe(true);
  });

  it('stays open twice as long after each rejected probe, up to an hour', () => {
    const pauses = [5, 10, 20, 40, 60, 60];
    for (const [index, minutes] of pauses.entries()) {
      scene.nowMs += minutes * MINUTE_MS - 1;
      expect([index, scene.mayAsk('a')]).toEqual([index, false]);
      scene.nowMs += 1;
      expect([index, scene.mayAsk('a')]).toEqual([index, true]);
      scene.reject('a');
    }
  });

  it('is closed by any answer about a recipient', () => {
    scene.nowMs += 5 * MINUTE_MS;
    scene.mayAsk('a');
    scene.answer('a');
    expect([scene.mayAsk('a'), scene.mayAsk('a')]).toEqual([true, true]);
    expect(scene.breakers.open(scene.nowMs)).toMatchObject([
      { count: 0 },
      { count: 0 },
      { count: 0 },
      { count: 0 },
    ]);
  });

  it('is not extended by requests in flight', () => {
    scene.nowMs += 5 * MINUTE_MS - 1;
    scene.reject('a', 'corp.test', { times: 10 });
    scene.nowMs += 1;
    expect(scene.mayAsk('a')).toBe(true);
  });

  it('is counted while it is open, once for all teams', () => {
    scene.reject('b', 'corp.test', { times: 3 });
    expect(scene.breakers.open(scene.nowMs)).toEqual([
      { of: 'domain', count: 1 },
      { of: 'host', count: 0 },
      { of: 'provider', count: 0 },
      { of: 'egress', count: 0 },
    ]);
    scene.nowMs += 5 * MINUTE_MS;
    expect(scene.breakers.open(scene.nowMs)[0]).toEqual({ of: 'domain', count: 0 });
  });
});
