import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseEmailAddress } from '../../../src/engine/address/email-address.js';
import { address, anyText } from '../../support/verification/address-texts.js';
import { mailboxes } from '../../support/smtp/smtp-behaviours.js';
import { ask } from '../../support/smtp/smtp-probe.js';
import { SmtpServer } from '../../support/smtp/smtp-server.js';

let server: SmtpServer;
beforeAll(async () => {
  server = await SmtpServer.start({ behaviour: { ...mailboxes(), extensions: ['SMTPUTF8', 'PIPELINING'] } });
});
afterAll(() => server.stop());

/**
 * A single command: no line break inside, and at most one path. Other angle brackets are inside a quoted
 * string of the path.
 */
const COMMAND =
  /^(?:EHLO|HELO|MAIL FROM:|RCPT TO:|RSET|QUIT|NOOP)[^\r\n\0<>]*(?:<(?:"(?:\\[ -~]|[^"\\\r\n\0])*"|[^"\r\n\0<>])*>[^\r\n\0<>]*)?$/;

it('for every address the server receives complete commands, with the mailbox in NFC and then as written', async () => {
  let asked = 0;
  await fc.assert(
    fc.asyncProperty(fc.oneof(address, anyText), async (text) => {
      const parsed = parseEmailAddress(text);
      if (!parsed.ok) return;
      asked += 1;
      const { mailbox, mailboxAsWritten } = parsed.address;
      const before = server.commands.length;
      await ask(server.port, { recipient: text, hosts: { 'mx.test': ['127.0.0.1'] } });
      const commands = server.commands.slice(before);
      expect(commands.filter((command) => !COMMAND.test(command))).toEqual([]);
      expect(commands.filter((command) => command.startsWith('RCPT'))).toEqual([
        ...new Set([mailbox, mailboxAsWritten ?? mailbox].map((spelling) => `RCPT TO:<${spelling}>`)),
      ]);
    }),
    { numRuns: 300 },
  );
  expect(asked).toBeGreaterThan(20);
});

it('an address that would end its command early is never probed', async () => {
  const before = server.connections;
  for (const text of [
    '"a>\r\nDATA"@x.com',
    '"a\nQUIT"@x.com',
    '"a\0"@x.com',
    'a>@x.com',
    'a@x.com>\r\nDATA',
  ]) {
    await expect(ask(server.port, { recipient: text, hosts: { 'mx.test': ['127.0.0.1'] } })).rejects.toThrow(
      RangeError,
    );
  }
  expect(server.connections).toBe(before);
});
