import { DnsWorld } from '../dns/dns-world.js';
import type { DnsName } from '../dns/dns-zones.js';
import { mailboxes } from '../smtp/smtp-behaviours.js';
import { SmtpServer } from '../smtp/smtp-server.js';

/**
 * The mail servers and the resolver of a namespace, as a process: `site<n>.rcpt-test.net` has its server at the
 * nth of the addresses in the arguments. Mailboxes that begin with `jane` exist. Sends `ready` when it listens.
 */
const REPLY_MS = 50;
const known = mailboxes();
const zones: Record<string, DnsName> = {};
for (const [n, host] of process.argv.slice(2).entries()) {
  await SmtpServer.start({
    host,
    port: 25,
    behaviour: {
      ...known,
      rcpt: (asking) => ({
        afterMs: REPLY_MS,
        then: asking.localPart.startsWith('jane') ? '250 2.1.5 Ok' : known.rcpt(asking),
      }),
    },
  });
  zones[`mx.site${n}.rcpt-test.net`] = { a: [host] };
  zones[`site${n}.rcpt-test.net`] = { mx: [[10, `mx.site${n}.rcpt-test.net`]] };
}
await DnsWorld.start({ zones, host: '0.0.0.0', port: 53 });
process.send?.('ready');
