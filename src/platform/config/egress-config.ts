import { SocketAddress, isIP } from 'node:net';
import { DIRECT, keyOfRoute, type EgressSettings, type EgressRoute } from '../net/egress.js';
import { parseSocksProxy, type SocksProxy } from '../net/socks-proxy.js';
import { isEhloName, isSenderAddress, itemsOf } from './environment-values.js';

/** One item of `SMTP_EGRESS`; null: the common value applies. */
export interface EgressEntry extends Omit<EgressSettings, 'heloName' | 'mailFrom'> {
  heloName: string | null;
  mailFrom: string | null;
}

const MAX_EGRESSES = 64;
const NAME = /^[a-z0-9][a-z0-9._-]{0,39}$/i;
const FORM = 'such as direct, bind:198.51.100.7 or socks5://user:password@proxy.example.org:1080';
const ENCODED = 'a comma or semicolon in a user or password is written %2C or %3B';

/** @throws RangeError with the number of the item. The item is not quoted, because it may contain a password. */
export function parseEgresses(text: string): EgressEntry[] {
  const items = itemsOf(text);
  if (items.length === 0 || items.length > MAX_EGRESSES)
    throw new RangeError(`must be 1 to ${MAX_EGRESSES} egresses, comma-separated, ${FORM}`);
  const entries = items.map((item, index) => parseEntry(item, index + 1));
  for (const [index, entry] of entries.entries()) {
    const first = entries.findIndex(
      (other) => areSame(other.key, entry.key) || areSame(other.name, entry.name),
    );
    if (first !== index)
      throw new RangeError(
        `must not have items ${first + 1} and ${index + 1} with the same name: omit one, or add ;name= to tell them apart`,
      );
  }
  return entries;
}

function areSame(name: string, other: string): boolean {
  return name.toLowerCase() === other.toLowerCase();
}

/** @param position from 1. */
function parseEntry(item: string, position: number): EgressEntry {
  const must = `must have as item ${position}`;
  const [head = '', ...rest] = item.split(';').map((part) => part.trim());
  return entryOf(parseRoute(head, must), position, parseOptions(rest, must));
}

/** @param position from 1. */
export function entryOf(
  route: EgressRoute,
  position = 1,
  options: ReadonlyMap<string, string> = new Map<string, string>(),
): EgressEntry {
  return {
    key: options.get('name') ?? keyOfRoute(route),
    name: options.get('name') ?? unnamed(route, position),
    route,
    heloName: options.get('helo') ?? null,
    mailFrom: options.get('from') ?? null,
    isWarm: options.has('warmup'),
  };
}

/** Callers and the readers of metrics do not learn the addresses of the operator's machines. */
function unnamed({ kind }: EgressRoute, position: number): string {
  return kind === 'direct' ? DIRECT : `egress-${position}`;
}

function parseRoute(text: string, must: string): EgressRoute {
  if (/^direct$/i.test(text)) return { kind: 'direct' };
  if (/^bind:/i.test(text)) return { kind: 'bind', address: parseAddress(text.slice('bind:'.length), must) };
  if (/^socks5[hs]?:/i.test(text)) return { kind: 'socks5', proxy: parseProxy(text, must) };
  throw new RangeError(`${must} direct, bind: with an address, or a URL with socks5://; ${ENCODED}`);
}

function parseAddress(text: string, must: string): string {
  const inner = /^\[(.*)\]$/.exec(text)?.[1];
  const address = inner ?? text;
  const version = address.includes('%') ? 0 : isIP(address);
  if (version === 6 && inner === undefined)
    throw new RangeError(`${must} the IPv6 address in brackets, such as bind:[2001:db8::7]`);
  if (version === 0 || (version === 4) !== (inner === undefined))
    throw new RangeError(`${must} bind: with an address of this machine, such as bind:198.51.100.7`);
  const normalized =
    version === 4 ? address : new SocketAddress({ address, family: 'ipv6' }).address.toLowerCase();
  if (normalized.startsWith('::ffff:'))
    throw new RangeError(`${must} the IPv4 address itself, not an IPv4-mapped IPv6 address`);
  if (normalized === '0.0.0.0' || normalized === '::')
    throw new RangeError(`${must} one address; for any address write direct`);
  return normalized;
}

function parseProxy(text: string, must: string): SocksProxy {
  try {
    return parseSocksProxy(text);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new RangeError(`${must} a proxy that ${error.message}; ${ENCODED}`);
  }
}

const OPTIONS: Readonly<Record<string, { isValid(value: string): boolean; form: string }>> = {
  helo: {
    isValid: isEhloName,
    form: 'a host name such as helo=verify.example.org; an address is written helo=[192.0.2.1] or helo=[IPv6:2001:db8::1]',
  },
  from: {
    isValid: isSenderAddress,
    form: 'an address such as from=verify@example.org, without angle brackets',
  },
  warmup: { isValid: (value) => value === 'off', form: 'warmup=off, or no warmup=' },
  name: {
    isValid: (value) => NAME.test(value) && value.toLowerCase() !== 'direct',
    form: 'a name of 1 to 40 letters, digits, dots, hyphens and underscores, such as name=berlin-1, and not direct',
  },
};

function parseOptions(parts: readonly string[], must: string): Map<string, string> {
  const options = new Map<string, string>();
  for (const part of parts.filter((text) => text !== '')) {
    const [, key = '', value = ''] = /^([a-z]+)=(.*)$/is.exec(part) ?? [];
    const option = OPTIONS[key];
    if (option === undefined)
      throw new RangeError(`${must} only ${Object.keys(OPTIONS).join('=, ')}= after a semicolon; ${ENCODED}`);
    if (options.has(key)) throw new RangeError(`${must} ${key}= once`);
    if (!option.isValid(value.trim())) throw new RangeError(`${must} ${option.form}`);
    options.set(key, value.trim());
  }
  return options;
}
