import { describe, expect, it } from '@jest/globals';
import iconv from 'iconv-lite';
import { emptyHeader, type ListOptions } from '../../kernel/list-files/list-format.js';
import { toWindows1252 } from '../../kernel/text/windows-1252.js';
import { csvList } from './csv-list.js';

async function read(bytes: Buffer, options: ListOptions = {}, size = Infinity) {
  async function* pieces() {
    for (let from = 0; from < bytes.length; from += size)
      yield await Promise.resolve(bytes.subarray(from, from + size));
  }
  let header = emptyHeader();
  const entries = [];
  for await (const piece of csvList(pieces(), options)) {
    entries.push(...piece.entries);
    header = piece.header;
  }
  return { ...header, entries };
}

const LISTS = [
  ['shift_jis', '氏名,email,都道府県', '田中 花子,anna@example.com,東京都'],
  ['gbk', '姓名,email,城市', '张伟,anna@example.com,北京'],
  ['big5', '姓名,email,城市', '陳美玲,anna@example.com,臺北'],
  ['euc-kr', '이름,email,도시', '김철수,anna@example.com,서울'],
  ['windows-1251', 'Имя,email,Город', 'Анна,anna@example.com,Москва'],
  ['koi8-r', 'Имя,email,Город', 'Анна,anna@example.com,Москва'],
  ['macintosh', 'prénom,email,ville', 'Hélène,anna@example.com,Orléans'],
] as const;

describe('a list in an encoding that is not Windows-1252', () => {
  it.each(LISTS)('has a warning, and its bytes as characters: %s', async (encoding, header, row) => {
    const bytes = iconv.encode(`${header}\n${row}\n`, encoding);
    for (const size of [Infinity, 3]) {
      const { columns, entries, format } = await read(bytes, {}, size);
      expect(format).toMatchObject({
        encoding: 'windows-1252',
        warning: expect.stringContaining('with encoding'),
      });
      const cells = [entries[0]?.ref?.[0], entries[0]?.email, entries[0]?.ref?.[2]];
      const kept = toWindows1252(`${(columns ?? []).join(',')}\n${cells.join(',')}\n`);
      expect(kept).toEqual(bytes);
    }
  });

  it.each(LISTS)('is read without one if it is named: %s', async (encoding, header, row) => {
    const bytes = iconv.encode(`${header}\n${row}\n`, encoding);
    const named = encoding === 'gbk' ? 'gb18030' : encoding;
    const { columns, format } = await read(bytes, { encoding: named });
    expect(columns).toEqual(header.split(','));
    expect(format).toMatchObject({ encoding: named, warning: null });
  });

  it('has the warning also if its first strange byte is far behind', async () => {
    const rows = Array.from({ length: 5_000 }, (_, n) => `Zoë,a${n}@example.com\n`).join('');
    const bytes = Buffer.concat([
      Buffer.from(`name,email\n${rows}`, 'latin1'),
      Buffer.from('\x8d,b@example.com', 'latin1'),
    ]);
    expect((await read(bytes, {}, 1_000)).format?.warning).not.toBeNull();
  });
});

it.each([
  ['Windows-1252', Buffer.from('Prénom,email\nZoë «x» ÄÖÜ,anna@example.com\n', 'latin1')],
  ['Windows-1252 with a euro', Buffer.from('name,email\n\x80 \x84x\x93,anna@example.com\n', 'latin1')],
  ['UTF-8', Buffer.from('氏名,email\n田中 花子,anna@example.com\n')],
  ['ASCII', Buffer.from('name,email\nAnna,anna@example.com\n')],
])('a list in %s has no warning about its encoding', async (_, bytes) => {
  expect((await read(bytes)).format?.warning).toBeNull();
});
