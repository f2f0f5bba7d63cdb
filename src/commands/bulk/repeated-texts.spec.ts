import { expect, it } from '@jest/globals';
import { RepeatedTexts } from './repeated-texts.js';

it('finds every text that occurs again, and few others', () => {
  const texts = new RepeatedTexts();
  const one = Array.from({ length: 20_000 }, (_, n) => `person${n}@example.com`);
  for (const text of [...one, ...one.slice(0, 500), ...one.slice(0, 500)]) texts.add(text);
  expect(one.slice(0, 500).every((text) => texts.has(text))).toBe(true);
  expect(one.slice(500).filter((text) => texts.has(text)).length).toBeLessThan(20);
});
