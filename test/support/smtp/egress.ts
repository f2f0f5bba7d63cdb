import { randomBytes, X509Certificate } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  egressIdentity,
  egressItem,
  type EgressIdentity,
} from '../../../src/platform/egress-server/egress-identity.js';
import { EgressServer } from '../../../src/platform/egress-server/egress-server.js';
import { AddressPolicy } from '../../../src/platform/net/address-policy.js';
import { SystemClock } from '../../../src/platform/time/system-clock.js';

/** An egress on this machine that may dial loopback. */
export class LoopbackEgress {
  private constructor(
    private readonly identity: EgressIdentity,
    readonly server: EgressServer,
    private readonly heloName: string,
  ) {}

  /** @param targetPort the port of the mail servers. */
  static async start(targetPort: number, heloName = 'verify.mailworld'): Promise<LoopbackEgress> {
    const dataDir = await mkdtemp(join(tmpdir(), `rcpt-egress-${randomBytes(4).toString('hex')}`));
    const identity = await egressIdentity(dataDir, new Date());
    await rm(dataDir, { recursive: true });
    const server = await EgressServer.start({
      identity,
      listen: { host: '127.0.0.1', port: 0 },
      targetPort,
      policy: new AddressPolicy(['127.0.0.0/8']),
      clock: new SystemClock(),
    });
    return new LoopbackEgress(identity, server, heloName);
  }

  /** For `SMTP_EGRESS`. */
  get item(): string {
    return egressItem(this.identity, { host: '127.0.0.1', port: this.server.port, heloName: this.heloName });
  }

  get secrets(): string[] {
    const { fingerprint256 } = new X509Certificate(this.identity.certificate);
    return [this.identity.password, fingerprint256.replaceAll(':', '').toLowerCase()];
  }

  stop(): Promise<void> {
    return this.server.close();
  }
}
