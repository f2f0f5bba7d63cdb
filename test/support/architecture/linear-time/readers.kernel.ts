import { parsedUrl } from '../../../../src/kernel/text/parsed-url.js';
import { Readable } from 'node:stream';
import { AddressCount } from '../../../../src/kernel/list-files/address-count.js';
import { cellsByName, isEmpty } from '../../../../src/kernel/list-files/list-entry.js';
import { emptyHeader, type ListFormat } from '../../../../src/kernel/list-files/list-format.js';
import { lineOf, RowLines } from '../../../../src/kernel/list-files/row-lines.js';
import { ListWarnings } from '../../../../src/kernel/list-files/list-warnings.js';
import * as addresses from '../../../../src/kernel/text/addresses-in-text.js';
import { connectionCause } from '../../../../src/kernel/text/connection-cause.js';
import { addColumns, columnsOf } from '../../../../src/kernel/list-files/csv/csv-columns.js';
import * as reading from '../../../../src/kernel/list-files/csv/csv-reading.js';
import { CsvRecords } from '../../../../src/kernel/list-files/csv/csv-records.js';
import * as table from '../../../../src/kernel/list-files/csv/csv-table.js';
import { emailNameRank, numberInName } from '../../../../src/kernel/list-files/csv/email-column-names.js';
import { domainAndParents, parseDomainName } from '../../../../src/kernel/text/domain-name.js';
import { areCells } from '../../../../src/kernel/list-files/csv/divided-rows.js';
import { EndOfFile, isEndOfFile, withoutEndOfFile } from '../../../../src/kernel/text/end-of-file.js';
import { isNoValue } from '../../../../src/kernel/text/no-value.js';
import { editDistance } from '../../../../src/kernel/text/edit-distance.js';
import { guardFormula } from '../../../../src/kernel/text/formula-guard.js';
import { hasInvisibleCharacter } from '../../../../src/kernel/text/invisible-characters.js';
import * as printable from '../../../../src/kernel/text/printable.js';
import { withoutInvisible, withoutSurroundingSpace } from '../../../../src/kernel/text/surrounding-space.js';
import * as rules from '../../../../src/kernel/text/text-rules.js';
import { webOriginOf } from '../../../../src/kernel/text/web-origin.js';
import { EncodingDoubt, fromWindows1252, toWindows1252 } from '../../../../src/kernel/text/windows-1252.js';
import * as words from '../../../../src/kernel/text/words.js';
import * as faults from '../../../../src/platform/list-files/csv-faults.js';
import { csvList } from '../../../../src/platform/list-files/csv-list.js';
import { openCsvText } from '../../../../src/platform/list-files/csv-text.js';
import { decoded } from '../../../../src/platform/list-files/decoded.js';
import * as entries from '../../../../src/platform/list-files/entry-rules.js';
import { jsonList } from '../../../../src/platform/list-files/json-list.js';
import { encodingOf } from '../../../../src/platform/list-files/list-charset.js';
import { ndjsonList, ndjsonValues } from '../../../../src/platform/list-files/ndjson-list.js';
import { packed, unpacked } from '../../../../src/platform/list-files/packed-entries.js';
import { otherFileOf } from '../../../../src/platform/list-files/other-files.js';
import { otherTextOf } from '../../../../src/platform/list-files/other-texts.js';
import { csvRecords, readList } from '../../../../src/platform/list-files/read-list.js';
import { ofLength, type TextReader } from './growth.js';

const PIECE = 65_536;
const SMALL_PIECE = 61;

export function inPieces(text: string, size = PIECE): AsyncIterable<Buffer> {
  const bytes = Buffer.from(text);
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
    bytes.subarray(n * size, (n + 1) * size),
  );
  return Readable.from(pieces);
}

export async function drained(values: AsyncIterable<unknown>): Promise<void> {
  for await (const value of values) void value;
}

/** In large pieces and in small ones: what reads a piece again costs more with small ones. */
const streamed = (read: (body: AsyncIterable<Buffer>) => AsyncIterable<unknown>): TextReader[] => [
  (text) => drained(read(inPieces(text))),
  (text) => drained(read(inPieces(text.slice(0, text.length / 4), SMALL_PIECE))),
];

const list = (format: ListFormat): TextReader[] =>
  streamed((body) => readList(format, body, { extracts: true, lines: true }));

const rowsOf = (text: string) => text.split('\n').map((line) => line.split(','));
const recordsOf = (text: string) =>
  rowsOf(text)
    .slice(0, 100)
    .map((cells, at) => ({ cells, line: at + 1, lines: 1 }));

