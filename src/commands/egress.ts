import { once } from 'node:events';
import { DoctorModule } from '../modules/operation/doctor/doctor.module.js';
import { DoctorService } from '../modules/operation/doctor/doctor.service.js';
import { printableLines } from '../kernel/text/printable.js';
import { readConfig } from '../platform/config/config.js';
import { egressIdentity, egressItem } from '../platform/egress-server/egress-identity.js';
import { EgressServer } from '../platform/egress-server/egress-server.js';
import { AddressPolicy } from '../platform/net/address-policy.js';
import { SystemClock } from '../platform/time/system-clock.js';
import { withModules } from './command-context.js';
import { findingsText } from './doctor.js';

interface EgressOptions {
  listen: { host: string; port: number };
  port: number;
}

/** Checks of the doctor that say nothing about connections. */
const OF_THE_SERVICE: readonly string[] = ['database', 'database_clock', 'queue', 'sessions', 'payments'];
const ANY_ADDRESS: readonly string[] = ['0.0.0.0', '::'];

/** Runs until SIGINT or SIGTERM. */
export async function runEgress({ listen, port: targetPort }: EgressOptions): Promise<void> {
  const config = readConfig();
  await withModules([DoctorModule], async (services) => {
    const findings = await services(DoctorService).examine();
    const ofConnections = findings.filter(({ check }) => !OF_THE_SERVICE.includes(check));
    process.stdout.write(`${printableLines(findingsText(ofConnections))}\n\n`);
  });
  const clock = new SystemClock();
  const identity = await egressIdentity(config.dataDir, clock.now());
  const policy = new AddressPolicy(config.smtp.allowCidrs);
  const server = await EgressServer.start({ identity, listen, targetPort, policy, clock });
  const [{ heloName } = { heloName: '' }] = config.smtp.egresses;
  // The doctor checks that this name resolves to this machine.
  const host = ANY_ADDRESS.includes(listen.host) ? heloName : listen.host;
  process.stdout.write(
    `The egress accepts connections on port ${listen.port}. Set in the environment of the installation:\n\n` +
      `SMTP_EGRESS=${egressItem(identity, { host, port: server.port, heloName })}\n`,
  );
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  await server.close();
}
