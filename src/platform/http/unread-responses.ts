import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { clientNetworkOf } from '../net/client-network.js';
import type { AuthenticatedRequest } from './request/request-log.js';

/** Bytes of responses that were made and that the clients have not read yet, in this process. */
export const UNREAD_BYTES = { perOwner: 16_000_000, total: 64_000_000 };
/** A client that reads more slowly is disconnected, in bytes a second, after the first minute. */
const SLOWEST = { bytesPerSecond: 20_000, graceMs: 60_000 };

/** The setting of the Express application. */
export const UNREAD = 'unread responses';

interface Unread {
  socket: Socket;
  bytes: number;
}

/** The unread responses of an owner, oldest first. */
interface Owner {
  responses: Set<Unread>;
  bytes: number;
}

/**
 * Bounds the memory of responses that clients read slowly or not at all, by team or client network and in total.
 * It counts what the operating system has not taken; most responses are taken at once. A streamed response is
 * counted at its end: it is made at the pace of its client, and the number of streams is bounded.
 */
export class UnreadResponses {
  /** An owner with nothing unread has no entry. */
  private readonly owners = new Map<string, Owner>();
  private bytes = 0;

  constructor(
    private readonly limits = UNREAD_BYTES,
    private readonly slowest = SLOWEST,
  ) {}

  /** Whether the owner has to read earlier responses before it gets others. */
  isFull(owner: string): boolean {
    return this.bytesOf(owner) >= this.limits.perOwner / 2;
  }

  /** To be called before the response is made. */
  watch(request: IncomingMessage, response: ServerResponse): void {
    // After the whole response was made and offered to the operating system.
    response.once('prefinish', () => {
      const { socket } = response;
      if (socket !== null && socket.writableLength > 0) this.add(ownerOf(request), socket, response);
    });
  }

  private add(owner: string, socket: Socket, response: ServerResponse): void {
    const unread = { socket, bytes: socket.writableLength };
    // With a reset an incomplete response is not mistaken for a complete one.
    if (this.bytesOf(owner) + unread.bytes > this.limits.perOwner) return void socket.resetAndDestroy();
    const entry = this.owners.get(owner) ?? { responses: new Set(), bytes: 0 };
    this.owners.set(owner, entry);
    entry.responses.add(unread);
    entry.bytes += unread.bytes;
    this.bytes += unread.bytes;
    const { graceMs, bytesPerSecond } = this.slowest;
    const deadlineMs = graceMs + (unread.bytes / bytesPerSecond) * 1_000;
    const late = setTimeout(() => socket.resetAndDestroy(), deadlineMs).unref();
    response.once('close', () => {
      clearTimeout(late);
      this.remove(owner, unread);
    });
    while (this.bytes > this.limits.total) this.dropOneOfLargest();
  }

  /** So that clients which read their responses are not disconnected because others do not. */
  private dropOneOfLargest(): void {
    const [first, ...others] = this.owners;
    if (first === undefined) return;
    const [owner, { responses }] = others.reduce(
      (found, entry) => (entry[1].bytes > found[1].bytes ? entry : found),
      first,
    );
    for (const oldest of [...responses].slice(0, 1)) {
      this.remove(owner, oldest);
      oldest.socket.resetAndDestroy();
    }
  }

  private remove(owner: string, unread: Unread): void {
    const entry = this.owners.get(owner);
    if (entry?.responses.delete(unread) !== true) return;
    entry.bytes -= unread.bytes;
    this.bytes -= unread.bytes;
    if (entry.responses.size === 0) this.owners.delete(owner);
  }

  private bytesOf(owner: string): number {
    return this.owners.get(owner)?.bytes ?? 0;
  }
}

/** The team, or the network of a client without a key. */
export function ownerOf(request: IncomingMessage): string {
  const { principal, ip } = request as AuthenticatedRequest;
  return principal?.teamId ?? clientNetworkOf(ip ?? request.socket.remoteAddress ?? '');
}
