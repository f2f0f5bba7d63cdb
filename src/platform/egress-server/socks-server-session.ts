import type { Socket } from 'node:net';
import { addressOf } from '../net/ip-octets.js';
import {
  readOctets,
  ADDRESS_TYPE_NOT_SUPPORTED,
  AUTHENTICATION_VERSION,
  COMMAND_NOT_SUPPORTED,
  CONNECT,
  IPV4,
  IPV6,
  NAME,
  NOTHING_ACCEPTABLE,
  USERNAME_AND_PASSWORD,
  VERSION,
} from '../net/socks-protocol.js';

/** The request of a client: a connection to an address, or something that is not offered, with its reply code. */
export type SocksRequest = { ip: string; port: number } | { reply: number };

const LOGIN_FAILED = 1;

/** The client does not speak SOCKS5, or closed the connection. */
class BrokenSession extends Error {}

const read = (client: Socket, length: number) =>
  readOctets(client, length, () => new BrokenSession('the client closed the connection'));

/**
 * Reads the login of a client (RFC 1928 §3, RFC 1929); without a user and a password nobody is let in.
 *
 * @returns whether the client is logged in; false: it was told why not.
 */
export async function readLogin(
  client: Socket,
  isUser: (username: Buffer, password: Buffer) => boolean,
): Promise<boolean> {
  const [version, count = 0] = await read(client, 2);
  if (version !== VERSION || count === 0) throw new BrokenSession('not SOCKS5');
  const methods = await read(client, count);
  if (!methods.includes(USERNAME_AND_PASSWORD)) {
    client.end(Buffer.of(VERSION, NOTHING_ACCEPTABLE));
    return false;
  }
  client.write(Buffer.of(VERSION, USERNAME_AND_PASSWORD));
  const [loginVersion] = await read(client, 1);
  if (loginVersion !== AUTHENTICATION_VERSION) throw new BrokenSession('not RFC 1929');
  const isIn = isUser(await readText(client), await readText(client));
  if (isIn) client.write(Buffer.of(AUTHENTICATION_VERSION, 0));
  else client.end(Buffer.of(AUTHENTICATION_VERSION, LOGIN_FAILED));
  return isIn;
}

/** Reads the request (RFC 1928 §4). Names are not resolved: the client has checked an address, not a name. */
export async function readRequest(client: Socket): Promise<SocksRequest> {
  const [version, command, , type] = await read(client, 4);
  if (version !== VERSION) throw new BrokenSession('not SOCKS5');
  if (type === NAME) {
    await readText(client);
    await read(client, 2);
    return { reply: ADDRESS_TYPE_NOT_SUPPORTED };
  }
  if (type !== IPV4 && type !== IPV6) return { reply: ADDRESS_TYPE_NOT_SUPPORTED };
  const ip = textOf(await read(client, type === IPV4 ? 4 : 16));
  const port = (await read(client, 2)).readUInt16BE();
  return command === CONNECT ? { ip, port } : { reply: COMMAND_NOT_SUPPORTED };
}

/** A reply without the address of the connection, which is nobody's business. */
export function replyOf(code: number): Buffer {
  return Buffer.of(VERSION, code, 0, IPV4, 0, 0, 0, 0, 0, 0);
}

async function readText(client: Socket): Promise<Buffer> {
  const [length = 0] = await read(client, 1);
  // A read of nothing would wait for the next octet.
  return length === 0 ? Buffer.alloc(0) : read(client, length);
}

const MAPPED_PREFIX = Buffer.from('00000000000000000000ffff', 'hex');

/** An IPv4-mapped address is that IPv4 address (RFC 4291 §2.5.5.2), for the checks as for the system. */
function textOf(octets: Buffer): string {
  const isMapped = octets.subarray(0, MAPPED_PREFIX.length).equals(MAPPED_PREFIX);
  return addressOf(isMapped ? octets.subarray(MAPPED_PREFIX.length) : octets);
}
