import { describe, expect, it } from '@jest/globals';
import type { Type } from '@nestjs/common';
import { IsInt } from 'class-validator';
import { InvalidRequest } from '../../../kernel/errors.js';
import {
  DisplayName,
  Flag,
  FlagParameter,
  ListOf,
  NumberParameter,
  SchemaWithAny,
  SchemaWithOne,
  SomeOf,
  Text,
  Time,
} from './fields.js';
import { RequestValidationPipe } from './validation.pipe.js';

class Entry {
  @Text({ max: 5 })
  email: string;
}

class Order {
  @DisplayName()
  name: string;

  @Flag({ default: false })
  fast = false;

  @ListOf(() => Entry, { optional: true })
  entries?: Entry[];

  @SomeOf(['a', 'b', 'c'], { optional: true, nullable: true, none: 'Send one.' })
  kinds?: string[] | null;

  @Time({ optional: true })
  at?: string;

  @IsInt()
  count = 0;
}

class Search {
  @NumberParameter({ min: 1, max: 100, default: 25 })
  limit = 25;

  @NumberParameter({ min: 1, max: 30, fraction: true, of: 'of seconds', default: 10 })
  timeout = 10;

  @FlagParameter()
  refresh = false;
}

@SchemaWithAny('Change', ['a', 'b'])
class Change {
  @Text({ optional: true, max: 3 })
  a?: string;

  @Text({ optional: true, nullable: true })
  b?: string | null;
}

@SchemaWithOne('Choice', { a: 'ChoiceA', b: 'ChoiceB' })
class Choice extends Change {}

const pipe = new RequestValidationPipe();
const read = (type: Type, value: unknown) => pipe.transform(value, { type: 'body', metatype: type });

/** The pointer and code of each error; the value if it is valid. */
async function validationErrors(type: Type, value: unknown): Promise<unknown> {
  try {
    return await read(type, value);
  } catch (error) {
    if (!(error instanceof InvalidRequest)) throw error;
    return error.fieldErrors.map(({ pointer, code }) => `${pointer} ${code}`);
  }
}

