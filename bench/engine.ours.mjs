// The Rcpt engine for bench/engine.ts, with the parts that bulk jobs use, without HTTP and database.
import { Lifecycle } from '../dist/kernel/lifecycle.js';
import { DnsClient } from '../dist/modules/verification/adapters/dns-client.js';
import { DnsMxResolver } from '../dist/modules/verification/adapters/dns-mx-resolver.js';
import { CurrentDomainLists, registrableOf } from '../dist/modules/verification/adapters/domain-lists.js';
import { ResolverCheck } from '../dist/modules/verification/adapters/dns-resolver-check.js';
import { MemoryCatchAllCache } from '../dist/modules/verification/adapters/memory-catch-all-cache.js';
import { SmtpMailboxProber } from '../dist/modules/verification/adapters/smtp-mailbox-prober.js';
import { StoredListFiles } from '../dist/modules/verification/adapters/stored-list-files.js';
import { Breakers } from '../dist/modules/verification/domain/breakers.js';
import { EngineService, BATCH_ITEM_TIMEOUT_MS } from '../dist/modules/verification/engine.service.js';
import { readConfig } from '../dist/platform/config/config.js';
import { DirectDialler } from '../dist/platform/net/dialler.js';
import { AddressPolicy } from '../dist/platform/net/address-policy.js';
import { SystemClock } from '../dist/platform/time/system-clock.js';

/** @param {{ dnsServer: string, smtpPort: number }} place */
export function engineAt({ dnsServer, smtpPort }) {
  const { dns, smtp } = readConfig({
    DNS_SERVERS: dnsServer,
    SMTP_PORT: String(smtpPort),
    MX_ALLOW_CIDRS: '127.0.0.0/8',
    SMTP_HELO_NAME: 'verify.example.org',
  });
  const clock = new SystemClock();
  const hosts = new DnsClient({ ...dns, clock, resolvers: new ResolverCheck({ clock }) });
  const egress = new AddressPolicy(smtp.allowCidrs);
  const onFault = (error) => console.error(error);
  const engine = new EngineService(
    new DnsMxResolver(hosts),
    new SmtpMailboxProber({ ...smtp, hosts, dialler: new DirectDialler(), clock, egress }),
    new CurrentDomainLists(new StoredListFiles('no update', clock, onFault)),
    new MemoryCatchAllCache(clock),
    new Breakers(registrableOf),
    { smtpEnabled: true, onFault },
    new Lifecycle(),
    clock,
  );
  return async function* verdictsOf(emails, concurrency) {
    const options = { timeoutMs: BATCH_ITEM_TIMEOUT_MS, rules: { roleIsRisky: false }, concurrency };
    for await (const { email, status } of engine.checkAll(emails, options)) yield { email, status };
    await engine.onApplicationShutdown();
  };
}
