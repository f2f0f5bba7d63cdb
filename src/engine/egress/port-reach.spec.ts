import { describe, expect, it } from '@jest/globals';
import { aReply, aSilence } from '../../../test/support/verification/evidence.js';
import { PortReach } from './port-reach.js';

const outcome = (probed: ReturnType<typeof aSilence>) => ({ ...probed, rejections: [] });
const closed = outcome(aSilence('no_connect', 'connect'));

function after(domains: readonly string[], result = closed): PortReach {
  const reach = new PortReach();
  for (const domain of domains) reach.record(domain, result);
  return reach;
}

const many = Array.from({ length: 10 }, (_, n) => `d${n % 5}.test`);

describe('the port of mail servers', () => {
  it('counts as closed after ten probes of five domains without a connection', () => {
    expect(after(many).isClosed).toBe(true);
    expect(after(many, outcome(aSilence('timeout', 'connect'))).isClosed).toBe(true);
    expect(after(many.slice(1)).isClosed).toBe(false);
  });

  it('is not closed because the servers of a few domains are down', () => {
    expect(after(Array.from({ length: 100 }, (_, n) => `d${n % 4}.test`)).isClosed).toBe(false);
  });

  it('is open again with the first connection, whatever the server says', () => {
    for (const connected of [aReply('accepted'), aReply('sender_blocked'), aSilence('timeout', 'banner')]) {
      const reach = after(many);
      reach.record('other.test', outcome(connected));
      expect(reach.isClosed).toBe(false);
    }
  });

  it('is not judged by failures of the egress itself, or by probes that dial nothing', () => {
    expect(after(many, outcome(aSilence('egress_failed', 'connect'))).isClosed).toBe(false);
    expect(after(many, { ...closed, evidence: null }).isClosed).toBe(false);
  });
});
