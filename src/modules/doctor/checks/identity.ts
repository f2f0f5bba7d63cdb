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
import { spfResult, type SpfResult } from './spf.js';

export const SET_EGRESS_IP =
  'set EGRESS_IPS to the public address, that of the gateway or of the proxy (with several egresses: NAME=ADDRESS), or run it again with --egress-ip';

/** A finding for each public address. */
async function forEachAddress(
  context: DoctorContext,
  check: (ip: string) => Promise<CheckResult>,
): Promise<CheckResult> {
  if (context.publicAddresses.length > 0)
    return worstOf(await Promise.all(context.publicAddresses.map(check)));
  const { egress, localAddress } = context;
  const own = localAddress.ipv4 ?? localAddress.ipv6;
  const { route } = egress;
  const reason =
    route.kind === 'socks5'
      ? 'mail servers see the proxy'
      : `this machine sends from ${route.kind === 'bind' ? route.address : (own ?? 'nowhere')}, which is not a public address`;
  return skipped(`the public address cannot be determined from here: ${reason}`, SET_EGRESS_IP);
}

export const EHLO_NAME: Check = {
  check: 'ehlo_name',
  why: 'servers resolve our EHLO name, and reject clients whose name has no address or that of another machine',
  network: true,
  perEgress: true,
  run: async (context) => {
    const { heloName } = context.egress;
    if (heloName.startsWith('['))
      return warn(
        `${heloName} is an address`,
        'set SMTP_HELO_NAME to the reverse name of the address: many servers refuse address literals',
      );
    if (!heloName.includes('.') || isIP(heloName) !== 0)
      return fail(
        `${heloName} is not a public host name`,
        'set SMTP_HELO_NAME to a whole host name, such as verify.example.org',
      );
    const lookup = await context.names.addresses(heloName);
    if (lookup.kind === 'error') return skipped(`${heloName} could not be looked up (${lookup.code})`);
    if (lookup.kind !== 'records')
      return fail(
        `${heloName} has no address`,
        `give ${heloName} an A (or AAAA) record with the address that mail servers see`,
      );
    const { records } = lookup;
    return forEachAddress(context, async (ip) =>
      records.includes(ip)
        ? pass(`${heloName} resolves to ${ip}`)
        : fail(
            `${heloName} resolves to ${records.join(', ')} and not to ${ip}`,
            `correct the address record of ${heloName}, or set SMTP_HELO_NAME to the reverse name of ${ip}`,
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

async function reverseNameOf(ip: string, { names, egress }: DoctorContext): Promise<CheckResult> {
  const { heloName } = egress;
  const reverseNameAdvice = `ask who owns the address (your hosting provider; often a field in its console) to set the reverse name of ${ip} to ${heloName}`;
  const lookup = await names.pointers(ip);
  if (lookup.kind === 'error')
    return skipped(`the reverse name of ${ip} could not be looked up (${lookup.code})`);
  if (lookup.kind !== 'records') return fail(`${ip} has no reverse name`, reverseNameAdvice);
  const name = lookup.records.find((record) => record === heloName.toLowerCase()) ?? lookup.records[0] ?? '';
  const forward = await names.addresses(name);
  if (forward.kind === 'error')
    return skipped(`${name}, the reverse name of ${ip}, could not be looked up (${forward.code})`);
  if (forward.kind !== 'records' || !forward.records.includes(ip))
    return fail(
      `the reverse name of ${ip} is ${name}, which does not resolve back`,
      `${reverseNameAdvice}, and make sure that this name has ${ip} as its address`,
    );
  if (name !== heloName.toLowerCase())
    return warn(
      `the reverse name of ${ip} is ${name}, and the EHLO name is ${heloName}`,
      `set SMTP_HELO_NAME to ${name}, or ${reverseNameAdvice}`,
    );
  return pass(`the reverse name of ${ip} is ${name}, which resolves back`);
}

export const SENDER_DOMAIN: Check = {
  check: 'sender_domain',
  why: 'many servers refuse a sender whose domain accepts no mail, before they answer about a recipient',
  network: true,
  perEgress: true,
  run: async ({ names, egress }) => {
    const domain = senderDomain(egress.mailFrom);
    const mx = await names.mx(domain);
    if (mx.kind === 'error') return skipped(`${domain} could not be looked up (${mx.code})`);
    if (mx.kind === 'records' && mx.records.some((host) => host !== ''))
      return pass(`${domain} accepts mail at ${mx.records[0] ?? ''}`);
    const setIt = 'set SMTP_MAIL_FROM to an address that exists, in a domain of yours that accepts mail';
    if (mx.kind === 'records') return fail(`${domain} declares that it accepts no mail (RFC 7505)`, setIt);
    const own = await names.addresses(domain);
    if (own.kind === 'error') return skipped(`${domain} could not be looked up (${own.code})`);
    if (own.kind === 'records')
      return warn(`${domain} has an address and no MX record`, `give ${domain} an MX record, or ${setIt}`);
    return fail(`${domain} accepts no mail: it has no MX record and no address`, setIt);
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

const POLICY: Readonly<Record<SpfResult, (domain: string, ip: string) => CheckResult>> = {
  pass: (domain, ip) => pass(`${domain} lets ${ip} send`),
  fail: (domain, ip) => fail(`the SPF record of ${domain} does not allow ${ip} (fail)`, addTo(domain, ip)),
  softfail: (domain, ip) =>
    warn(`the SPF record of ${domain} does not allow ${ip} (softfail)`, addTo(domain, ip)),
  neutral: (domain, ip) =>
    warn(`the SPF record of ${domain} says nothing about ${ip} (neutral)`, addTo(domain, ip)),
  none: (domain, ip) =>
    warn(`${domain} has no SPF record`, `add the TXT record "v=spf1 ${term(ip)} -all" to ${domain}`),
  permerror: (domain) =>
    fail(
      `the SPF record of ${domain} cannot be read`,
      `let ${domain} have one SPF record, without unknown terms, that needs at most 10 look-ups (RFC 7208 §4.6)`,
    ),
  temperror: (domain) => skipped(`the SPF record of ${domain} could not be looked up`),
  unsure: (domain, ip) =>
    skipped(
      `the SPF record of ${domain} has terms that depend on the message`,
      `make sure that it includes ${ip}`,
    ),
};

const term = (ip: string) => `${isIPv4(ip) ? 'ip4' : 'ip6'}:${ip}`;
const addTo = (domain: string, ip: string) =>
  `add ${term(ip)} to the SPF record of ${domain}, before its "all"`;

function senderDomain(mailFrom: string): string {
  return mailFrom.slice(mailFrom.lastIndexOf('@') + 1).toLowerCase();
}
