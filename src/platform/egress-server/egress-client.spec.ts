import { describe, expect, it } from '@jest/globals';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:tls';
import { DialFailure } from '../net/dialler.js';
import { pinOf } from '../net/pinned-tls.js';
import { SocksDialler } from '../net/socks-dialler.js';
import { selfSignedCertificate } from './egress-identity.js';

const CREDENTIALS = { username: 'rcpt', password: 'a-password' };
const lengthAnd = (text: string) => [text.length, ...Buffer.from(text)];

describe('the client of an egress', () => {
  it('sends its login and its request without a wait for replies', async () => {
    const { key, certificate } = await selfSignedCertificate('rcpt egress', new Date('2026-01-31T12:00:00Z'));
    const expected = Buffer.from([
      ...[5, 1, 2],
      ...[1, ...lengthAnd(CREDENTIALS.username), ...lengthAnd(CREDENTIALS.password)],
      ...[5, 1, 0, 1, 192, 0, 2, 25, 0, 25],
    ]);
    const caller = new AbortController();
    let received = Buffer.alloc(0);
    // It replies to nothing.
    const server = createServer({ key, cert: certificate }, (client) =>
      client
        .on('error', () => undefined)
        .on('data', (chunk: Buffer) => {
          received = Buffer.concat([received, chunk]);
          if (received.length >= expected.length) caller.abort();
        }),
    );
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const pin = pinOf(new X509Certificate(certificate).raw);
    const dialler = new SocksDialler({ host: '127.0.0.1', port, credentials: CREDENTIALS, pin });
    await expect(dialler.dial('192.0.2.25', 25, 4_000, caller.signal)).rejects.toThrow(DialFailure);
    server.close();
    expect(received).toEqual(expected);
  });
});
