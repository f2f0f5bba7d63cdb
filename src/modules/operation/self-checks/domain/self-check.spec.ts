import { expect, it } from '@jest/globals';
import { isNews, recorded, type CheckStatus, type SelfCheck } from './self-check.js';

/** Which of these results, an hour apart, the operators hear of. */
function newsOf(...statuses: CheckStatus[]): boolean[] {
  let last: SelfCheck | undefined;
  return statuses.map((status, hour) => {
    const now = new Date(Date.UTC(2028, 0, 1, hour));
    last = recorded(
      last,
      { name: 'reverse_name', egress: 'direct', status, detail: '', findings: [], remedy: null },
      now,
    );
    const isMailed = isNews(last, now);
    if (isMailed) Object.assign(last, { mailed: status, mailedAt: now });
    return isMailed;
  });
}

it('a check that fails from the start is no news, also when it passes then; its next failure is', () => {
  expect(newsOf('fail', 'fail', 'pass', 'fail')).toEqual([false, false, false, true]);
  expect(newsOf('unknown', 'fail', 'unknown', 'pass', 'fail')).toEqual([false, false, false, false, true]);
});

it('a check that could not be made in between has not changed', () => {
  expect(newsOf('pass', 'unknown', 'pass', 'unknown', 'fail')).toEqual([false, false, false, false, true]);
});
