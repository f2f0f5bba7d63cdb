import { expect, it } from '@jest/globals';
import { ListProviders } from './list-providers.js';

it('the domains of a provider are separate only if it has enough rows', () => {
  const providers = new ListProviders();
  for (let row = 0; row < 5; row++) providers.add(`0000000${row % 2}${row}ff`, 'google');
  providers.add('0000000a00', 'microsoft');
  expect(providers.withRows(5)).toEqual(
    new Map([
      ['00000000', 'google'],
      ['00000001', 'google'],
    ]),
  );
  expect(providers.withRows(6).size).toBe(0);
});
