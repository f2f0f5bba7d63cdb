import { nameOfServer, type DnsServer } from '../../../platform/net/dns-server.js';
import { failureIn } from './dns-message.js';
import type { ServerReply } from './dns-transport.js';

/** What a server has said, for people. */
export function sayingOf(reply: ServerReply): string {
  if (reply.kind === 'packet') return failureIn(reply.packet);
  return reply.kind === 'silent' ? 'no response' : 'unreachable, or its response is no DNS message';
}

/** Of the first three servers. */
export function errorOf(failures: ReadonlyMap<DnsServer, string>): string | undefined {
  if (failures.size === 0) return undefined;
  return [...failures]
    .slice(0, 3)
    .map(([server, saying]) => `${nameOfServer(server)}: ${saying}`)
    .join('; ');
}
