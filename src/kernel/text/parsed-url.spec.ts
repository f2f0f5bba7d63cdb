import { expect, it } from '@jest/globals';
import { parsedUrl } from './parsed-url.js';

it.each([
  ['https://bücher.example/é', 'https://xn--bcher-kva.example'],
  ['http://[::1]:3000', 'http://[::1]:3000'],
  ['no URL', undefined],
  ['//host', undefined],
])('reads %s', (text, origin) => {
  expect(parsedUrl(text)?.origin).toBe(origin);
});

it('reads letters of any script also when it was called often', () => {
  for (let call = 0; call < 50_000; call++) parsedUrl('https://example.com/a');
  expect(parsedUrl('https://bücher.example')?.hostname).toBe('xn--bcher-kva.example');
});
