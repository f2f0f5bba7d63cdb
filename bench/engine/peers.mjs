// The other engines for bench/engine.ts. They use the system's DNS and port 25 without an option to
// change this, so `dns` is redirected to the test DNS server, and `net` to its port and addresses.
import dns from 'node:dns';
import { createRequire } from 'node:module';
import net from 'node:net';

const SENDER = 'verify@verify.example.org';

/** @param {{ dnsServer: string, smtpPort: number }} place */
function moveInto({ dnsServer, smtpPort }) {
  dns.setServers([dnsServer]);
  const lookup = (host, options, done) =>
    dns.resolve4(host, (error, found) => {
      if (error) return done(error);
      if (options.all) return done(null, [{ address: found[0], family: 4 }]);
      return done(null, found[0], 4);
    });
  const { connect } = net;
  net.connect = net.createConnection = (port, host) =>
    connect({ port: port === 25 ? smtpPort : port, host, lookup, autoSelectFamily: false });
}

/** Only the reason distinguishes a missing mailbox; other failures are also reported as invalid and count as unknown. */
async function deepEmailValidator(require) {
  const { validate } = require('deep-email-validator');
  return async (email) => {
    const { valid, validators } = await validate({ email, sender: SENDER, validateTypo: false });
    if (valid) return 'deliverable';
    return validators.smtp?.reason === 'Mailbox not found.' ? 'undeliverable' : 'unknown';
  };
}

/** Returns `success` or not; `tryagain` and codes other than "finished" count as unknown. */
async function emailVerify(require) {
  const { verify, verifyCodes } = require('email-verify');
  return (email) =>
    new Promise((resolve) => {
      const options = { sender: SENDER, fqdn: 'verify.example.org', timeout: 10_000 };
      verify(email, options, (error, info) => {
        if (error || info.tryagain || info.code !== verifyCodes.finishedVerification) resolve('unknown');
        else resolve(info.success ? 'deliverable' : 'undeliverable');
      });
    });
}

const PEERS = { 'deep-email-validator': deepEmailValidator, 'email-verify': emailVerify };

/** @returns the same as `engineAt` of ours.mjs. */
export async function peerAt(name, place) {
  moveInto(place);
  const check = await PEERS[name](createRequire(`${place.peersFolder}/package.json`));
  return async function* verdictsOf(emails, concurrency) {
    const waiting = emails.values();
    const done = [];
    const inTurn = async () => {
      for (const email of waiting) done.push({ email, status: await check(email) });
    };
    await Promise.all(Array.from({ length: concurrency }, inTurn));
    yield* done;
  };
}
