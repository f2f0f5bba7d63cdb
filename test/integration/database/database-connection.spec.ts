import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { ConfigError } from '../../../src/platform/config/config.js';
import { connectedDataSource } from '../../../src/platform/database/connected-data-source.js';
import { connectionError, connectionFailure } from '../../../src/platform/database/connection-failure.js';
import type { EmbeddedDatabase } from '../../../src/platform/database/embedded/embedded-database.js';
import { SecretKeys } from '../../../src/platform/secrets/secret-keys.js';
import type { Log } from '../../../src/platform/telemetry/log.js';
import { aFreshDatabase } from '../../support/database/fresh-database.js';
import { TcpRelay } from '../../support/database/tcp-relay.js';
import { FakeClock } from '../../support/time/fake-clock.js';

const PASSWORD = 'hunter2';

/** A start that fails: the error, what was logged, and the time that it took. */
async function failedStart(url: string): Promise<{ error: Error; logged: string[]; ms: number }> {
  const clock = new FakeClock();
  const logged: string[] = [];
  const write = (facts: object, message: string) => void logged.push(`${JSON.stringify(facts)} ${message}`);
  const log: Log = { debug: write, info: write, warn: write, error: write };
  const embedded = { url: () => Promise.resolve(url), isOpen: false, close: () => Promise.resolve() };
  let error: Error | null = null;
  const starting = connectedDataSource({
    embedded: embedded as unknown as EmbeddedDatabase,
    secrets: new SecretKeys([randomBytes(32).toString('base64')]),
    migrations: 'wait',
    clock,
    log,
    entities: [],
  }).then(
    (dataSource) => dataSource.destroy(),
    (thrown: Error) => (error = thrown),
  );
  const isOver = starting.then(() => true);
  const turn = () => new Promise<false>((resolve) => setImmediate(resolve, false));
  while (!(await Promise.race([isOver, turn()]))) if (clock.pausing > 0) await clock.advance(500);
  if (error === null) throw new Error('it started');
  return { error, logged, ms: clock.monotonicMs() };
}

describe('a start without a connection to the database', () => {
  let database: Awaited<ReturnType<typeof aFreshDatabase>>;
  const servers: Server[] = [];
  const sockets: Socket[] = [];

  beforeAll(async () => {
    database = await aFreshDatabase();
  });
  afterAll(async () => {
    for (const socket of sockets) socket.destroy();
    for (const server of servers) server.close();
    await database.drop();
  });

  const changed = (base: string, change: (url: URL) => void) => {
    const url = new URL(base);
    change(url);
    return url.href;
  };

  /** A server that sends this to every client, and closes the connection. */
  async function aServer(reply: Buffer): Promise<string> {
    const server = createServer((socket) => {
      sockets.push(socket.on('error', () => undefined));
      socket.once('data', () => socket.end(reply));
    }).listen(0, '127.0.0.1');
    servers.push(server);
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    return `postgresql://rcpt:${PASSWORD}@127.0.0.1:${port}/rcpt`;
  }

  /** An ErrorResponse of the PostgreSQL protocol (54.7). */
  function errorResponse(code: string, message: string): Buffer {
    const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${message}\0\0`);
    const length = Buffer.alloc(4);
    length.writeInt32BE(fields.length + 4);
    return Buffer.concat([Buffer.from('E'), length, fields]);
  }

  it.each([
    [
      'a wrong password',
      (url: URL) => (url.password = PASSWORD),
      /password authentication failed .*%40 and %2F/,
    ],
    ['a user that does not exist', (url: URL) => (url.username = 'nobody'), /password authentication failed/],
    ['no password', (url: URL) => (url.password = ''), /requires a password, and the URL has none/],
    [
      'a database that does not exist',
      (url: URL) => (url.pathname = '/no_db'),
      /"no_db" does not exist\. Create/,
    ],
    ['TLS with a server that has none', (url: URL) => (url.search = '?ssl=true'), /SSL.*Change sslmode/],
  ])('for %s fails at once as a configuration error with host, port and cause', async (_, change, cause) => {
    // A client without a password leaves its session open until the socket is idle for 12 s. During that time
    // the server creates and deletes no database, for no spec.
    const { relay, url: base } = await TcpRelay.to(database.url);
    const url = changed(base, change);
    const { error, logged, ms } = await failedStart(url).finally(() => relay.close());
    expect(error).toBeInstanceOf(ConfigError);
    expect(error.message).toMatch(/^DATABASE_URL: no connection to 127\.0\.0\.1:\d+: /);
    expect(error.message).toContain(new URL(url).port);
    expect(error.message).toMatch(cause);
    expect([logged, ms]).toEqual([[], 0]);
  });

  it('for a host name that does not exist is a configuration error; one that cannot be resolved at present may pass', () => {
    // Not from a name server: without one, the system reports EAI_AGAIN for every name.
    const failureOf = (code: string) =>
      connectionFailure(
        Object.assign(new Error(`getaddrinfo ${code} db.example`), { code }),
        `postgresql://rcpt:${PASSWORD}@db.example:5433/rcpt`,
      )!;
    expect(failureOf('EAI_AGAIN').passes).toBe(true);
    const error = connectionError(failureOf('ENOTFOUND'));
    expect(error).toBeInstanceOf(ConfigError);
    expect(error.message).toBe(
      'DATABASE_URL: no connection to db.example:5433: the host name does not exist. Correct it. ' +
        'Write @ and / in a password as %40 and %2F, and %, ? and # as %25, %3F and %23.',
    );
  });

  it('for a user that pg_hba.conf does not admit fails at once with the message of the server', async () => {
    const message = 'no pg_hba.conf entry for host "10.0.0.9", user "rcpt", database "rcpt", no encryption';
    const { error, ms } = await failedStart(await aServer(errorResponse('28000', message)));
    expect(error).toBeInstanceOf(ConfigError);
    expect(error.message).toContain(message);
    expect(ms).toBe(0);
  });

  it.each([
    [
      'nothing listens',
      () => Promise.resolve(`postgresql://rcpt:${PASSWORD}@127.0.0.1:9/rcpt`),
      /nothing listens/,
    ],
    [
      'the server is starting',
      () => aServer(errorResponse('57P03', 'the database system is starting up')),
      /starting up/,
    ],
    ['the connection is closed', () => aServer(Buffer.alloc(0)), /the connection was closed/],
  ])(
    'while %s tries again for 30 s, logs host and cause once, and names them at the end',
    async (_, urlOf, cause) => {
      const url = await urlOf();
      const { host } = new URL(url);
      const { error, logged, ms } = await failedStart(url);
      expect(ms).toBeGreaterThan(30_000);
      expect(logged).toHaveLength(1);
      expect(logged[0]).toContain(`{"host":"${host}"} database not available: `);
      expect(logged[0]).toMatch(cause);
      expect(error.message.startsWith(`DATABASE_URL: no connection to ${host}: `)).toBe(true);
      expect(error.message).toMatch(cause);
      expect(error).not.toBeInstanceOf(ConfigError);
      expect(`${error.message}${logged.join()}`).not.toContain(PASSWORD);
    },
  );
});
