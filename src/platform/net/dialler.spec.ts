import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mailboxes } from '../../../test/support/smtp-behaviours.js';
import { SmtpServer } from '../../../test/support/smtp-server.js';
import { DirectDialler } from './dialler.js';

const NEVER = new AbortController().signal;
const dialler = new DirectDialler();

let server: SmtpServer;
beforeEach(async () => {
  server = await SmtpServer.start({ behaviour: mailboxes('jane') });
});
afterEach(() => server.stop());

describe('dialling with nobody between', () => {
  it('gives a connection that nothing was read from', async () => {
    const socket = await dialler.dial(server.host, server.port, 5_000, NEVER);
    const banner = await new Promise((resolve) => socket.once('data', resolve));
    expect(String(banner)).toBe('220 mx.test ESMTP\r\n');
    socket.destroy();
  });

  it('fails by the target when it refuses, and names no address', async () => {
    const { host, port } = server;
    await server.stop();
    await expect(dialler.dial(host, port, 5_000, NEVER)).rejects.toMatchObject({
      fault: 'target',
      message: 'the connection failed: ECONNREFUSED',
    });
    server = await SmtpServer.start({ behaviour: mailboxes() });
  });

  it('fails by the target when the time is up, and leaves no connection', async () => {
    await expect(dialler.dial(server.host, server.port, 0, NEVER)).rejects.toMatchObject({
      fault: 'target',
    });
    await server.until(({ openConnections }) => openConnections === 0);
  });

  it('is undecided when the caller gives up', async () => {
    const given = AbortSignal.abort();
    await expect(dialler.dial(server.host, server.port, 5_000, given)).rejects.toMatchObject({
      fault: 'undecided',
    });
    await server.until(({ openConnections }) => openConnections === 0);
  });
});