const named = (header: string[]) => columnsOf(header, header.length, 0);
const readingOf = (text: string) => reading.readingOf(text, true);

/** By file and exported name, each with what it reads of a text. */
export const KERNEL_READERS: Readonly<Record<string, Readonly<Record<string, TextReader | TextReader[]>>>> = {
  'kernel/text/addresses-in-text': {
    isUsualAddress: addresses.isUsualAddress,
    withoutTextMark: addresses.withoutTextMark,
    addressInCell: addresses.addressInCell,
    addressesIn: addresses.addressesIn,
  },
  'kernel/text/connection-cause': { connectionCause },
  'kernel/text/domain-name': {
    domainAndParents: (text) => domainAndParents(text.slice(0, 253)),
    parseDomainName,
  },
  'kernel/text/edit-distance': {
    editDistance: [
      (text) => editDistance(text, 'example.com'),
      (text) => editDistance('example.com', text, 2),
      (text) => editDistance(text, `${text}a`),
    ],
  },
  'kernel/text/formula-guard': { guardFormula: (text) => guardFormula(text, [',', ';', '\t']) },
  'kernel/text/invisible-characters': { hasInvisibleCharacter },
  'kernel/text/parsed-url': { parsedUrl: (text) => parsedUrl(text) },
  'kernel/text/printable': {
    printable: printable.printable,
    printableLines: printable.printableLines,
    printableJson: (text) => printable.printableJson({ [text]: [text] }),
  },
  'kernel/text/surrounding-space': { withoutSurroundingSpace, withoutInvisible },
  'kernel/text/text-rules': {
    nameError: rules.nameError,
    remarkError: (text) => rules.remarkError(text, Infinity),
    searchError: rules.searchError,
  },
  'kernel/text/web-origin': { webOriginOf: [webOriginOf, (text) => webOriginOf(`https://${text}`)] },
  'kernel/text/words': {
    words: words.words,
    wordsWithKey: (text) => words.wordsWithKey({ [text]: text }),
  },
  'kernel/text/end-of-file': {
    EndOfFile: (text) => {
      const end = new EndOfFile();
      for (const piece of text.match(/[^]{1,61}/g) ?? []) end.push(piece);
      for (const piece of text.match(/[^]{1,61}/g) ?? []) end.push(piece.replaceAll(/[^]/g, '\0'));
    },
    isEndOfFile,
    withoutEndOfFile,
  },
  'kernel/text/windows-1252': {
    fromWindows1252: (text) => fromWindows1252(Buffer.from(text)),
    toWindows1252,
    EncodingDoubt: (text) => {
      const doubt = new EncodingDoubt();
      for (const piece of text.match(/[^]{1,61}/g) ?? []) doubt.push(Buffer.from(piece, 'latin1'));
    },
  },
  'kernel/text/no-value': { isNoValue },
  'kernel/list-files/csv/divided-rows': {
    areCells: (text) => areCells(text.split(','), { width: text.length, column: 0, all: false }),
  },
  'kernel/list-files/csv/csv-columns': {
    columnsOf: [
      (text) => named(text.split(',')),
      (text) => named([...text.slice(0, text.length / 8)]),
      ofLength((length) => columnsOf(null, length / 8, 1)),
    ],
    addColumns: (text) => addColumns({ names: text.split(','), email: 0 }, text.length / 8),
  },
  'kernel/list-files/csv/csv-reading': {
    CsvSample: (text) => {
      const sample = new reading.CsvSample();
      for (const line of text.split(/(?<=\n)/)) sample.push(line);
    },
    namedDelimiter: [reading.namedDelimiter, (text) => reading.namedDelimiter(`sep=${text}`)],
    readingOf: [
      readingOf,
      (text) => reading.readingOf(text, false, { quotes: false, header: true }),
      (text) => reading.readingOf(text, true, { column: 'a', delimiter: ';' }),
    ],
  },
  'kernel/list-files/csv/csv-records': {
    CsvRecords: [
      (text) => recordsIn([text]),
      (text) => recordsIn(text.slice(0, text.length / 4).split(/(?<=[,"\n])/)),
      (text) => recordsIn([...text.slice(0, text.length / 4)]),
    ],
  },
  'kernel/list-files/csv/csv-table': {
    tableIn: [
      (text) => table.tableIn(recordsOf(text), {}),
      (text) => table.tableIn(recordsOf(text.replaceAll('a', 'email')), {}),
      (text) => table.tableIn(recordsOf(text), { column: 'a', header: true }),
    ],
    mayBeHeader: (text) => table.mayBeHeader(text.split(','), 0),
    commonest: ofLength((length) => table.commonest(Array.from({ length }, (_, at) => at % 1_000))),
    compare: ofLength((length) =>
      table.compare(new Array<number>(length).fill(1), new Array<number>(length).fill(1)),
    ),
  },
  'kernel/list-files/csv/email-column-names': { emailNameRank, numberInName },
  'kernel/list-files/list-entry': {
    isEmpty,
    cellsByName: (text) => cellsByName(text.split(','), text.split(',')),
  },
  'kernel/list-files/row-lines': {
    RowLines: ofLength((length) => {
      const lines = new RowLines();
      for (let row = 0; row < length; row++) lines.add(2 * row);
      return lines.list();
    }),
    lineOf: ofLength((length) =>
      lineOf(
        Array.from({ length }, (_, index) => ({ index, line: 2 * index })),
        length,
      ),
    ),
  },
  'kernel/list-files/list-warnings': {
    ListWarnings: (text) => {
      const warnings = new ListWarnings();
      for (const line of text.split('\n'))
        warnings.add({ email: line, ref: line.split(',') }, emptyHeader(), 'no_at_sign');
      warnings.add({ email: '', ref: [text] }, emptyHeader(), 'empty');
      return warnings.list(emptyHeader());
    },
  },
  'kernel/list-files/address-count': {
    AddressCount: (text) => {
      const count = new AddressCount();
      const format = {
        delimiter: text,
        header: null,
        column: text,
        encoding: 'utf-8' as const,
        warning: null,
        lines: [],
      };
      for (const character of text) count.add(character === '@');
      count.requireAddresses({ ...emptyHeader(), format }, {});
    },
  },
  'platform/list-files/csv-faults': {
    malformed: (text) => faults.malformed(1, text),
    requireColumn: [
      (text) => faults.requireColumn(readingOf(text), null),
      (text) => faults.requireColumn(readingOf(text), text),
    ],
    asMalformedList: (text) => faults.asMalformedList(text.split(','), () => recordsIn([text])),
    requireApart: (text) =>
      faults.requireApart(
        { cells: text.split(','), line: 1, lines: 2 },
        { names: text.split(','), email: 0 },
        ';',
      ),
    shown: faults.shown,
  },
  'platform/list-files/csv-list': { csvList: streamed((body) => csvList(body)) },
  'platform/list-files/csv-text': {
    openCsvText: streamed(async function* (body) {
      yield* (await openCsvText(body, null)).text;
    }),
  },
  'platform/list-files/decoded': { decoded: streamed((body) => decoded(body)) },
  'platform/list-files/entry-rules': {
    invalid: (text) => entries.invalid(text, text),
    noEntry: entries.noEntry,
    tooLong: entries.tooLong,
    entryOf: (text) => entries.entryOf({ email: text, ref: text, [text]: text }, ''),
  },
  'platform/list-files/json-list': {
    jsonList: [
      ...streamed((body) => jsonList(body)),
      (text) => drained(jsonList(inPieces(`{"emails":[${text}`))),
      (text) => drained(jsonList(inPieces(`{"emails":["${text}"]}`))),
      ofLength((length) => drained(jsonList(inPieces(`{"emails":[${'"a",'.repeat(length / 4)}"b"]}`)))),
    ],
  },
  'platform/list-files/ndjson-list': {
    ndjsonList: [
      ...streamed((body) => ndjsonList(body)),
      (text) => drained(ndjsonList(inPieces(JSON.stringify(text.slice(0, 16_000))))),
    ],
    ndjsonValues: streamed((body) => ndjsonValues(body)),
  },
  'platform/list-files/list-charset': { encodingOf },
  'platform/list-files/packed-entries': {
    packed: (text) => packed(text.split('\n').map((email) => ({ email, ref: email.split(',') }))),
    unpacked: [
      (text) => unpacked(packed(text.split('\n').map((email) => ({ email, ref: email.split(',') })))),
      (text) =>
        unpacked(packed([...text.slice(0, text.length / 8)].map((email) => ({ email, ref: null, line: 1 })))),
    ],
  },
  'platform/list-files/other-files': { otherFileOf: (text) => otherFileOf(Buffer.from(text)) },
  'platform/list-files/other-texts': { otherTextOf },
  'platform/list-files/read-list': {
    readList: list('csv'),
    csvRecords: streamed((body) => csvRecords(body, {})),
  },
};

function recordsIn(pieces: readonly string[]): void {
  const records = new CsvRecords({ delimiter: ',', hasQuotes: true });
  for (const piece of pieces) records.push(piece);
  records.end();
}
