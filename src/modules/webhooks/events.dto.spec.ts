import { expect, it } from '@jest/globals';
import { publicEvent } from './events.dto.js';

it('a quota event stored without a mode is posted with mode live', () => {
  const data = { date: '2026-11-21', limit: 1000, used: 800 };
  const event = { type: 'quota.warning', teamId: 'team_1', data } as const;
  expect(publicEvent(event, 'https://rcpt.example').data).toEqual({ mode: 'live', ...data });
});
