import { isIP } from 'node:net';
import { nonGlobalRange } from '../../../platform/net/address-policy.js';
import type { EgressSettings } from '../../../platform/net/egress.js';
import { InvalidEgressAddress } from '../domain/invalid-egress-address.js';
import { globalAddresses, type DoctorContext } from './doctor-context.js';

interface GivenAddress {
  /** null: of the only egress, or of `direct`. */
  egress: string | null;
  ip: string;
}

/** `address` or `egress=address`. */
function parse(text: string): GivenAddress {
  const at = text.lastIndexOf('=');
  return { egress: at === -1 ? null : text.slice(0, at), ip: text.slice(at + 1) };
}

/** @throws InvalidEgressAddress */
export function checkAddresses(texts: readonly string[], egresses: readonly EgressSettings[]): void {
  const names = egresses.map(({ name }) => name);
  for (const { egress, ip } of texts.map(parse)) {
    if (isIP(ip) === 0 || ip.includes('%'))
      throw new InvalidEgressAddress('--egress-ip must be an address, such as 203.0.113.25');
    if (egress !== null && !names.includes(egress))
      throw new InvalidEgressAddress(
        `--egress-ip must name an egress of SMTP_EGRESS before the equals sign: ${names.join(', ')}`,
      );
  }
}

/** The addresses that mail servers see of an egress; empty: they cannot be determined here. */
export function publicAddressesOf(
  { name, route }: EgressSettings,
  egresses: readonly EgressSettings[],
  given: readonly string[],
  localAddress: DoctorContext['localAddress'],
): readonly string[] {
  const acceptsUnnamed = egresses.length === 1 || route.kind === 'direct';
  const own = given
    .map(parse)
    .filter(({ egress }) => (egress === null ? acceptsUnnamed : egress === name))
    .map(({ ip }) => ip);
  if (own.length > 0) return own;
  if (route.kind === 'direct') return globalAddresses(localAddress);
  return route.kind === 'bind' && nonGlobalRange(route.address) === null ? [route.address] : [];
}
