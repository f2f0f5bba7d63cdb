import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { X509Certificate } from 'node:crypto';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEgresses } from '../config/egress-config.js';
import { pinOf } from '../net/pinned-tls.js';
import { egressIdentity, egressItem } from './egress-identity.js';

const NOW = new Date('2026-01-31T12:00:00Z');
let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'rcpt-egress-'));
});
afterEach(() => rm(dataDir, { recursive: true }));

describe('the identity of an egress', () => {
  it('is created once, for its owner only', async () => {
    const identity = await egressIdentity(dataDir, NOW);
    expect(await egressIdentity(dataDir, NOW)).toEqual(identity);
    expect((await stat(join(dataDir, 'egress.json'))).mode & 0o777).toBe(0o600);
    expect(identity.password).toMatch(/^[\w-]{32}$/);
    const certificate = new X509Certificate(identity.certificate);
    expect(certificate.verify(certificate.publicKey)).toBe(true);
    expect(certificate.validTo).toContain('9999');
  });

  it('is another one in another directory', async () => {
    const one = await egressIdentity(join(dataDir, 'a'), NOW);
    const other = await egressIdentity(join(dataDir, 'b'), NOW);
    expect([one.password === other.password, one.certificate === other.certificate]).toEqual([false, false]);
  });

  it.each(['{}', 'x', '{"username":"rcpt"}'])('%j is refused', async (text) => {
    await writeFile(join(dataDir, 'egress.json'), text, { mode: 0o600 });
    await expect(egressIdentity(dataDir, NOW)).rejects.toThrow('egress.json is not complete');
  });

  it.each(['192.0.2.7', '2001:db8::7', 'egress.example.org'])(
    'makes an item of SMTP_EGRESS for %s',
    async (host) => {
      const identity = await egressIdentity(dataDir, NOW);
      const [item] = parseEgresses(egressItem(identity, { host, port: 1080, heloName: 'mx.example.org' }));
      const pin = pinOf(new X509Certificate(identity.certificate).raw);
      expect(item).toMatchObject({
        heloName: 'mx.example.org',
        route: {
          kind: 'socks5',
          proxy: { host, port: 1080, pin, credentials: { username: 'rcpt', password: identity.password } },
        },
      });
    },
  );
});
