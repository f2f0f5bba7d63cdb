import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MailWorld } from '../../support/mail/mail-world.js';
import { freePort } from '../../support/processes/free-port.js';
import { RcptProcess } from '../../support/processes/rcpt-process.js';
import { runRcpt } from '../../support/processes/run-rcpt.js';

describe('rcpt egress', () => {
  let world: MailWorld;
  let dataDir: string;
  let listen: string;
  let egress: RcptProcess;
  let item: string;
  beforeAll(async () => {
    world = await MailWorld.start();
    dataDir = await mkdtemp(join(tmpdir(), 'rcpt-egress-'));
    listen = `127.0.0.1:${await freePort()}`;
    egress = run();
    item = await itemOf(egress);
  }, 60_000);
  afterAll(async () => {
    await RcptProcess.endAll();
    await world.stop();
    await rm(dataDir, { recursive: true });
  });

  const run = () =>
    RcptProcess.run(['../bin/rcpt.js', 'egress', '--listen', listen, '--port', String(world.smtp.port)], {
      ...world.env,
      DATA_DIR: dataDir,
      SMTP_HELO_NAME: 'egress.mailworld',
    });
  const itemOf = async (process: RcptProcess) => {
    const said = () => /^SMTP_EGRESS=(.*)\n/m.exec(process.stdout)?.[1];
    await process.until(() => said() !== undefined);
    return said() ?? '';
  };
  const verify = async (email: string) => {
    const env = { ...world.env, SMTP_EGRESS: item, EGRESS_WARMUP: 'off', LOG_LEVEL: 'silent' };
    const { out } = await runRcpt(['verify', email, '--json'], env);
    return JSON.parse(out) as { reason: string; smtp: { egress: string } | null };
  };

  it('prints the findings of the doctor, and the item of SMTP_EGRESS that leads to it', () => {
    const [findings = '', line] = egress.stdout.split('The egress accepts connections');
    expect(findings).toMatch(/^(fail|skipped|warn) /m);
    expect(findings).not.toMatch(/^\w+ +(database|queue|payments)/m);
    expect(line).toContain(`SMTP_EGRESS=${item}\n`);
    expect(item).toMatch(
      new RegExp(`^socks5s://rcpt:[\\w-]{32}@${listen}\\?pin=sha256:[\\da-f]{64};helo=egress\\.mailworld$`),
    );
  });

  it('is used with that item', async () => {
    expect(await verify('jane@plain.mailworld')).toMatchObject({
      reason: 'accepted_email',
      smtp: { egress: 'egress-1' },
    });
    expect(world.server('plain.mailworld').commandsOf('EHLO')).toContain('EHLO egress.mailworld');
    expect(await verify('ghost@plain.mailworld')).toMatchObject({ reason: 'mailbox_not_found' });
  });

  it('keeps certificate and password for its owner, and prints the same after it was killed', async () => {
    expect((await stat(join(dataDir, 'egress.json'))).mode & 0o777).toBe(0o600);
    await egress.end('SIGKILL');
    expect(await verify('ghost@plain.mailworld')).toMatchObject({ reason: 'egress_unavailable' });
    egress = run();
    expect(await itemOf(egress)).toBe(item);
    expect(await verify('ghost@plain.mailworld')).toMatchObject({ reason: 'mailbox_not_found' });
  }, 60_000);

  it('ends with 0 on SIGTERM', async () => {
    expect(await egress.end('SIGTERM')).toBe(0);
    expect(egress.stderr).toBe('');
  });

  it.each([
    ['--listen', 'localhost:1080'],
    ['--listen', '127.0.0.1'],
    ['--listen', '::1:1080'],
    ['--listen', '127.0.0.1:0'],
    ['--port', '65536'],
  ])('refuses %s %s', async (...args) => {
    expect((await runRcpt(['egress', ...args], {})).code).toBe(64);
  });
});
