import { createEngine } from '@rcpt/engine';
const engine = createEngine({ smtpEgress: ['socks5://user:password@192.0.2.7:1080;name=office'] });
const { status, smtp } = await engine.verify(process.argv[2]);
console.log(status, smtp?.egress, smtp?.text);
await engine.close();
