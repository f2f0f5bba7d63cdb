import { describe, expect, it } from '@jest/globals';
import iconv from 'iconv-lite';
import type { ListOptions } from '../../kernel/list-files/list-format.js';
import { mediaTypeOf } from '../http/body/media-type.js';
import { csvList } from './csv-list.js';
import { encodingOf } from './list-charset.js';

async function columnsOf(body: AsyncIterable<Buffer>, options: ListOptions) {
  let columns = null;
  for await (const { header } of csvList(body, options)) columns = header.columns;
  return columns;
}

/** A label of each encoding of the Encoding Standard, and a text in it. */
const LABELS: readonly (readonly [label: string, text: string, name?: string])[] = [
  ['unicode-1-1-utf-8', 'Zoë'],
  ['cp866', 'Анна', 'cp866'],
  ['latin2', 'Łódź'],
  ['latin3', 'Ġorġ'],
  ['l4', 'Ķēniņš'],
  ['cyrillic', 'Анна', 'iso-8859-5'],
  ['arabic', 'محمد', 'iso-8859-6'],
  ['greek8', 'Άννα', 'iso-8859-7'],
  ['visual', 'דנה', 'iso-8859-8'],
  ['logical', 'דנה', 'iso-8859-8'],
  ['latin6', 'Đorđe'],
  ['iso8859-13', 'Žydrūnas'],
  ['iso-8859-14', 'Ŵyn'],
  ['l9', 'Œuvre €', 'iso-8859-15'],
  ['iso-8859-16', 'Șerban'],
  ['koi8', 'Анна', 'koi8-r'],
  ['koi8-ru', 'Їжак', 'koi8-u'],
  ['x-mac-roman', 'Zoë', 'macintosh'],
  ['x-mac-ukrainian', 'Анна', 'maccyrillic'],
  ['tis-620', 'สมชาย'],
  ['x-cp1250', 'Łódź', 'windows-1250'],
  ['cp1251', 'Анна'],
  ['latin1', 'Zoë'],
  ['cp1253', 'Άννα'],
  ['l5', 'Şükrü', 'iso-8859-9'],
  ['cp1255', 'דנה'],
  ['cp1256', 'محمد'],
  ['cp1257', 'Žydrūnas'],
  ['cp1258', 'Hoàng'],
  ['gb2312', '安娜', 'gbk'],
  ['gb18030', '安娜'],
  ['big5-hkscs', '安娜'],
  ['x-euc-jp', 'アンナ', 'euc-jp'],
  ['ms_kanji', 'アンナ', 'shift_jis'],
  ['ks_c_5601-1987', '안나', 'euc-kr'],
  ['utf-16', 'Zoë', 'utf-16le'],
];

describe('the charset of a CSV', () => {
  it.each(LABELS)('may be %j', async (label, text, name = label) => {
    const bytes = iconv.encode(
      `${text},email\n${text},anna@example.com\n`,
      name === 'unicode-1-1-utf-8' ? 'utf-8' : name,
    );
    async function* body() {
      yield await Promise.resolve(bytes);
    }
    for (const header of [
      `text/csv;charset=${label}`,
      `text/csv; Charset = "${label.toUpperCase()}" ; header=present`,
    ]) {
      const encoding = encodingOf(mediaTypeOf(header).charset);
      expect(await columnsOf(body(), { encoding })).toEqual([text, 'email']);
    }
  });

  it('may be ISO-2022-JP, which changes its set of characters by escape sequences', async () => {
    async function* body() {
      yield await Promise.resolve(Buffer.from('\x1b$B%"%s%J\x1b(B,email\nx,anna@example.com\n', 'latin1'));
    }
    expect(await columnsOf(body(), { encoding: encodingOf('csiso2022jp') })).toEqual(['アンナ', 'email']);
  });

  it('is not named by what clients add to any text', () => {
    expect(['utf-8', 'utf8', 'utf-8-sig', 'us-ascii', null].map(encodingOf)).toEqual([
      null,
      null,
      null,
      null,
      null,
    ]);
  });
});
