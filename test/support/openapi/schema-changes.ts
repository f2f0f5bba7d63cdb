/** The keywords of JSON Schema that the documents of this service use. */
export interface Schema {
  $ref?: string;
  type?: string | readonly string[];
  allOf?: readonly Schema[];
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  enum?: readonly unknown[];
  const?: unknown;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  [keyword: string]: unknown;
}

/** Who sends the value: what a client sends must stay accepted, what a client receives must stay what it was. */
export type Direction = 'sent' | 'received';
export type Schemas = Readonly<Record<string, Schema>>;

const LOWER_BOUNDS = ['minimum', 'minLength', 'minItems', 'minProperties'];
const UPPER_BOUNDS = ['maximum', 'maxLength', 'maxItems', 'maxProperties'];
const FORMS = ['format', 'pattern', 'multipleOf', 'contentMediaType'];

/** Compares schemas of two documents. A new value of an enum in a response is compatible: clients must expect it. */
export class SchemaChanges {
  private readonly known = new Map<string, readonly string[]>();

  constructor(
    private readonly before: Schemas,
    private readonly after: Schemas,
  ) {}

  /** What is not compatible, each with its place. */
  between(before: Schema, after: Schema, direction: Direction, place: string): readonly string[] {
    if (before.$ref === undefined || after.$ref === undefined)
      return this.compare(before, after, direction, place);
    // Named schemas are compared once, since they may contain themselves.
    const key = `${direction} ${before.$ref} ${after.$ref}`;
    const known = this.known.get(key);
    if (known !== undefined) return known;
    this.known.set(key, []);
    const found = this.compare(before, after, direction, nameIn(after.$ref));
    this.known.set(key, found);
    return found;
  }

  private compare(before: Schema, after: Schema, direction: Direction, place: string): string[] {
    const old = alternativesOf(before, this.before);
    const current = alternativesOf(after, this.after);
    // Each alternative that may be sent must be one of those that the other side knows.
    return direction === 'sent'
      ? old.flatMap((one) => leastOf(current.map((other) => this.differ(one, other, direction, place))))
      : current.flatMap((one) => leastOf(old.map((other) => this.differ(other, one, direction, place))));
  }

  /** Both have at most one type. */
  private differ(before: Schema, after: Schema, direction: Direction, place: string): string[] {
    const [sender, recipient] = direction === 'sent' ? [before, after] : [after, before];
    if (!covers(recipient.type as string, sender.type as string))
      return [`${place}: ${nameOf(sender.type)} where ${nameOf(recipient.type)} is expected`, MISMATCH];
    const own = [
      ...valueChanges(before, after, direction),
      ...(direction === 'sent' ? boundChanges(before, after) : []),
      ...FORMS.filter((name) => recipient[name] !== undefined && recipient[name] !== sender[name]),
    ];
    return [
      ...own.map((change) => `${place}: ${change}`),
      ...this.memberChanges(before, after, direction, place),
      ...this.partChanges(before.items, after.items, direction, `${place}[]`),
      ...this.partChanges(othersOf(before), othersOf(after), direction, `${place}.*`),
    ];
  }

  private memberChanges(before: Schema, after: Schema, direction: Direction, place: string): string[] {
    const { properties: old = {} } = before;
    const { properties: current = {} } = after;
    const [optional, required] = direction === 'sent' ? [before, after] : [after, before];
    const isNewly = (name: string) => !(optional.required ?? []).includes(name);
    const isKept = (name: string) => name in current || !(name in old);
    const newly = (required.required ?? []).filter((name) => isNewly(name) && isKept(name));
    return [
      ...newly.map((name) => `${place}.${name}: ${direction === 'sent' ? 'now required' : 'may be missing'}`),
      ...Object.entries(old).flatMap(([name, schema]) => {
        const member = current[name];
        if (member === undefined) return [`${place}.${name}: removed`];
        return this.between(schema, member, direction, `${place}.${name}`);
      }),
      ...(direction === 'sent' && isClosed(after) && !isClosed(before) ? [`${place}: no other members`] : []),
    ];
  }

