/** The keywords of the document's schemas from which an example is made. */
interface ExampleSchema {
  $ref?: string;
  example?: unknown;
  enum?: readonly unknown[];
  anyOf?: readonly ExampleSchema[];
  type?: string | readonly string[];
  items?: ExampleSchema;
  properties?: Readonly<Record<string, ExampleSchema>>;
  required?: readonly string[];
  minimum?: number;
}

/** The examples of the fields of a schema, as one value. Members that are not required are left out. */
export function exampleOf(schema: ExampleSchema, schemas: Readonly<Record<string, object>>): unknown {
  const { $ref, anyOf, items, properties = {}, required = [] } = schema;
  if (schema.example !== undefined) return schema.example;
  if ($ref !== undefined) return exampleOf(schemas[$ref.split('/').at(-1) ?? ''] ?? {}, schemas);
  if (anyOf?.[0] !== undefined) return exampleOf(anyOf[0], schemas);
  if (schema.enum !== undefined) return schema.enum[0];
  if (items !== undefined) return [exampleOf(items, schemas)];
  if (schema.type === 'boolean') return false;
  if (schema.type === 'integer') return schema.minimum;
  if (schema.type !== 'object') return null;
  return Object.fromEntries(required.map((name) => [name, exampleOf(properties[name] ?? {}, schemas)]));
}
