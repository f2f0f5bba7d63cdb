import { expect, it } from '@jest/globals';
import { checkSentencesDe } from '../../../../../console/src/texts/system/check-sentences.de.js';
import { FOUND } from './found.js';
import { REMEDIES } from './remedies.js';
import { found, foundText, remedy, remedyText } from './sentences.js';

const membersOf = (texts: Readonly<Record<string, string | undefined>>) =>
  Object.fromEntries(
    Object.entries(texts)
      .filter(([code]) => code !== 'other')
      .map(([code, text = '']) => [code, new Set(text.match(/\{\w+\}/g))]),
  );

it('a sentence names its values, each once, and a value that looks like a name stays as it is', () => {
  expect(foundText(found('name_resolves', { name: '{address}', address: '192.0.2.1' }))).toBe(
    '{address} resolves to 192.0.2.1',
  );
  expect(remedyText(remedy('include_in_spf', { address: '192.0.2.1' }))).toBe(
    'make sure that it includes 192.0.2.1',
  );
});

it('a reply of a server cannot fill a sentence with a long or hidden text', () => {
  const { params } = found('refused', { servers: `a\u0007b${'x'.repeat(1_000)}` });
  expect(params.servers).toMatch(/^a b/);
  expect(params.servers).toHaveLength(400);
});

it('the console says every sentence in German, with the same values', () => {
  expect(membersOf(checkSentencesDe.checkFound)).toEqual(membersOf(FOUND));
  expect(membersOf(checkSentencesDe.checkRemedies)).toEqual(membersOf(REMEDIES));
});
