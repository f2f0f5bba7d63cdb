import fc from 'fast-check';

/** As much of JSON Schema as our own document uses. */
export interface Schema {
  $ref?: string;
  $defs?: Record<string, Schema>;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
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
  pattern?: string;
  format?: string;
  example?: unknown;
}

const MOST_ITEMS = 5;
const LONGEST_TEXT = 200;
const LETTERS = [...'abcxyzABC019 -.éß漢'];

/** Values that a schema allows, and that need nothing but the schema to be known. */
export class SoundValues {
  constructor(private readonly components: Readonly<Record<string, Schema>>) {}

  /** The schema that a reference leads to; itself when it is none. */
  resolve(schema: Schema, within: Schema = schema): Schema {
    if (schema.$ref === undefined) return schema;
    const name = schema.$ref.split('/').at(-1) ?? '';
    const found = within.$defs?.[name] ?? this.components[name];
    if (found === undefined) throw new Error(`${schema.$ref} is not in the document`);
    return found;
  }

  of(written: Schema, within: Schema = written): fc.Arbitrary<unknown> {
    const schema = this.resolve(written, within);
    const variants = schema.anyOf ?? schema.oneOf;
    if (schema.const !== undefined) return fc.constant(schema.const);
    if (schema.enum) return fc.constantFrom(...schema.enum);
    if (variants) return fc.oneof(...variants.map((each) => this.of(each, within)));
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
        return fc.double({ min: schema.minimum ?? -1e6, max: schema.maximum ?? 1e6, noNaN: true });
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

  private arrays({ items = {}, minItems = 0, maxItems = MOST_ITEMS, uniqueItems }: Schema, within: Schema) {
    const length = { minLength: minItems, maxLength: Math.min(maxItems, MOST_ITEMS) };
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

/** An example says more than a schema can; a domain or an address stays one with something before it. */
function texts({ example, format, pattern, minLength = 0, maxLength = LONGEST_TEXT }: Schema) {
  if (typeof example === 'string' && example.includes(':')) return fc.constant(example);
  if (typeof example === 'string')
    return fc.nat(99).map((n) => (n % 2 === 0 ? example : `n${n}${example.toUpperCase()}`));
  if (format === 'date-time') return fc.nat(50).map((years) => `${2030 + years}-01-31T12:00:00Z`);
  if (format === 'uri') return fc.nat(99).map((n) => `https://receiver${n}.example.org/hook`);
  const length = { minLength, maxLength: Math.min(maxLength, LONGEST_TEXT) };
  if (pattern !== undefined && !pattern.includes('\\p{'))
    return fc.stringMatching(new RegExp(pattern)).filter((text) => text.length <= maxLength);
  return fc
    .string({ ...length, unit: fc.constantFrom(...LETTERS) })
    .filter((text) => minLength === 0 || text.trim() !== '');
}
