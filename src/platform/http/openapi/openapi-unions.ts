import type { OpenAPIObject } from '@nestjs/swagger';

interface Schema {
  title?: string;
  properties?: Record<string, object>;
  required?: string[];
  anyOf?: object[];
  oneOf?: object[];
}
/** An object with these members, beside those that no alternative names. */
export interface Alternative {
  title: string;
  required: string[];
  optional?: string[];
  /** Schemas that are narrower here. */
  properties?: Record<string, object>;
}

/**
 * Gives unions their own components, because generators of clients leave out schemas that contain a union
 * without a name. A union inside another schema is named by its `title`; an object with alternatives
 * (`oneOf` beside its properties) becomes a union of one schema for each alternative.
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
  const exclusive = alternatives.flatMap(membersOf);
  const refs = alternatives.map((alternative) => {
    const own = membersOf(alternative);
    const members = Object.entries(properties).filter(
      ([name]) => own.includes(name) || !exclusive.includes(name),
    );
    named[alternative.title] = {
      ...rest,
      required: [...required, ...alternative.required],
      properties: { ...Object.fromEntries(members), ...alternative.properties },
    };
    return { $ref: `#/components/schemas/${alternative.title}` };
  });
  return { oneOf: refs };
}

const membersOf = ({ required, optional = [] }: Alternative) => [...required, ...optional];