describe('a body', () => {
  it('becomes an instance of its class, with defaults for what is absent', async () => {
    const order = await read(Order, { name: ' Acme ', entries: [{ email: 'a' }] });
    expect(order).toBeInstanceOf(Order);
    expect(order).toEqual({ name: 'Acme', fast: false, count: 0, entries: [{ email: 'a' }] });
    expect((order as Order).entries?.[0]).toBeInstanceOf(Entry);
  });

  it.each([[null], [[]], [['name']], ['name'], [7], [true], ['']])(
    'that is %j is not an object',
    async (value) => {
      expect(await validationErrors(Order, value)).toEqual([' invalid_type']);
    },
  );

  it('that is absent is an empty object if no member is required', async () => {
    expect(await validationErrors(Order, undefined)).toEqual([' invalid_type']);
    expect(await read(Search, undefined)).toEqual({ limit: 25, timeout: 10, refresh: false });
  });

  it('has errors with pointers, also to members of objects in arrays', async () => {
    const entries = [{ email: 'a' }, { email: 'too long' }, { email: 7, ref: 1 }, 7];
    expect(await validationErrors(Order, { name: 'a', entries, kinds: ['a', 'x', 'y'] })).toEqual([
      '/entries/1/email too_big',
      '/entries/2/ref unknown_member',
      '/entries/2/email invalid_type',
      '/entries/3 invalid_type',
      '/kinds/1 invalid_value',
      '/kinds/2 invalid_value',
    ]);
  });

  it('may contain null only where null is allowed, which is not the same as an absent member', async () => {
    expect(await validationErrors(Order, { name: 'a', at: null, fast: null })).toEqual([
      '/fast invalid_type',
      '/at invalid_format',
    ]);
    expect(await read(Order, { name: 'a', kinds: null })).toHaveProperty('kinds', null);
    expect(await read(Order, { name: 'a' })).not.toHaveProperty('kinds');
  });

  it.each(['toString', 'hasOwnProperty', 'constructor', '__proto__', 'valueOf', '', 'x'])(
    'must not have a member %j',
    async (name) => {
      const body = JSON.parse(`{"name":"a","${name}":1}`) as object;
      expect(await validationErrors(Order, body)).toEqual([`/${name} unknown_member`]);
    },
  );

  it('gets at most 20 errors', async () => {
    const entries = Array.from({ length: 1_000 }, () => ({ email: 7 }));
    expect(await validationErrors(Order, { name: 'a', entries })).toHaveLength(20);
    const wide = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`m${n}`, 1]));
    expect(await validationErrors(Order, { name: 'a', ...wide })).toHaveLength(20);
  });

  it('with too many members in an object is rejected before class-transformer compares them', async () => {
    const wide = Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`m${n}`, 1]));
    expect(await validationErrors(Order, { name: wide, entries: [[wide]] })).toEqual([
      '/name too_big',
      '/entries too_big',
    ]);
    expect(await validationErrors(Order, { name: wide, other: 1 })).toEqual([
      '/name too_big',
      '/other unknown_member',
    ]);
  });

  it.each(['2030-02-30T00:00:00Z', '2030-01-31T24:00:00Z', '2030-01-31T12:00:00', '2030-01-31', 'Z', 7])(
    'with %j as a time is rejected',
    async (at) => expect(await validationErrors(Order, { name: 'a', at })).toEqual(['/at invalid_format']),
  );

  it('never gets a message of class-validator, also if a rule has no message', async () => {
    const refused = read(Order, { name: 'a', count: 'x' });
    await expect(refused).rejects.toThrow('/count: This is not allowed here.');
  });

  it('is checked by a rule about the whole object only if all members are valid', async () => {
    expect(await validationErrors(Change, {})).toEqual([' invalid_value']);
    expect(await validationErrors(Change, { b: null })).toEqual({ b: null });
    expect(await validationErrors(Change, { a: 'long' })).toEqual(['/a too_big']);
    expect(await validationErrors(Change, { c: 1 })).toEqual(['/c unknown_member']);
    expect(await validationErrors(Choice, { a: 'a' })).toEqual({ a: 'a' });
    expect(await validationErrors(Choice, { a: 'a', b: 'b' })).toEqual([' invalid_value']);
  });
});

describe('a query', () => {
  it.each([
    ['limit', '7', 7],
    ['limit', '100', 100],
    ['timeout', '1.5', 1.5],
    ['timeout', '30.000', 30],
    ['refresh', 'true', true],
    ['refresh', '0', false],
  ])('%s=%s is %j', async (name, text, value) => {
    expect(await read(Search, { [name]: text })).toHaveProperty(name, value);
  });

  it.each([
    ...['', ' 7', '07', '+7', '-7', '1e1', '0x7', '7.0', '0', '101', 'NaN', '\u0667', '9'.repeat(400)].map(
      (text) => ['limit', text] as const,
    ),
    ...['0.9', '30.001', '1.', '.5', '1.2345', 'Infinity'].map((text) => ['timeout', text] as const),
    ...['yes', 'TRUE', '', '2', 'toString', '__proto__'].map((text) => ['refresh', text] as const),
  ])('%s=%s is rejected', async (name, text) => {
    const code = name === 'refresh' ? 'invalid_value' : 'invalid_format';
    expect(await validationErrors(Search, { [name]: text })).toEqual([`/${name} ${code}`]);
  });

  it.each(['limit', 'timeout', 'refresh'])('may have %s only once', async (name) => {
    expect(await validationErrors(Search, { [name]: ['1', '1'] })).toEqual([
      expect.stringMatching(`^/${name} `),
    ]);
  });
});

describe('a parameter of the path', () => {
  it('must not contain NUL, which PostgreSQL rejects', async () => {
    const id = await pipe.transform('a\0b', { type: 'param', metatype: String, data: 'id' });
    expect(id).toBe('a\uFFFDb');
  });
});
