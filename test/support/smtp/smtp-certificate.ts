import { selfSigned, type Certificate } from '../tls/self-signed.js';

let made: Promise<Certificate> | null = null;

/** A self-signed certificate, created once per process. SMTP clients do not verify certificates. */
export function testCertificate(): Promise<Certificate> {
  return (made ??= selfSigned('mx.test'));
}
