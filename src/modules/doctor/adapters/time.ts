import { createSocket } from 'node:dgram';
import { randomBytes } from 'node:crypto';
import { isIPv6 } from 'node:net';
import type { Clock } from '../../../kernel/clock.js';
import { fail, pass, skipped, warn, type Check, type CheckResult } from './check.js';

export const TIME_SERVER = { name: 'pool.ntp.org', port: 123 };

const NTP_TIMEOUT_MS = 3_000;
const WARN_SECONDS = 2;
const FAIL_SECONDS = 60;
const KEEP_TIME =
  'synchronize the system clock (systemd-timesyncd, chrony, or the clock of the host for a virtual machine)';

export const CLOCK: Check = {
  name: 'clock',
  why: 'retention, signatures of webhooks and payments, and certificates depend on it; some receivers reject timestamps that are minutes off',
  network: true,
  run: async ({ names, clock, timeServer, signal }) => {
    const lookup = await names.addresses(timeServer.name);
    const ip = lookup.kind === 'records' ? lookup.records[0] : undefined;
    const offset = ip === undefined ? null : await offsetFrom(ip, timeServer.port, clock, signal);
    if (offset === null)
      return skipped(
        `no time server answers (${timeServer.name}, UDP port ${timeServer.port})`,
        'if that port is blocked, check the clock with `timedatectl`',
      );
    return judgeOffset(offset, `${timeServer.name}`);
  },
};

export const DATABASE_CLOCK: Check = {
  name: 'database_clock',
  why: 'the day of a quota is that of the database; the expiry of keys and the deadlines of jobs use the clock of this machine',
  network: false,
  run: async ({ database }) => {
    const open = await database.opened();
    if ('absent' in open) return skipped('the embedded database is created at the first start');
    if ('error' in open) return skipped('the database does not answer');
    return judgeOffset(await database.clockOffsetSeconds(), 'the database');
  },
};

/** @param seconds offset of the other clock. */
function judgeOffset(seconds: number, other: string): CheckResult {
  const off = Math.abs(seconds);
  const found = `${off.toFixed(off < 10 ? 1 : 0)} s ${seconds > 0 ? 'behind' : 'ahead of'} ${other}`;
  if (off >= FAIL_SECONDS) return fail(`the clock is ${found}`, KEEP_TIME);
  if (off >= WARN_SECONDS) return warn(`the clock is ${found}`, KEEP_TIME);
  return pass(`the clock agrees with ${other}`);
}

const PACKET_BYTES = 48;
/** Version 4, client (RFC 5905 §7.3). */
const CLIENT = 0x23;
const SERVER_MODE = 4;
/** Seconds from 1900, where NTP's first era begins, to 1970. */
const ERA_SECONDS = 2_208_988_800;

/** Seconds that a time server is ahead of us (SNTP, RFC 5905 §14); null: no usable answer. */
function offsetFrom(ip: string, port: number, clock: Clock, signal: AbortSignal): Promise<number | null> {
  return new Promise((resolve) => {
    const socket = createSocket(isIPv6(ip) ? 'udp6' : 'udp4');
    const onAbort = new AbortController();
    const end = (offset: number | null) => {
      if (onAbort.signal.aborted) return;
      onAbort.abort();
      socket.close(() => resolve(offset));
    };
    const request = Buffer.alloc(PACKET_BYTES);
    request[0] = CLIENT;
    // The server returns it as the origin timestamp, which an attacker does not know.
    randomBytes(8).copy(request, 40);
    let sentMs = 0;
    socket.once('error', () => end(null));
    socket.once('connect', () => {
      sentMs = clock.now().getTime();
      socket.send(request);
    });
    socket.on('message', (packet) => {
      const isReply =
        packet.length >= PACKET_BYTES && packet.subarray(24, 32).equals(request.subarray(40, 48));
      if (!isReply || ((packet[0] ?? 0) & 7) !== SERVER_MODE) return;
      // Stratum 0 is a kiss-of-death packet (RFC 5905 §7.4).
      const between = (sentMs + clock.now().getTime()) / 2_000;
      const middle = (timestamp(packet, 32) + timestamp(packet, 40)) / 2;
      end(packet[1] === 0 ? null : middle - between);
    });
    const late = () => end(null);
    signal.addEventListener('abort', late, { once: true, signal: onAbort.signal });
    void clock.pause(NTP_TIMEOUT_MS, onAbort.signal).then(late);
    socket.connect(port, ip);
  });
}

/** Seconds since 1970. */
function timestamp(packet: Buffer, at: number): number {
  return packet.readUInt32BE(at) - ERA_SECONDS + packet.readUInt32BE(at + 4) / 2 ** 32;
}
