import { isIP, isIPv4 } from 'node:net';
import {
  fail,
  worstOf,
  pass,
  skipped,
  warn,
  type Check,
  type CheckResult,
  type DoctorContext,
} from './check.js';
import { found, remedy } from '../domain/sentences.js';
import { spfResult, type SpfResult } from './spf.js';

export const SET_PUBLIC_ADDRESS = remedy('set_public_address', {});

/** A finding for each public address. */
async function forEachAddress(
  context: DoctorContext,
  check: (ip: string) => Promise<CheckResult>,
): Promise<CheckResult> {
  if (context.publicAddresses.length > 0)
    return worstOf(await Promise.all(context.publicAddresses.map(check)));
  const { egress, localAddress } = context;
  const { route } = egress;
  const own = localAddress.ipv4 ?? localAddress.ipv6;
  if (route.kind === 'socks5') return skipped(found('behind_proxy', {}), SET_PUBLIC_ADDRESS);
  const address = route.kind === 'bind' ? route.address : own;
  if (address === null) return skipped(found('no_route', {}), SET_PUBLIC_ADDRESS);
  return skipped(found('behind_gateway', { address }), SET_PUBLIC_ADDRESS);
}

export const EHLO_NAME: Check = {
  check: 'ehlo_name',
  why: 'servers resolve our EHLO name, and reject clients whose name has no address or that of another machine',
  network: true,
  perEgress: true,
  run: async (context) => {
    const { heloName: name } = context.egress;
    if (name.startsWith('['))
      return warn(found('name_is_literal', { name }), remedy('set_name_to_reverse', {}));
    if (!name.includes('.') || isIP(name) !== 0)
      return fail(found('name_not_public', { name }), remedy('set_whole_name', {}));
    const lookup = await context.names.addresses(name);
    if (lookup.kind === 'error') return skipped(found('name_not_looked_up', { name, error: lookup.code }));
    if (lookup.kind !== 'records')
      return fail(found('name_without_address', { name }), remedy('give_name_address', { name }));
    const { records } = lookup;
    return forEachAddress(context, async (address) =>
      records.includes(address)
        ? pass(found('name_resolves', { name, address }))
        : fail(
            found('name_resolves_elsewhere', { name, addresses: records.join(', '), address }),
            remedy('correct_name_address', { name, address }),
          ),
    );
  },
};

export const REVERSE_NAME: Check = {
  check: 'reverse_name',
  why: 'large providers reject clients whose address has no reverse name that resolves back to it',
  network: true,
  perEgress: true,
  run: (context) => forEachAddress(context, (ip) => reverseNameOf(ip, context)),
};

async function reverseNameOf(address: string, { names, egress }: DoctorContext): Promise<CheckResult> {
  const ehlo = egress.heloName;
  const lookup = await names.pointers(address);
  if (lookup.kind === 'error')
    return skipped(found('reverse_not_looked_up', { address, error: lookup.code }));
  if (lookup.kind !== 'records')
    return fail(found('reverse_missing', { address }), remedy('set_reverse', { address, name: ehlo }));
  const name = lookup.records.find((record) => record === ehlo.toLowerCase()) ?? lookup.records[0] ?? '';
  const forward = await names.addresses(name);
  if (forward.kind === 'error')
    return skipped(found('reverse_name_not_looked_up', { name, address, error: forward.code }));
  if (forward.kind !== 'records' || !forward.records.includes(address))
    return fail(
      found('reverse_not_back', { address, name }),
      remedy('set_reverse_and_forward', { address, name: ehlo }),
    );
  if (name !== ehlo.toLowerCase())
    return warn(
      found('reverse_is_other', { address, name, ehlo }),
      remedy('use_reverse_or_set', { reverse: name, address, name: ehlo }),
    );
  return pass(found('reverse_matches', { address, name }));
}

export const SENDER_DOMAIN: Check = {
  check: 'sender_domain',
  why: 'many servers refuse a sender whose domain accepts no mail, before they answer about a recipient',
  network: true,
  perEgress: true,
  run: async ({ names, egress }) => {
    const domain = senderDomain(egress.mailFrom);
    const mx = await names.mx(domain);
    if (mx.kind === 'error') return skipped(found('name_not_looked_up', { name: domain, error: mx.code }));
    if (mx.kind === 'records' && mx.records.some((host) => host !== ''))
      return pass(found('domain_accepts', { domain, host: mx.records[0] ?? '' }));
    if (mx.kind === 'records') return fail(found('domain_null_mx', { domain }), remedy('set_sender', {}));
    const own = await names.addresses(domain);
    if (own.kind === 'error') return skipped(found('name_not_looked_up', { name: domain, error: own.code }));
    if (own.kind === 'records')
      return warn(found('domain_without_mx', { domain }), remedy('give_mx_or_set_sender', { domain }));
    return fail(found('domain_without_mail', { domain }), remedy('set_sender', {}));
  },
};

export const SENDER_POLICY: Check = {
  check: 'sender_policy',
  why: 'the SPF record of the sender domain lists the addresses that may send for it; servers may refuse or defer others',
  network: true,
  perEgress: true,
  run: (context) => {
    const domain = senderDomain(context.egress.mailFrom);
    return forEachAddress(context, async (ip) =>
      POLICY[await spfResult(context.names, domain, ip)](domain, ip),
    );
  },
};

const POLICY: Readonly<Record<SpfResult, (domain: string, address: string) => CheckResult>> = {
  pass: (domain, address) => pass(found('spf_pass', { domain, address })),
  fail: (domain, address) => fail(found('spf_fail', { domain, address }), addTo(domain, address)),
  softfail: (domain, address) => warn(found('spf_softfail', { domain, address }), addTo(domain, address)),
  neutral: (domain, address) => warn(found('spf_neutral', { domain, address }), addTo(domain, address)),
  none: (domain, address) =>
    warn(found('spf_missing', { domain }), remedy('add_spf', { term: term(address), domain })),
  permerror: (domain) => fail(found('spf_unreadable', { domain }), remedy('correct_spf', { domain })),
  temperror: (domain) => skipped(found('spf_not_looked_up', { domain })),
  unsure: (domain, address) =>
    skipped(found('spf_depends', { domain }), remedy('include_in_spf', { address })),
};

const term = (ip: string) => `${isIPv4(ip) ? 'ip4' : 'ip6'}:${ip}`;
const addTo = (domain: string, address: string) => remedy('add_to_spf', { term: term(address), domain });

function senderDomain(mailFrom: string): string {
  return mailFrom.slice(mailFrom.lastIndexOf('@') + 1).toLowerCase();
}
