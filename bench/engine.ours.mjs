// The Rcpt engine for bench/engine.ts, with the parts that bulk jobs use, without HTTP and database.
import { Lifecycle } from '../dist/kernel/lifecycle.js';
import { DnsClient } from '../dist/modules/verification/adapters/dns-client.js';
import { DnsMxResolver } from '../dist/modules/verification/adapters/dns-mx-resolver.js';
import { CurrentDomainLists, registrableOf } from '../dist/modules/verification/adapters/domain-lists.js';
import { ResolverCheck } from '../dist/modules/verification/adapters/dns-resolver-check.js';
import { MemoryCatchAllCache } from '../dist/modules/verification/adapters/memory-catch-all-cache.js';
import { SmtpEgresses } from '../dist/modules/verification/adapters/smtp-egresses.js';
import { StoredListFiles } from '../dist/modules/verification/adapters/stored-list-files.js';
import { NO_SHARED_FACTS } from '../dist/modules/verification/domain/shared-facts.js';
import { Breakers } from '../dist/modules/verification/domain/breakers.js';
import { EgressWarmup } from '../dist/modules/verification/domain/egress-warmup.js';
import { EngineService, BATCH_ITEM_TIMEOUT_MS } from '../dist/modules/verification/engine.service.js';
import { readConfig } from '../dist/platform/config/config.js';
import { SystemClock } from '../dist/platform/time/system-clock.js';

/** @param {{ dnsServer: string, smtpPort: number }} place */
export function engineAt({ dnsServer, smtpPort }) {
  const config = readConfig({
    DNS_SERVERS: dnsServer,
    SMTP_PORT: String(smtpPort),
    MX_ALLOW_CIDRS: '127.0.0.0/8',
    SMTP_HELO_NAME: 'verify.example.org',
  });
  const clock = new SystemClock();
  const hosts = new DnsClient({ ...config.dns, clock, resolvers: new ResolverCheck({ clock }) });
  const meter = { count() {}, observe() {}, gauge() {} };
  const onFault = (error) => console.error(error);
  const engine = new EngineService(
    new DnsMxResolver(hosts),
    new SmtpEgresses(config, hosts, clock, meter),
    new CurrentDomainLists(new StoredListFiles('no update', clock, onFault)),
    new MemoryCatchAllCache(clock, NO_SHARED_FACTS),
    new Breakers(registrableOf),
    new EgressWarmup({ plan: null }),
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
