import type { MxRecord } from '../../../src/kernel/verdict.js';
import type { HostAddresses, HostResolver } from '../../../src/engine/dns/adapters/host-resolver.js';
import {
  SmtpMailboxProber,
  type SmtpMailboxProberOptions,
} from '../../../src/engine/smtp/search/smtp-mailbox-prober.js';
import type { HostGate, ProbeOutcome } from '../../../src/engine/smtp/probe.js';
import type { Requester } from '../../../src/kernel/concurrency/fair-queue.js';
import type { RecordedRequester } from '../../../src/engine/smtp/smtp-transcript.js';
import { parseEmailAddress } from '../../../src/engine/address/email-address.js';
import { SystemClock } from '../../../src/platform/time/system-clock.js';
import { poolOptions } from './pool-options.js';

/** Addresses by host name, or the reason why there are none. */
export type Hosts = Record<string, readonly string[] | 'none' | 'error'>;

export interface Asking {
  recipient?: string;
  hosts: Hosts;
  /** Preferences by host; default: the order of `hosts`. */
  preferences?: Record<string, number>;
  probeRandom?: boolean;
  requester?: RecordedRequester;
  gate?: HostGate;
  deadlineMs?: number;
  signal?: AbortSignal;
}

const NOBODY: Requester = { team: '', priority: 'single' };

class WrittenHosts implements HostResolver {
  constructor(private readonly hosts: Hosts) {}

  async addresses(host: string): Promise<HostAddresses> {
    const found = this.hosts[host] ?? 'none';
    return typeof found === 'string' ? { kind: found } : { kind: 'addresses', addresses: [...found] };
  }
}

/** Probes scripted mail servers with the real prober over real sockets. */
export async function ask(
  port: number,
  { hosts, preferences = {}, deadlineMs = 5_000, ...asking }: Asking,
  options: Partial<SmtpMailboxProberOptions> & { maxConnections?: number } = {},
): Promise<ProbeOutcome> {
  const clock = options.clock ?? new SystemClock();
  const prober = new SmtpMailboxProber({
    hosts: new WrittenHosts(hosts),
    policy: { allows: () => true },
    ...poolOptions(port, clock, options),
    ...options,
  });
  const parsed = parseEmailAddress(asking.recipient ?? 'jane@example.com');
  if (!parsed.ok) throw new RangeError(parsed.error);
  const records: MxRecord[] = Object.keys(hosts).map((host, index) => ({
    host,
    preference: preferences[host] ?? index,
  }));
  const request = {
    recipient: parsed.address,
    hosts: records,
    probeRandom: asking.probeRandom ?? false,
    ...(asking.requester ?? NOBODY),
    deadlineMs: clock.monotonicMs() + deadlineMs,
    ...(asking.gate !== undefined && { gate: asking.gate }),
  };
  const result = await prober.probe(request, asking.signal ?? AbortSignal.timeout(deadlineMs));
  await prober.close();
  return result;
}
