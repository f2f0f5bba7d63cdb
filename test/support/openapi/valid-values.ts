import fc from 'fast-check';

/** The part of JSON Schema that the document uses. */
export interface Schema {
  $ref?: string;
  $defs?: Record<string, Schema>;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  /** A reference with a description of its own. */
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  minProperties?: number;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  multipleOf?: number;
  pattern?: string;
  format?: string;
  example?: unknown;
}

const MAX_ITEMS = 5;
const MAX_TEXT_LENGTH = 200;
const LETTERS = [...'abcxyzABC019 -.éß漢'];

/** Generates valid values from a schema. */
export class ValidValues {
  constructor(private readonly components: Readonly<Record<string, Schema>>) {}

  /** Resolves a reference; other schemas are returned unchanged. */
  resolve(schema: Schema, within: Schema = schema): Schema {
    if (schema.$ref === undefined) return schema;
    const name = schema.$ref.split('/').at(-1) ?? '';
    const found = within.$defs?.[name] ?? this.components[name];
    if (found === undefined) throw new Error(`${schema.$ref} is not in the document`);
    return found;
  }

  of(written: Schema, within: Schema = written): fc.Arbitrary<unknown> {
    const schema = this.resolve(written.allOf?.[0] ?? written, within);
    const variants = schema.anyOf ?? schema.oneOf;
    if (schema.const !== undefined) return fc.constant(schema.const);
    if (schema.enum) return fc.constantFrom(...schema.enum);
    if (variants) return fc.oneof(...variants.map((variant) => this.of(variant, within)));
    if (Array.isArray(schema.type))
      return fc.oneof(...schema.type.map((type) => this.of({ ...schema, type }, within)));
    return this.ofType(schema, within);
  }

  private ofType(schema: Schema, within: Schema): fc.Arbitrary<unknown> {
    switch (schema.type) {
      case 'null':
        return fc.constant(null);
      case 'boolean':
        return fc.boolean();
      case 'integer':
        return fc.integer({ min: schema.minimum ?? -1_000, max: schema.maximum ?? 1_000 });
      case 'number':
        return numbers(schema);
      case 'array':
        return this.arrays(schema, within);
      case 'object':
        return this.objects(schema, within);
      case 'string':
        return texts(schema);
      default:
        return fc.jsonValue({ maxDepth: 2 });
    }
  }

  private arrays({ items = {}, minItems = 0, maxItems = MAX_ITEMS, uniqueItems }: Schema, within: Schema) {
    const length = { minLength: minItems, maxLength: Math.min(maxItems, MAX_ITEMS) };
    const item = this.of(items, within);
    return uniqueItems === true ? fc.uniqueArray(item, length) : fc.array(item, length);
  }

  private objects(schema: Schema, within: Schema): fc.Arbitrary<unknown> {
    const { properties = {}, required = [], minProperties = 0 } = schema;
    const members = Object.fromEntries(
      Object.entries(properties).map(([name, member]) => [name, this.of(member, within)]),
    );
    return fc
      .record(members, { requiredKeys: required, noNullPrototype: true })
      .filter((made) => Object.keys(made).length >= minProperties);
  }
}

function numbers({ minimum = -1e6, maximum = 1e6, multipleOf }: Schema): fc.Arbitrary<number> {
  if (multipleOf === undefined) return fc.double({ min: minimum, max: maximum, noNaN: true });
  const steps = Math.round(1 / multipleOf);
  return fc.integer({ min: minimum * steps, max: maximum * steps }).map((n) => n / steps);
}

/** Uses the example, with a prefix that keeps a domain or an address valid. */
function texts({ example, format, pattern, minLength = 0, maxLength = MAX_TEXT_LENGTH }: Schema) {
  // A URL, or a list of names that are known.
  if (typeof example === 'string' && /[:,]/.test(example)) return fc.constant(example);
  if (typeof example === 'string')
    return fc.nat(99).map((n) => (n % 2 === 0 ? example : `n${n}${example.toUpperCase()}`));
  if (format === 'date-time') return fc.nat(50).map((years) => `${2030 + years}-01-31T12:00:00Z`);
  if (format === 'uri') return fc.nat(99).map((n) => `https://receiver${n}.example.org/hook`);
  const length = { minLength, maxLength: Math.min(maxLength, MAX_TEXT_LENGTH) };
  if (pattern !== undefined && !pattern.includes('\\p{'))
    return fc.stringMatching(new RegExp(pattern)).filter((text) => text.length <= maxLength);
  return fc
    .string({ ...length, unit: fc.constantFrom(...LETTERS) })
    .filter((text) => minLength === 0 || text.trim() !== '');
}
