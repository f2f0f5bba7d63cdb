import type { Clock } from '../../kernel/clock.js';
import type { Config } from '../../platform/config/config.js';
import { DirectDialler } from '../../platform/net/dialler.js';
import { AddressPolicy } from '../../platform/net/address-policy.js';
import { SocksDialler } from '../../platform/net/socks-dialler.js';
import { fail, skipped, type Check, type Finding } from './check.js';
import { Database } from './database.js';
import { EHLO_NAME, REVERSE_NAME, SENDER_DOMAIN, SENDER_POLICY } from './identity.js';
import { LISTINGS } from './listings.js';
import { DoctorResolver } from './names.js';
import { DNSSEC, IPV6, RESOLVER } from './network.js';
import { PAYMENTS } from './payments.js';
import { PORT_25 } from './port-25.js';
import { DATABASE, QUEUE } from './stores.js';
import { globalOnes, localAddresses, type DoctorContext } from './doctor-context.js';
import { CLOCK, DATABASE_CLOCK } from './time.js';

/** All that is looked at, in the order in which it is told. */
export const CHECKS: readonly Check[] = [
  PORT_25,
  EHLO_NAME,
  REVERSE_NAME,
  SENDER_DOMAIN,
  SENDER_POLICY,
  LISTINGS,
  RESOLVER,
  DNSSEC,
  IPV6,
  CLOCK,
  DATABASE,
  DATABASE_CLOCK,
  QUEUE,
  PAYMENTS,
];

export interface Examined extends Finding {
  check: string;
  why: string;
}

export interface Circumstances {
  config: Config;
  clock: Clock;
  /** Nobody is to be asked. */
  offline: boolean;
  /** As whom mail servers see us; left out, as this machine's own global addresses. */
  egressIps: readonly string[];
  timeServer: DoctorContext['timeServer'];
  localAddress?: DoctorContext['localAddress'];
}

/** For everything together, whatever hangs. */
const DEADLINE_MS = 11_000;
/** A resolver that says nothing for so long is not there. */
const SILENCE_MS = 4_000;
/** Any that is always there will do. */
const WELL_KNOWN = 'gmail.com';

/** Looks at everything at once; takes no longer than some 12 s. */
export async function examine(circumstances: Circumstances): Promise<Examined[]> {
  const { config, clock, egressIps, timeServer } = circumstances;
  const over = new AbortController();
  void clock.pause(DEADLINE_MS, over.signal).then(() => over.abort());
  const database = new Database(config, clock);
  const names = new DoctorResolver(config.dns.servers, over.signal);
  const localAddress = circumstances.localAddress ?? (await localAddresses());
  const around: DoctorContext = {
    config,
    clock,
    names,
    dialler: config.smtp.proxy ? new SocksDialler(config.smtp.proxy) : new DirectDialler(),
    egress: new AddressPolicy(config.smtp.allowCidrs),
    seenAs: egressIps.length > 0 ? egressIps : config.smtp.proxy ? [] : globalOnes(localAddress),
    localAddress,
    timeServer,
    database,
    signal: over.signal,
  };
  const unasked = circumstances.offline
    ? Promise.resolve('offline: --offline was given')
    : whyNobodyCanBeAsked(around);
  try {
    return await Promise.all(CHECKS.map((check) => finding(check, around, unasked)));
  } finally {
    over.abort();
    await database.close();
  }
}

async function finding(
  check: Check,
  around: DoctorContext,
  unasked: Promise<string | null>,
): Promise<Examined> {
  const { name, why, network } = check;
  const asksOthers = typeof network === 'function' ? network(around.config) : network;
  const reason = asksOthers ? await unasked : null;
  const found = reason === null ? await check.run(around).catch(broken) : ofNobody(check, reason);
  return { check: name, why, ...found };
}

/** A silent resolver on a machine with a way out is a fault, and told once: in its own line. */
function ofNobody(check: Check, reason: string): Finding {
  if (check !== RESOLVER || reason.startsWith('offline')) return skipped(reason);
  return fail(reason, 'correct DNS_SERVERS, or let the firewall pass port 53, UDP and TCP, to the resolver');
}

function broken(error: unknown): Finding {
  const message = error instanceof Error ? error.message : String(error);
  return skipped(`the check itself failed: ${message}`, 'please report this');
}

/** null: the resolver answers, so there is somebody. */
async function whyNobodyCanBeAsked({
  names,
  clock,
  signal,
  localAddress,
}: DoctorContext): Promise<string | null> {
  const done = new AbortController();
  const silence = clock.pause(SILENCE_MS, AbortSignal.any([done.signal, signal])).then(() => null);
  const said = await Promise.race([names.mx(WELL_KNOWN), silence]);
  done.abort();
  if (said?.kind === 'no_domain') return `offline: to the name server here there is no ${WELL_KNOWN}`;
  if (said !== null && (said.kind !== 'error' || said.code === 'ESERVFAIL')) return null;
  const { ipv4, ipv6 } = localAddress;
  return ipv4 === null && ipv6 === null
    ? 'offline: this machine has no way to the Internet'
    : 'no name server answers';
}
