import type { OpenAPIObject } from '@nestjs/swagger';

/** The parts of JSON Schema that the document uses. */
interface Schema {
  $ref?: string;
  type?: string | readonly string[];
  const?: unknown;
  enum?: readonly unknown[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: readonly string[];
  additionalProperties?: Schema | boolean;
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  /** With one schema, which has a description here. */
  allOf?: readonly [Schema];
}
type WebhookItem = { post: { requestBody: { content: { 'application/json': { schema: Schema } } } } };

const HEAD = `"""Types of the API, generated from /openapi.json. Do not edit."""

from __future__ import annotations

from typing import Any, Dict, List, Literal, Optional, TypedDict, Union
`;
const SCALARS: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
};
const KEYWORDS = ['class', 'from', 'import', 'is', 'not', 'or', 'and', 'in', 'pass', 'global', 'def', 'None'];

/** A Python module with a TypedDict for each schema of the document and for each webhook event. */
export function pythonTypes(document: OpenAPIObject): string {
  const module = new PythonModule();
  const { schemas = {} } = document.components ?? {};
  for (const [name, schema] of Object.entries<Schema>(schemas as Record<string, Schema>))
    module.define(name, schema);
  const events = Object.entries(
    (document as unknown as { webhooks: Record<string, WebhookItem> }).webhooks,
  ).map(([type, item]) => {
    const name = `${pascal(type)}Webhook`;
    module.define(name, item.post.requestBody.content['application/json'].schema);
    return { $ref: `#/components/schemas/${name}` };
  });
  module.define('WebhookEvent', { anyOf: events });
  return module.text();
}

class PythonModule {
  private readonly classes: string[] = [];
  /** Of classes, so they come after them. */
  private readonly aliases: string[] = [];

  define(name: string, schema: Schema): void {
    if (schema.properties !== undefined && Object.keys(schema.properties).length > 0)
      this.defineClass(name, schema.properties, schema.required ?? []);
    else this.aliases.push(`${name} = ${this.typeOf(schema, name)}\n`);
  }

  text(): string {
    return [HEAD, ...this.classes, this.aliases.join('')].join('\n\n');
  }

  /** Python 3.9 has no `NotRequired`: required members are in a base class. */
  private defineClass(name: string, properties: Record<string, Schema>, required: readonly string[]): void {
    const members = Object.entries(properties).map(([member, schema]) => {
      if (!/^[a-z_]\w*$/i.test(member) || KEYWORDS.includes(member))
        throw new Error(`${name}.${member} cannot be a member of a Python class`);
      const type = this.typeOf(schema, `${name}${pascal(member)}`);
      return { line: `    ${member}: ${type}\n`, isRequired: required.includes(member) };
    });
    const linesOf = (isRequired: boolean) =>
      members
        .filter((member) => member.isRequired === isRequired)
        .map(({ line }) => line)
        .join('');
    const [always, sometimes] = [linesOf(true), linesOf(false)];
    if (sometimes === '') this.classes.push(`class ${name}(TypedDict):\n${always}`);
    else if (always === '') this.classes.push(`class ${name}(TypedDict, total=False):\n${sometimes}`);
    else {
      this.classes.push(`class _${name}Required(TypedDict):\n${always}`);
      this.classes.push(`class ${name}(_${name}Required, total=False):\n${sometimes}`);
    }
  }

  /** @param name of a class for an object that has none. */
  private typeOf(schema: Schema, name: string): string {
    return union(this.choicesOf(schema, name));
  }

  private choicesOf(schema: Schema, name: string): string[] {
    if (schema.$ref !== undefined) return [schema.$ref.split('/').at(-1) ?? ''];
    if (schema.allOf !== undefined) return schema.allOf.flatMap((each) => this.choicesOf(each, name));
    const choices = schema.anyOf ?? schema.oneOf;
    if (choices !== undefined) return choices.flatMap((each) => this.choicesOf(each, name));
    if (schema.const !== undefined) return literals([schema.const]);
    if (schema.enum !== undefined) return literals(schema.enum);
    if (schema.type === undefined) return ['Any'];
    return [schema.type].flat().map((type) => this.simple(type, schema, name));
  }

  private simple(type: string, schema: Schema, name: string): string {
    if (type === 'array') return `List[${this.typeOf(schema.items ?? {}, `${name}Item`)}]`;
    if (type !== 'object') return SCALARS[type] ?? 'Any';
    if (typeof schema.additionalProperties === 'object')
      return `Dict[str, ${this.typeOf(schema.additionalProperties, `${name}Value`)}]`;
    if (schema.properties === undefined) return 'Dict[str, Any]';
    this.defineClass(name, schema.properties, schema.required ?? []);
    return name;
  }
}

function union(types: readonly string[]): string {
  const distinct = [...new Set(types)];
  const others = distinct.filter((type) => type !== 'None');
  if (others.length === 0) return 'None';
  const type = others.length === 1 ? others.join() : `Union[${others.join(', ')}]`;
  return others.length === distinct.length ? type : `Optional[${type}]`;
}

function literals(values: readonly unknown[]): string[] {
  const named = values.filter((value) => value !== null).map((value) => JSON.stringify(value));
  const types = named.length === 0 ? [] : [`Literal[${named.join(', ')}]`];
  return named.length === values.length ? types : [...types, 'None'];
}

function pascal(name: string): string {
  return name
    .split(/[^a-z0-9]+/i)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('');
}