  /** Of the items of an array, or the other members of an object: an absent schema takes everything. */
  private partChanges(
    before: Schema | undefined,
    after: Schema | undefined,
    direction: Direction,
    place: string,
  ): readonly string[] {
    if (before === undefined && after === undefined) return [];
    return this.between(before ?? {}, after ?? {}, direction, place);
  }
}

/** At the end of what is found for alternatives of different types. */
const MISMATCH = '';

/** The changes to the alternative that is most alike: of the same type, with the fewest. */
function leastOf(found: readonly string[][]): string[] {
  const rank = (changes: string[]) => (changes.at(-1) === MISMATCH ? 1_000 : changes.length);
  const [least = []] = [...found].sort((one, other) => rank(one) - rank(other));
  return least.filter((change) => change !== MISMATCH);
}

/** The alternatives of a schema, each with at most one type. */
function alternativesOf(schema: Schema, named: Schemas): Schema[] {
  const { $ref, allOf, anyOf, oneOf, ...own } = schema;
  if ($ref !== undefined) return alternativesOf({ ...named[nameIn($ref)], ...own }, named);
  if (allOf !== undefined) return alternativesOf(merged([...allOf, own], named), named);
  const union = anyOf ?? oneOf;
  if (union !== undefined) return union.flatMap((one) => alternativesOf(one, named));
  return typeof own.type === 'string' || own.type === undefined
    ? [own]
    : own.type.map((type) => (type === 'null' ? { type } : { ...own, type }));
}

function merged(parts: readonly Schema[], named: Schemas): Schema {
  return parts
    .map((part) => (part.$ref === undefined ? part : { ...named[nameIn(part.$ref)] }))
    .reduce((one, other) => ({
      ...one,
      ...other,
      properties: { ...one.properties, ...other.properties },
      required: [...(one.required ?? []), ...(other.required ?? [])],
    }));
}

function valueChanges(before: Schema, after: Schema, direction: Direction): string[] {
  const [old, current] = [valuesOf(before), valuesOf(after)];
  if (direction === 'received') {
    if (before.const !== undefined && after.const !== before.const) return ['another value'];
    return old !== null && current === null ? ['any value'] : [];
  }
  const isSame = before.default === undefined || before.default === after.default;
  const missing =
    current === null ? [] : (old ?? ['other values']).filter((value) => !current.includes(value));
  return [...missing.map((value) => `no longer ${String(value)}`), ...(isSame ? [] : ['another default'])];
}

function valuesOf({ enum: values, const: only }: Schema): readonly unknown[] | null {
  return values ?? (only === undefined ? null : [only]);
}

function boundChanges(before: Schema, after: Schema): string[] {
  const value = (schema: Schema, name: string, none: number) => (schema[name] as number | undefined) ?? none;
  return [
    ...LOWER_BOUNDS.filter((name) => value(after, name, -Infinity) > value(before, name, -Infinity)),
    ...UPPER_BOUNDS.filter((name) => value(after, name, Infinity) < value(before, name, Infinity)),
    ...(after.uniqueItems === true && before.uniqueItems !== true ? ['uniqueItems'] : []),
  ];
}

const isClosed = ({ additionalProperties: others }: Schema) => others === false;

/** The schema of members that are not named. */
function othersOf({ additionalProperties: others }: Schema): Schema | undefined {
  return typeof others === 'object' ? others : undefined;
}

/** An absent type is any. */
function covers(wide: string | undefined, narrow: string | undefined): boolean {
  return wide === undefined || wide === narrow || (wide === 'number' && narrow === 'integer');
}

const nameOf = (type: Schema['type']) => (type === undefined ? 'any type' : String(type));
const nameIn = (ref: string) => ref.slice(ref.lastIndexOf('/') + 1);
