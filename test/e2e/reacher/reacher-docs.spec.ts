import { beforeAll, describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { REASONS, STATUS_OF, type Status } from '../../../src/kernel/verdict.js';
import { checkRequestIn } from '../../../src/modules/protocols/reacher/request.dto.js';

const WORDS: Record<Status, string> = {
  ...{ deliverable: 'safe', undeliverable: 'invalid', risky: 'risky', unknown: 'unknown' },
};

describe('docs/coming-from-reacher.md', () => {
  let page: string;
  beforeAll(async () => {
    page = await readFile(new URL('../../../docs/coming-from-reacher.md', import.meta.url), 'utf8');
  });

  it('has a word for every reason, in a row of its status', () => {
    const rows = [
      ...page.matchAll(/^\| (deliverable|undeliverable|risky|unknown): (.*?) \| `(\w+)` \|/gm),
    ].flatMap(([, status = '', reasons = '', word = '']) =>
      [...reasons.matchAll(/`(\w+)`/g)].map(([, reason = '']) => [reason, status, word]),
    );
    const expected = REASONS.map((reason) => [reason, STATUS_OF[reason], WORDS[STATUS_OF[reason]]]);
    expect(rows.sort()).toEqual(expected.sort());
  });

  it('names the members that are ignored', () => {
    const [, line = ''] = /^- \*\*(`from_email`.*?haveibeenpwned_api_key`)\./m.exec(page) ?? [];
    const names = [...line.matchAll(/`([a-z_*]+)`/g)].map(([, name = '']) => name.replace('*', 'gmail'));
    const members = Object.fromEntries(names.map((name) => [name, true]));
    const { ignored } = checkRequestIn({ to_email: 'jane@example.com', ...members });
    expect(ignored.length).toBeGreaterThan(10);
    expect(names.filter((name) => !ignored.includes(name))).toEqual([]);
  });
});
