import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { appendFile, lstat, symlink } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { ListFolder } from '../../support/processes/list-folder.js';
import { MAIL_SCENES } from '../../support/mail/mail-scenes.js';
import { plain } from '../../support/mail/mail-scene.js';
import { MailWorld } from '../../support/mail/mail-world.js';
import { RcptProcess } from '../../support/processes/rcpt-process.js';
import { runRcpt } from '../../support/processes/run-rcpt.js';
import { greetingWith, SILENCE } from '../../support/smtp/smtp-behaviours.js';

/** Its server says nothing until the test gives it another behaviour. */
/** How the list is read. */
const READ: unknown = expect.stringMatching(/^rcpt: read with .*\n$/);
const SILENT = 'silent-until-released.mailworld';
const silent = { domain: SILENT, story: 'silent', servers: [greetingWith(SILENCE)], expect: {} };

describe('rows of rcpt bulk that are done before the first row', () => {
  let folder: ListFolder;
  let world: MailWorld;
  beforeAll(async () => {
    world = await MailWorld.start({ scenes: [...MAIL_SCENES, silent] });
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    folder = await ListFolder.make();
    world.server(SILENT).behaviour = greetingWith(SILENCE);
  });
  afterEach(async () => {
    await RcptProcess.endAll();
    await folder.remove();
  });

  const named = (args: readonly string[]) => args.map((arg) => (arg.endsWith('.csv') ? folder.in(arg) : arg));
  const rcpt = (...args: string[]) => runRcpt(['bulk', ...named(args)], world.env);
  const release = () => void (world.server(SILENT).behaviour = plain);
  const timesProbed = (email: string) =>
    world.server('plain.mailworld').commands.filter((line) => line.includes(`<${email}>`)).length;
  /** Waits until this number of rows is kept for a row before them. */
  const kept = async (rows: number) => {
    const rowsIn = (text: string) => text.split('\n').filter((line) => line.startsWith('{"index"')).length;
    while ((await folder.text('out.csv.kept').then(rowsIn, () => 0)) < rows) await pause(5);
  };
  const aProcess = (...args: string[]) =>
    RcptProcess.run(['../bin/rcpt.js', 'bulk', ...named(args)], world.env);

  it.each(['SIGINT', 'SIGKILL'] as const)(
    'are kept when %s ends it, so that only the first row is verified when it is run again',
    async (signal) => {
      const others = Array.from({ length: 300 }, (_, n) =>
        n % 3 === 0 ? `${signal.toLowerCase()}${n}@plain.mailworld` : `no address ${n}`,
      );
      const probed = others.filter((email) => email.includes('@'));
      await folder.writeList([`x@${SILENT}`, ...others]);
      const first = aProcess('list.csv', '-o', 'out.csv');
      await kept(300);
      expect(await folder.text('out.csv.part')).toBe('');
      await first.end(signal);
      const before = probed.map(timesProbed);
      if (signal === 'SIGINT')
        expect(first.stderr).toMatch(/\nrcpt: interrupted; run the same command again, which resumes\n$/);
      release();
      expect(await rcpt('list.csv', '-o', 'out.csv', '--json')).toMatchObject({
        ...{ code: 0, err: '' },
        out: expect.stringMatching(/"rows": 301,\n {2}"empty": 0,\n {2}"written": 301,/),
      });
      expect((await folder.rows('out.csv')).map(({ email }) => email)).toEqual([`x@${SILENT}`, ...others]);
      expect(new Set((await folder.rows('out.csv')).map(({ status }) => status))).not.toContain('');
      expect(before).not.toContain(0);
      expect(probed.map(timesProbed)).toEqual(before);
      expect(await folder.names()).toEqual(['list.csv', 'out.csv']);
    },
  );

  it('are kept for a run with the same list only, in whatever format it is written', async () => {
    await folder.writeList([`x@${SILENT}`, 'other@plain.mailworld']);
    const first = rcpt('list.csv', '-o', 'out.csv');
    await kept(1);
    const kill = await folder.snapshot();
    release();
    await first;
    await kill();
    await appendFile(folder.in('out.csv.kept'), '{"index":0,"email":"x@sil');
    const stored = await folder.text('out.csv.kept');
    const times = timesProbed('other@plain.mailworld');
    const { out } = await rcpt('list.csv', '-o', 'out.csv', '--only', 'undeliverable');
    expect(out).toContain(' of 2 rows');
    expect(await folder.rows('out.csv')).toContainEqual(
      expect.objectContaining({ email: 'other@plain.mailworld', verified_at: expect.stringMatching(/Z$/) }),
    );
    expect(timesProbed('other@plain.mailworld')).toBe(times);
    await folder.write('out.csv.kept', stored);
    await folder.writeList(['no address', 'other@plain.mailworld']);
    expect(await rcpt('list.csv', '-o', 'out.csv', '--force')).toMatchObject({ code: 0, err: READ });
    expect(timesProbed('other@plain.mailworld')).toBeGreaterThan(times);
  });

  it('are in files that only this user can read, which follow no link', async () => {
    await folder.writeList([`x@${SILENT}`, 'no address']);
    await folder.write('victim', 'precious');
    for (const name of ['out.csv.part', 'out.csv.progress.new', 'out.csv.kept.new', 'out.csv.kept'])
      await symlink(folder.in('victim'), folder.in(name));
    const running = rcpt('list.csv', '-o', 'out.csv');
    await kept(1);
    const modes = async (...names: string[]) =>
      Promise.all(names.map(async (name) => ((await lstat(folder.in(name))).mode & 0o170777).toString(8)));
    expect(await modes('out.csv.part', 'out.csv.kept')).toEqual(['100600', '100600']);
    release();
    expect(await running).toMatchObject({ code: 0, err: READ });
    expect(await modes('out.csv')).toEqual(['100600']);
    expect(await folder.text('victim')).toBe('precious');
  });
});
