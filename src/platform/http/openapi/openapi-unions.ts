import type { OpenAPIObject } from '@nestjs/swagger';

interface Schema {
  title?: string;
  properties?: Record<string, object>;
  required?: string[];
  anyOf?: object[];
  oneOf?: object[];
}
interface Alternative {
  title: string;
  required: string[];
}

/**
 * Gives unions their own components, because generators of clients leave out schemas that contain a union
 * without a name. A union inside another schema is named by its `title`; an object with alternatives
 * (`SchemaWithOne`) becomes a union of one schema for each alternative.
 */
export function nameUnions(document: OpenAPIObject): void {
  const named: Record<string, object> = {};
  const components = document.components ?? {};
  for (const [name, schema] of Object.entries(components.schemas ?? {}))
    named[name] = withNames(alternativesOf(schema as Schema, named) ?? schema, named);
  document.paths = withNames(document.paths, named);
  document.components = { ...components, schemas: named };
}

function withNames<T>(value: T, named: Record<string, object>): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item: unknown) => withNames(item, named)) as T;
  const copy = Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, withNames(member as unknown, named)]),
  );
  const { title, ...schema } = copy;
  if (typeof title !== 'string' || !('anyOf' in schema || 'oneOf' in schema)) return copy as T;
  named[title] = schema;
  return { $ref: `#/components/schemas/${title}` } as T;
}

/** @returns null for another schema. */
function alternativesOf(schema: Schema, named: Record<string, object>): object | null {
  const { properties, required = [], oneOf, ...rest } = schema;
  if (properties === undefined || oneOf === undefined) return null;
  const alternatives = oneOf as Alternative[];
  const exclusive = alternatives.flatMap((alternative) => alternative.required);
  const refs = alternatives.map(({ title, required: own }) => {
    const members = Object.entries(properties).filter(
      ([name]) => own.includes(name) || !exclusive.includes(name),
    );
    named[title] = { ...rest, required: [...required, ...own], properties: Object.fromEntries(members) };
    return { $ref: `#/components/schemas/${title}` };
  });
  return { oneOf: refs };
}
