import { expect, it } from '@jest/globals';
import { inCommandTerms } from './terminal.js';

it.each([
  ['/1: The row has 4 cells.', 'row 2: The row has 4 cells.'],
  [
    '400 invalid_request: /0: Too long. /12: Too long.',
    '400 invalid_request: row 1: Too long. row 13: Too long.',
  ],
  ['/email_column: Send a name.', '--column: Send a name.'],
  ['/header: Send true or false.', '--header: Send true or false.'],
  [
    'No column is named mail. Name one with email_column.',
    'No column is named mail. Name one with --column.',
  ],
  [
    '1 row has a name around it. With extract_address=true it is verified.',
    '1 row has a name around it. With --extract-address it is verified.',
  ],
  ['This is a gzip file. Send it with Content-Encoding: gzip.', 'This is a gzip file. Unpack it first.'],
  ['Line 3: quotes are not closed.', 'Line 3: quotes are not closed.'],
  ['/etc/list.csv is a folder', '/etc/list.csv is a folder'],
])('names rows and options instead of pointers and parameters: %s', (message, expected) => {
  expect(inCommandTerms(message)).toBe(expected);
});
