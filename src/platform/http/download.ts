import { StreamableFile } from '@nestjs/common';
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';

/** A client that takes nothing for so long is gone, or keeps its place from others. */
const STALLED_MS = 60_000;

export interface Download {
  text: AsyncIterable<string>;
  /** The media type. */
  type: string;
  /** Called once the answer is sent, or broken off. */
  onClose: () => void;
}

/**
 * An answer that is sent while it is read. If its text fails on the way, or the client takes nothing of
 * it for a while, the connection is reset: an answer that is not whole does not look like one, also in
 * HTTP/1.0, where the end of the connection is the end of the answer.
 */
export function download(
  response: ServerResponse,
  { text, type, onClose }: Download,
  stalledMs = STALLED_MS,
): StreamableFile {
  const source = Readable.from(text, { highWaterMark: 1 });
  const breakOff = () => response.socket?.resetAndDestroy();
  const close = () => {
    source.destroy();
    onClose();
  };
  source.once('error', breakOff);
  // The server's own listeners are ten already, which Node takes for a leak from the next one on.
  response.setMaxListeners(response.getMaxListeners() + 1);
  // The client may be gone before there is anything to send.
  if (response.closed || response.destroyed) close();
  else response.once('close', close);
  response.setTimeout(stalledMs, breakOff);
  // Nest would answer an error of the stream itself.
  return new StreamableFile(source, { type }).setErrorHandler(() => undefined);
}
