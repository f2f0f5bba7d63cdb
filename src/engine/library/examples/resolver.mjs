import { createEngine } from '@rcpt/engine';
const engine = createEngine({ dnsServers: ['192.0.2.53', '[2001:db8::53]:5353'], dnsTimeoutMs: 3_000 });
const { status, dns } = await engine.verify(process.argv[2]);
console.log(status, dns.error ?? dns.mx.map(({ host }) => host).join(' '));
await engine.close();
