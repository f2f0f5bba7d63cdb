import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mailboxes } from '../../../test/support/smtp/smtp-behaviours.js';
import { SmtpServer } from '../../../test/support/smtp/smtp-server.js';
import { DirectDialler } from './dialler.js';

const NEVER = new AbortController().signal;
const dialler = new DirectDialler();

let server: SmtpServer;
beforeEach(async () => {
  server = await SmtpServer.start({ behaviour: mailboxes('jane') });
});
afterEach(() => server.stop());

describe('DirectDialler', () => {
  it('returns a connection without reading from it', async () => {
    const socket = await dialler.dial(server.host, server.port, 5_000, NEVER);
    const banner = await new Promise((resolve) => socket.once('data', resolve));
    expect(String(banner)).toBe('220 mx.test ESMTP\r\n');
    socket.destroy();
  });

  it('reports the side `target` on a refused connection, without the address', async () => {
    const { host, port } = server;
    await server.stop();
    await expect(dialler.dial(host, port, 5_000, NEVER)).rejects.toMatchObject({
      side: 'target',
      message: 'the connection failed: ECONNREFUSED',
    });
    server = await SmtpServer.start({ behaviour: mailboxes() });
  });

  it('reports the side `target` on a timeout, and closes the connection', async () => {
    await expect(dialler.dial(server.host, server.port, 0, NEVER)).rejects.toMatchObject({
      side: 'target',
    });
    await server.until(({ openConnections }) => openConnections === 0);
  });

  it('reports the side `undecided` when the caller aborts', async () => {
    const aborted = AbortSignal.abort();
    await expect(dialler.dial(server.host, server.port, 5_000, aborted)).rejects.toMatchObject({
      side: 'undecided',
    });
    await server.until(({ openConnections }) => openConnections === 0);
  });
});
