import { MailWorld } from './mail-world.js';

/** `npm run mail-world`: runs the mail world until Ctrl-C. */

const DNS_PORT = 5300;
const SMTP_PORT = 2525;

const world = await MailWorld.start({ dnsPort: DNS_PORT, smtpPort: SMTP_PORT }).catch((error: Error) => {
  process.stderr.write(`The mail world needs the ports ${DNS_PORT} and ${SMTP_PORT}: ${error.message}\n`);
  process.exit(1);
});
const env = Object.entries(world.env)
  .map(([name, value]) => `${name}=${value}`)
  .join(' ');
const width = Math.max(...world.expectations.map(({ email }) => email.length)) + 2;
const list = world.expectations.map(
  ({ email, status, reason, story }) =>
    `  ${email.padEnd(width)}${`${status} / ${reason}`.padEnd(38)}${story}`,
);

process.stdout
  .write(`The mail world is up: a name server at ${world.dns.server} and mail servers on port ${world.smtp.port}.
Addresses, expected verdicts and descriptions:

${list.join('\n')}

In another terminal, verify one of them:

  ${env} npx --no rcpt verify jane@plain.mailworld

or run the service with this mail world (stop other instances first):

  ${env} npm start

Press Ctrl-C to stop.
`);

process.once('SIGINT', () => void world.stop().then(() => process.exit(0)));
process.once('SIGTERM', () => void world.stop().then(() => process.exit(0)));
