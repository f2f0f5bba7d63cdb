import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { connectionSentence, fileSentence, hostSentence } from './error-sentences.js';

const errorOf = (work: Promise<unknown>) =>
  work.then(
    () => new Error('it did not fail'),
    (error: unknown) => error,
  );

describe('an error of the file system becomes a sentence with the path', () => {
  it.each([
    ['ENOENT', () => readFile('/none/list.csv'), 'there is no file or folder /none/list.csv'],
    ['ENOTDIR', () => readFile('/dev/null/list.csv'), '/dev/null/list.csv is below a file, not a folder'],
    ['EISDIR', () => writeFile(tmpdir(), ''), `${tmpdir()} is a folder; name a file`],
  ])('%s', async (_, work, sentence) => {
    expect(fileSentence(await errorOf(work()))).toBe(sentence);
  });

  it('EACCES, and a disk that is full', () => {
    const denied = Object.assign(new Error('EACCES'), { code: 'EACCES', path: '/root/x' });
    expect(fileSentence(denied)).toMatch(/^this user may not read or write \/root\/x; change/);
    expect(fileSentence(Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' }))).toMatch(/^the disk is full/);
  });

  it('returns null for other errors', () => {
    expect(fileSentence(new Error('x'))).toBeNull();
    expect(connectionSentence(new Error('x'))).toBeNull();
  });
});

describe('a failed request becomes a sentence with the host', () => {
  let server: Server;
  let port: number;
  beforeAll(async () => {
    server = createServer((request) => request.socket.destroy()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
  });
  afterAll(() => {
    server.close();
  });

  it.each([
    ['no listener', () => 'http://127.0.0.1:2', /^no connection to HOST: nothing listens there$/],
    [
      'a connection that was closed',
      () => `http://127.0.0.1:${port}`,
      /^no connection to HOST: the connection was closed$/,
    ],
    [
      'no TLS',
      () => `https://127.0.0.1:${port}`,
      /HOST(?: does not speak TLS; write http:|: the connection was closed)/,
    ],
  ])('%s', async (_, urlOf, sentence) => {
    const error = await errorOf(fetch(urlOf()));
    const words = new RegExp(sentence.source.replace('HOST', 'verify\\.example:443'));
    expect(hostSentence(error, 'verify.example:443')).toMatch(words);
  });

  it.each([
    ['ENOTFOUND', 'no connection to verify.example:443: the host name does not exist'],
    [
      'ERR_SSL_WRONG_VERSION_NUMBER',
      'verify.example:443 does not speak TLS; write http:// instead of https://',
    ],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', /^the certificate of verify\.example:443 is not accepted \(DEPTH/],
    ['EWHATEVER', 'the request to verify.example:443 failed: EWHATEVER'],
  ])('%s', (code, sentence) => {
    const cause = Object.assign(new Error(code), { code });
    const error = new TypeError('fetch failed', { cause });
    const said = hostSentence(error, 'verify.example:443');
    if (typeof sentence === 'string') expect(said).toBe(sentence);
    else expect(said).toMatch(sentence);
  });

  it('a failed connection of a client library too', async () => {
    const [error] = (await once(connect(9, '127.0.0.1'), 'error')) as [Error];
    expect(connectionSentence(new AggregateError([error]))).toBe(
      'no connection to 127.0.0.1:9: nothing listens there',
    );
  });
});
