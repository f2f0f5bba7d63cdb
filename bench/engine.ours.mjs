// The Rcpt engine for bench/engine.ts, with the parts that bulk jobs use, without HTTP and database.
import { Lifecycle } from '../dist/kernel/lifecycle.js';
import { DnsClient } from '../dist/modules/verification/adapters/dns-client.js';
import { DnsMxResolver } from '../dist/modules/verification/adapters/dns-mx-resolver.js';
import { CurrentDomainLists, registrableOf } from '../dist/modules/verification/adapters/domain-lists.js';
import { FileListShelf } from '../dist/modules/verification/adapters/file-list-shelf.js';
import { MemoryCatchAll } from '../dist/modules/verification/adapters/memory-catch-all.js';
import { SmtpMailboxProber } from '../dist/modules/verification/adapters/smtp-mailbox-prober.js';
import { Breakers } from '../dist/modules/verification/domain/breakers.js';
import { EngineService, ONE_OF_MANY_TIMEOUT_MS } from '../dist/modules/verification/engine.service.js';
import { readConfig } from '../dist/platform/config/config.js';
import { DirectDialler } from '../dist/platform/net/dialler.js';
import { keepHeapTight } from '../dist/platform/memory/tight-heap.js';
import { Egress } from '../dist/platform/net/egress.js';
import { SystemClock } from '../dist/platform/time/system-clock.js';

/** @param {{ dnsServer: string, smtpPort: number }} place */
export function engineAt({ dnsServer, smtpPort }) {
  keepHeapTight();
  const { dns, smtp } = readConfig({
    DNS_SERVERS: dnsServer,
    SMTP_PORT: String(smtpPort),
    MX_ALLOW_CIDRS: '127.0.0.0/8',
    SMTP_HELO_NAME: 'verify.example.org',
  });
  const clock = new SystemClock();
  const hosts = new DnsClient({ ...dns, clock });
  const egress = new Egress(smtp.allowCidrs);
  const onFault = (error) => console.error(error);
  const engine = new EngineService(
    new DnsMxResolver(hosts),
    new SmtpMailboxProber({ ...smtp, hosts, dialler: new DirectDialler(), clock, egress }),
    new CurrentDomainLists(new FileListShelf('no update', clock, onFault)),
    new MemoryCatchAll(clock),
    new Breakers(registrableOf),
    { smtpEnabled: true, onFault },
    new Lifecycle(),
    clock,
  );
  return async function* verdictsOf(emails, concurrency) {
    const options = { timeoutMs: ONE_OF_MANY_TIMEOUT_MS, rules: { roleIsRisky: false }, concurrency };
    for await (const { email, status } of engine.checkAll(emails, options)) yield { email, status };
    await engine.onApplicationShutdown();
  };
}
