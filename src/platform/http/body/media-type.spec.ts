import { expect, it } from '@jest/globals';
import { mediaTypeOf } from './media-type.js';

it.each([
  ['text/csv', 'text/csv', null],
  [' Text/CSV ; Charset = "UTF-8" ', 'text/csv', 'utf-8'],
  ["text/csv; charset='latin1'; header=present", 'text/csv', 'latin1'],
  ['application/json; utf-8', 'application/json', null],
  ['application/json;', 'application/json', null],
  ['text/csv; charset=', 'text/csv', null],
  ['text/csv; xcharset=utf-8', 'text/csv', null],
  ['text/csv, text/plain', '', null],
  ['text', '', null],
  [undefined, '', null],
])('%p is %p with the charset %p', (header, type, charset) => {
  expect(mediaTypeOf(header)).toEqual({ type, charset });
});
