import { expect, it } from '@jest/globals';
import { errorCode } from './error-code.js';

it.each([
  ['53100', { code: '53100', condition: 'disk full' }],
  ['ENOSPC', { code: 'ENOSPC', condition: 'no space left on device' }],
  ['ECONNREFUSED', { code: 'ECONNREFUSED', condition: 'connection refused' }],
  ['ZZ999', { code: 'ZZ999' }],
  ['ERR_SOCKET_CLOSED', { code: 'ERR_SOCKET_CLOSED' }],
  ['jane@example.com', {}],
  ['A'.repeat(61), {}],
  [undefined, {}],
  [42, {}],
])('the code %j is logged as %j', (code, fields) => {
  expect(errorCode(Object.assign(new Error('jane@example.com'), { code }))).toEqual(fields);
});
