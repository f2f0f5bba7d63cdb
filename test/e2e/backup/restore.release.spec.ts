import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { randomBytes } from 'node:crypto';
import { copyFile, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { archivedOf, BackupScene, onDatabase } from '../../support/database/backup-scene.js';
import { DataDirs } from '../../support/database/data-dirs.js';
import { aCopyOf } from '../../support/database/fresh-database.js';
import { contentsOf } from '../../support/database/planted-rows.js';

const PASSPHRASE = 'correct horse battery staple';
const NOTHING = /Nothing was changed\.|nothing was changed/;

describe('an archive of rcpt backup', () => {
  const dataDirs = new DataDirs();
  let scene: BackupScene;

  beforeAll(async () => {
    scene = await BackupScene.open();
  });
  beforeEach(() => scene.next());
  afterEach(() => dataDirs.removeAll());
  afterAll(() => scene.close());

  it('is refused by a database with rows or with other tables, which it does not change', async () => {
    await onDatabase(scene.target.url, (found) => found.query('CREATE TABLE other (id integer)'));
    const refused = await scene.restore([scene.archive]);
    expect([refused.code, refused.err]).toEqual([64, expect.stringMatching(NOTHING)]);
    expect(Object.keys(await contentsOf(scene.target.url))).toEqual(['other', 'sequences']);

    const used = await aCopyOf(scene.source.url);
    const before = await contentsOf(used.url);
    const { code, err } = await scene.restore([scene.archive], { DATABASE_URL: used.url });
    expect([code, err]).toEqual([
      64,
      expect.stringMatching(/^rcpt: The database is not empty \(its table .* has rows\)/),
    ]);
    expect(await contentsOf(used.url)).toEqual(before);
    await used.drop();
  });

  it('is refused when it is of a newer schema, and names the version to install', async () => {
    const newer = await aCopyOf(scene.source.url);
    await onDatabase(newer.url, (found) =>
      found.query("INSERT INTO migrations (timestamp, name) VALUES (9000000000000, 'Later9000000000000')"),
    );
    const path = join(scene.folder, 'newer.backup');
    expect((await scene.rcpt(['backup', path], newer.url)).code).toBe(0);
    await newer.drop();
    const { code, err } = await scene.restore([path]);
    expect([code, err]).toEqual([
      65,
      expect.stringMatching(/Later9000000000000\): install Rcpt \S+ or later\./),
    ]);
    expect(err).toMatch(NOTHING);
    expect(await scene.isEmpty()).toBe(true);
  });

  it.each([
    ['cut off', (bytes: Buffer) => bytes.subarray(0, -1), 'cut off'],
    ['without its second half', (bytes: Buffer) => bytes.subarray(0, bytes.length / 2), 'cut off'],
    ['empty', () => Buffer.alloc(0), 'cut off'],
    ['continued', (bytes: Buffer) => Buffer.concat([bytes, Buffer.from('x')]), 'damaged'],
    ['of something else', () => Buffer.from('PGDMP\u0001\n'.repeat(50)), 'not an archive'],
  ])('that is %s is refused, from a file and from a pipe, and changes nothing', async (_, spoil, says) => {
    const bytes = spoil(await readFile(scene.archive));
    const path = join(scene.folder, 'spoiled.backup');
    await writeFile(path, bytes);
    for (const isPiped of [false, true]) {
      const { code, err } = await scene.restore([isPiped ? await scene.piped(bytes) : path]);
      expect(code).toBe(65);
      expect(err).toContain(says);
      expect(err).toMatch(NOTHING);
      expect(await scene.isEmpty()).toBe(true);
    }
  });

  it('from a pipe is restored too', async () => {
    expect(await scene.restore([await scene.piped(await readFile(scene.archive))])).toMatchObject({
      code: 0,
      err: '',
    });
    expect(await archivedOf(scene.target.url)).toEqual(await archivedOf(scene.source.url));
  });

  describe('with a passphrase', () => {
    let secret: string;

    beforeAll(async () => {
      secret = join(scene.folder, 'secret.backup');
      const done = await scene.rcpt(['backup', secret, '--with-secret-key', '--json'], scene.source.url, {
        RCPT_PASSPHRASE: PASSPHRASE,
      });
      expect(JSON.parse(done.out)).toMatchObject({ encrypted: true, secret_key: true });
    });

    it('contains nothing that can be read without it', async () => {
      const bytes = await readFile(secret);
      expect(bytes.includes(scene.key)).toBe(false);
      const plain = await readFile(scene.archive);
      expect([...plain.subarray(0, 2)]).toEqual([0x1f, 0x8b]);
      expect(bytes.subarray(0, 60).toString('latin1')).toMatch(
        /^age-encryption\.org\/v1\n-> scrypt [\w+/]{22} 18\n/,
      );
    });

    it('is restored with it, and the secret key goes where none is: into DATA_DIR, for its user only', async () => {
      const dataDir = await dataDirs.next();
      const env = { DATA_DIR: dataDir, DATABASE_URL: '', SECRET_KEY: '', RCPT_PASSPHRASE: PASSPHRASE };
      const { code, out, err } = await scene.restore([secret], env);
      expect([code, err, out]).toEqual([
        0,
        '',
        expect.stringContaining('secret key of the archive is now in DATA_DIR'),
      ]);
      expect((await readFile(join(dataDir, 'secret-key'), 'utf8')).trim()).toBe(scene.key);
      expect((await stat(join(dataDir, 'secret-key'))).mode & 0o777).toBe(0o600);
      await dataDirs.homeOf(dataDir);
      expect((await scene.restore([secret], env)).code).toBe(64);
      // The embedded database is backed up in the same way.
      const again = join(scene.folder, 'embedded.backup');
      expect((await scene.rcpt(['backup', again], '', env)).code).toBe(0);
      expect(await scene.restore([again], { RCPT_PASSPHRASE: PASSPHRASE })).toMatchObject({ code: 0 });
      expect(await archivedOf(scene.target.url)).toEqual(await archivedOf(scene.source.url));
    });

    it('that is wrong or missing is refused, and changes nothing', async () => {
      const wrong = await scene.restore([secret], { RCPT_PASSPHRASE: 'Correct horse battery staple' });
      expect([wrong.code, wrong.err]).toEqual([65, expect.stringContaining('The passphrase is wrong')]);
      expect(wrong.err).toMatch(NOTHING);
      const none = await scene.restore([secret]);
      expect([none.code, none.err]).toEqual([64, expect.stringContaining('--passphrase-file')]);
      const fifo = await scene.restore([await scene.piped(await readFile(secret))], { RCPT_PASSPHRASE: 'x' });
      expect(fifo.code).toBe(65);
      expect(await scene.isEmpty()).toBe(true);
    });

    it('from a file is accepted, and encrypts without a further option', async () => {
      const [file, path] = [join(scene.folder, 'passphrase'), join(scene.folder, 'encrypted.backup')];
      await writeFile(file, `${PASSPHRASE}\n`);
      expect(await scene.backup(path, '--passphrase-file', file)).toMatchObject({ code: 0 });
      expect(await scene.restore([path, '--passphrase-file', file])).toMatchObject({ code: 0, err: '' });
    });

    it('gives the secret key alone, for an installation whose key is lost, and then is restored', async () => {
      const to = join(scene.folder, 'key');
      expect(
        await scene.restore([secret, '--secret-key-to', to], {
          DATABASE_URL: '',
          RCPT_PASSPHRASE: PASSPHRASE,
        }),
      ).toMatchObject({ code: 0 });
      expect(await readFile(to, 'utf8')).toBe(`${scene.key}\n`);
      const env = { SECRET_KEY: (await readFile(to, 'utf8')).trim() };
      const checked = await scene.rcpt(['check-data'], scene.target.url, env);
      expect([checked.code, checked.err]).toEqual([
        70,
        expect.stringContaining('nothing has been restored yet'),
      ]);
      expect(await scene.restore([secret], { ...env, RCPT_PASSPHRASE: PASSPHRASE })).toMatchObject({
        code: 0,
      });
      const { code, err } = await scene.restore([scene.archive, '--secret-key-to', to]);
      expect([code, err]).toEqual([64, expect.stringContaining('the archive has no secret key')]);
    });
  });

  describe('for recipients', () => {
    let path: string;
    const recipients: string[] = [];
    const identities: string[] = [];
    const restored = (...options: string[]) => scene.restore([path, ...options]);

    beforeAll(async () => {
      path = join(scene.folder, 'recipients.rcpt');
      for (const n of [0, 1, 2]) {
        const identity = await generateX25519Identity();
        identities.push(join(scene.folder, `identity-${n}`));
        recipients.push(await identityToRecipient(identity));
        await writeFile(identities[n]!, `# public key: ${recipients[n]}\r\n\n${identity}\n`);
      }
      const options = recipients.slice(0, 2).flatMap((recipient) => ['--recipient', recipient]);
      const { code, out } = await scene.rcpt(
        ['backup', ...options, '--with-secret-key', path],
        scene.source.url,
      );
      expect([code, out]).toEqual([
        0,
        expect.stringMatching(/, encrypted for 2 recipients\.\n.*key of a recipient\.\n$/),
      ]);
    });

    it('is restored with the key of each, and contains no key', async () => {
      expect((await readFile(path)).includes(scene.key)).toBe(false);
      for (const identity of identities.slice(0, 2)) {
        await scene.next();
        expect(await restored('--identity', identity)).toMatchObject({ code: 0, err: '' });
        expect(await archivedOf(scene.target.url)).toEqual(await archivedOf(scene.source.url));
      }
      const to = join(scene.folder, 'key-of-recipient');
      const several = ['--identity', identities[2]!, '--identity', identities[1]!];
      expect(await restored(...several, '--secret-key-to', to)).toMatchObject({ code: 0 });
      expect(await readFile(to, 'utf8')).toBe(`${scene.key}\n`);
    });

    it('is refused with another key or a passphrase, and says what it needs without one', async () => {
      const secret = join(scene.folder, 'passphrase.rcpt');
      const env = { RCPT_PASSPHRASE: PASSPHRASE };
      expect(await scene.rcpt(['backup', secret], scene.source.url, env)).toMatchObject({ code: 0 });
      const refused = [
        [await restored('--identity', identities[2]!), 65, 'not that of a recipient'],
        [await scene.restore([path], env), 65, '--identity'],
        [await restored(), 64, 'name the file with the key of one of them with --identity'],
        [await scene.restore([secret, '--identity', identities[0]!]), 65, 'encrypted with a passphrase'],
        [await scene.restore([path, '--identity', identities[0]!], env), 64, 'exclude each other'],
        [await restored('--identity', join(scene.folder, 'none')), 64, 'there is no file'],
        [await restored('--identity', scene.archive), 64, 'has no key'],
        [await restored('--identity', path), 64, 'is encrypted: decrypt it with `age -d` first'],
      ] as const;
      for (const [{ code, err }, expected, says] of refused) {
        expect([code, err]).toEqual([expected, expect.stringContaining(says)]);
        if (code === 65) expect(err).toMatch(NOTHING);
      }
      expect(await scene.isEmpty()).toBe(true);
    });

    it('is not made with a passphrase too, nor for what is no public key, which is not repeated', async () => {
      const to = join(scene.folder, 'not-made.rcpt');
      const [recipient = ''] = recipients;
      const both = await scene.rcpt(['backup', to, '--recipient', recipient], scene.source.url, {
        RCPT_PASSPHRASE: PASSPHRASE,
      });
      expect([both.code, both.err]).toEqual([64, expect.stringContaining('exclude each other')]);
      const secret = (await readFile(identities[0]!, 'utf8')).split('\n')[2] ?? '';
      const wrong = recipient.replace(/.$/, (last) => (last === 'q' ? 'p' : 'q'));
      for (const other of [secret, wrong, 'age1', recipient.toUpperCase()]) {
        const { code, err } = await scene.backup(to, '--recipient', recipient, '--recipient', other);
        expect([code, err]).toEqual([64, expect.stringContaining('is no public key')]);
        expect(err).not.toContain(secret);
      }
      await expect(stat(to)).rejects.toThrow('ENOENT');
    });
  });

  it('is refused when the key in use does not decrypt its data, and changes nothing', async () => {
    const other = { SECRET_KEY: randomBytes(32).toString('base64') };
    const { code, err } = await scene.restore([scene.archive], other);
    expect([code, err]).toEqual([78, expect.stringContaining('does not decrypt the data of the archive')]);
    expect(err).toMatch(NOTHING);
    expect(await scene.isEmpty()).toBe(true);
    const lost = await scene.restore([scene.archive, '--lost-secret-key'], other);
    expect([lost.code, lost.out]).toEqual([0, expect.stringContaining('No key decrypts what is encrypted')]);
    expect((await scene.rcpt(['migrate'], scene.target.url, other)).code).toBe(0);
  });

  it('is recognised when it was truncated on the disk', async () => {
    const path = join(scene.folder, 'truncated.backup');
    await copyFile(scene.archive, path);
    await truncate(path, (await stat(path)).size - 40);
    expect(await scene.restore([path])).toMatchObject({ code: 65 });
  });
});
