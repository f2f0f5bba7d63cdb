import { once } from 'node:events';
import { createEngine } from '@rcpt/server/engine';

/** Verifies one list with the library, for egress.ts. */
const [{ place, smtpEgress, concurrency, addresses }] = await once(process, 'message');
const engine = createEngine({
  dnsServers: [place.dnsServer],
  smtpPort: place.smtpPort,
  mxAllowCidrs: ['127.0.0.0/8'],
  smtpHeloName: 'bench.example.org',
  smtpEgress,
});
const exists = new Map(addresses.map((each) => [each.email, each.exists]));
const start = performance.now();
let right = 0;
for await (const { email, status } of engine.verifyMany(exists.keys(), { concurrency }))
  if (status === (exists.get(email) ? 'deliverable' : 'undeliverable')) right += 1;
process.send({ ms: performance.now() - start, right });
await engine.close();
