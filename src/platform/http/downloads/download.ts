import { StreamableFile } from '@nestjs/common';
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { onClientGone } from '../request/client-gone.js';

export interface Download {
  text: AsyncIterable<string | Buffer>;
  type: string;
  /** Called once, after the response was sent or aborted. */
  onClose: () => void;
  /** Aborts the response. */
  signal?: AbortSignal;
}

/**
 * A streamed response. If the source fails, the connection is reset, so that an incomplete response is not
 * mistaken for a complete one. This includes HTTP/1.0, where closing the connection ends the response.
 * `createHttpServer` does the same if the client stalls.
 */
export function download(
  response: ServerResponse,
  { text, type, onClose, signal }: Download,
): StreamableFile {
  const source = Readable.from(text, { highWaterMark: 1, ...(signal && { signal }) });
  const close = () => {
    source.destroy();
    onClose();
  };
  source.once('error', () => response.socket?.resetAndDestroy());
  // The server adds ten listeners; Node warns about a leak from the eleventh on.
  response.setMaxListeners(response.getMaxListeners() + 1);
  onClientGone(response, close);
  // Without a handler Nest would send an error response.
  return new StreamableFile(source, { type }).setErrorHandler(() => undefined);
}
