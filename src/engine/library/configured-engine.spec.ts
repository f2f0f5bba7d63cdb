import { expect, it } from '@jest/globals';
import type { Log } from '../../platform/telemetry/log.js';
import { loggingTo } from './configured-engine.js';

it('the log says why requests wait for a session, without the address of an egress or the name of a customer', () => {
  const lines: unknown[] = [];
  const debug: Log['debug'] = (...line) => void lines.push(line);
  const none = () => undefined;
  const { onBlocked } = loggingTo(
    { debug, info: none, warn: none, error: none },
    new Map([['bind:192.0.2.1', 'two']]),
  );
  const blocked = { egress: 'bind:192.0.2.1', limit: 'provider', waiting: 7 } as const;
  onBlocked?.({ ...blocked, provider: { name: 'google', isUnknown: false } });
  onBlocked?.({ ...blocked, provider: { name: 'customer.example', isUnknown: true } });
  const sentence = 'requests wait for a session: all sessions that the provider allows are in use';
  expect(lines).toEqual([
    [{ egress: 'two', provider: 'google', limit: 'provider', waiting: 7 }, sentence],
    [{ egress: 'two', provider: 'other', limit: 'provider', waiting: 7 }, sentence],
  ]);
});
