import { describe, expect, it } from '@jest/globals';
import { unpackTar } from 'modern-tar';
import { execFileSync } from 'node:child_process';
import { TAR_END, tarHead, tarPadding } from './tar-head.js';

const MODIFIED = new Date('2026-01-02T03:04:05Z');

describe('the head of a tar member', () => {
  it.each([0, 1, 511, 512, 513, 100_000])('is read by a library, with %i bytes', async (size) => {
    const text = Buffer.alloc(size, 'a');
    const tar = Buffer.concat([
      tarHead('tables/teams.copy', size, MODIFIED),
      text,
      tarPadding(size),
      TAR_END,
    ]);
    expect(tar.length % 512).toBe(0);
    const [member, ...more] = await unpackTar(tar, { strict: true });
    expect(more).toEqual([]);
    expect(Buffer.from(member?.data ?? []).equals(text)).toBe(true);
    expect(member?.header).toMatchObject({
      name: 'tables/teams.copy',
      type: 'file',
      mode: 0o600,
      mtime: MODIFIED,
    });
  });

  it.each([8 ** 11 - 1, 8 ** 11, 9e12])('has a size that the program tar reads, %i bytes too', (size) => {
    // It ends with an error, because the bytes are not there.
    const listed = execFileSync('sh', ['-c', 'tar -tvf - 2> /dev/null || true'], {
      input: tarHead('tables/bulk_rows.copy', size, MODIFIED),
      env: { PATH: '/usr/bin:/bin', TZ: 'UTC', LC_ALL: 'C' },
    });
    expect(listed.toString()).toBe(
      `-rw------- 0/0 ${String(size).padStart(15)} 2026-01-02 03:04 tables/bulk_rows.copy\n`,
    );
  });
});
