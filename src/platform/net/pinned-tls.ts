import { createHash } from 'node:crypto';
import type { Socket } from 'node:net';
import { connect, createSecureContext, type TLSSocket } from 'node:tls';
import { DialFailure } from './dialler.js';

/** SHA-256 of a certificate in DER, in lower-case hexadecimal digits. */
export function pinOf(certificate: Buffer): string {
  return createHash('sha256').update(certificate).digest('hex');
}

/** One for all connections: its creation takes a fifth of the processor time of a handshake. */
const SECURE_CONTEXT = createSecureContext({ minVersion: 'TLSv1.3' });

/**
 * TLS with a server that is identified by its certificate alone: no certificate authority, no name and no
 * period of validity is checked. Nothing is sent to a server with another certificate.
 *
 * @throws DialFailure with the side `egress`
 */
export function pinnedTls(socket: Socket, pin: string): Promise<TLSSocket> {
  // TLS 1.3 proves the possession of the key of the certificate before `secureConnect`.
  const tls = connect({ socket, secureContext: SECURE_CONTEXT, rejectUnauthorized: false });
  tls.on('error', () => undefined);
  return new Promise((resolve, reject) => {
    const fail = (what: string) => {
      tls.off('error', onError).off('close', onClose).destroy();
      reject(new DialFailure('egress', what));
    };
    const onClose = () => fail('the proxy closed the connection in the TLS handshake');
    const onError = ({ code }: NodeJS.ErrnoException) =>
      fail(`the TLS handshake with the proxy failed: ${code ?? 'unknown error'}`);
    tls.on('close', onClose).on('error', onError);
    tls.once('secureConnect', () => {
      const certificate = tls.getPeerX509Certificate()?.raw;
      if (certificate === undefined || pinOf(certificate) !== pin)
        return fail('the proxy has another certificate than the pinned one');
      tls.off('error', onError).off('close', onClose);
      resolve(tls);
    });
  });
}
