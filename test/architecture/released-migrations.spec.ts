import { beforeAll, describe, expect, it } from '@jest/globals';
import { MIGRATIONS } from '../../src/platform/database/migrations.js';
import {
  presentMigrations,
  releasedMigrations,
  releases,
  type ReleasedMigrations,
} from '../upgrade/release-files.js';

/** What is wrong with the present migrations for a database of a release. */
function faultsOf(released: ReleasedMigrations, present: ReleasedMigrations): string[] {
  const last = Object.keys(released).sort().at(-1) ?? '';
  return [
    ...Object.entries(released).flatMap(([file, hash]) => {
      if (present[file] === undefined) return [`${file} is removed`];
      return present[file] === hash ? [] : [`${file} is edited`];
    }),
    ...Object.keys(present)
      .filter((file) => !(file in released) && file < last)
      .map((file) => `${file} comes before ${last}`),
  ];
}

describe('the migrations of a release', () => {
  let versions: string[];
  let present: ReleasedMigrations;
  beforeAll(async () => {
    versions = await releases();
    present = await presentMigrations();
  });

  it('are never edited or removed, and new ones come after them', async () => {
    expect(versions).toContain('0.2.0');
    for (const version of versions)
      expect([version, faultsOf(await releasedMigrations(version), present)]).toEqual([version, []]);
  });

  it('and all others run in the order of their files', () => {
    const registered = MIGRATIONS.map(({ name }) => name.slice(-13));
    expect(registered).toEqual(Object.keys(present).map((file) => file.slice(0, 13)));
  });

  it('that are edited, removed or preceded are found', () => {
    const released = { '1-a.ts': 'one', '2-b.ts': 'two', '4-c.ts': 'four' };
    expect(faultsOf(released, { ...released, '5-d.ts': 'five' })).toEqual([]);
    expect(faultsOf(released, { '1-a.ts': 'other', '3-n.ts': 'new', '4-c.ts': 'four' })).toEqual([
      '1-a.ts is edited',
      '2-b.ts is removed',
      '3-n.ts comes before 4-c.ts',
    ]);
  });
});
