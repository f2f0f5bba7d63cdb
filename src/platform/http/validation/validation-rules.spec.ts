import { describe, expect, it } from '@jest/globals';
import { getMetadataStorage, IsString, validateSync } from 'class-validator';
import { collectRulesOnce } from './validation-rules.js';

class Base {
  @IsString()
  name: unknown = 'a';
}

class Derived extends Base {
  @IsString()
  title: unknown = 'b';
}

describe('the rules of a class', () => {
  const wrongIn = (object: object) => validateSync(object).map(({ property }) => property);

  it('are collected once, with those of its base class', () => {
    collectRulesOnce();
    collectRulesOnce();
    const storage = getMetadataStorage();
    const rulesOf = (type: typeof Base) => storage.getTargetValidationMetadatas(type, '', false, false);
    expect(rulesOf(Derived)).toBe(rulesOf(Derived));
    expect(rulesOf(Base)).not.toBe(rulesOf(Derived));
    for (let time = 0; time < 2; time++) {
      expect(wrongIn(Object.assign(new Derived(), { name: 1, title: 2 }))).toEqual(['title', 'name']);
      expect(wrongIn(Object.assign(new Base(), { name: 1 }))).toEqual(['name']);
    }
  });
});
