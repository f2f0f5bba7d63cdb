import { SchemaChanges, type Direction, type Schema, type Schemas } from './schema-changes.js';

interface Body {
  required?: boolean;
  content?: Readonly<Record<string, { schema?: Schema }>>;
  headers?: object;
}

interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  required?: boolean;
  schema?: Schema;
}

interface Operation {
  operationId?: string;
  security?: readonly object[];
  parameters?: readonly Parameter[];
  requestBody?: Body;
  responses: Readonly<Record<string, Body>>;
}

type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

/** The parts of an OpenAPI document that clients depend on. */
export interface ApiDocument {
  paths: Paths;
  webhooks?: Paths;
  components?: { schemas?: Schemas; parameters?: Readonly<Record<string, Parameter>> };
}

/** What clients and receivers of webhooks that know the first document cannot expect of the second. */
export function incompatibleChanges(before: ApiDocument, after: ApiDocument): string[] {
  const changes = new ApiChanges(before, after);
  return [...new Set(changes.all())];
}

class ApiChanges {
  private readonly schemas: SchemaChanges;

  constructor(
    private readonly before: ApiDocument,
    private readonly after: ApiDocument,
  ) {
    this.schemas = new SchemaChanges(before.components?.schemas ?? {}, after.components?.schemas ?? {});
  }

  all(): string[] {
    return [
      ...this.inPaths(this.before.paths, this.after.paths, (...operations) =>
        this.inOperation(...operations),
      ),
      ...this.inPaths(this.before.webhooks ?? {}, this.after.webhooks ?? {}, (place, before, after) =>
        this.inWebhook(place, before, after),
      ),
    ];
  }

  private inPaths(
    before: Paths,
    after: Paths,
    compare: (place: string, before: Operation, after: Operation) => string[],
  ): string[] {
    return Object.entries(before).flatMap(([path, item]) =>
      Object.entries(item).flatMap(([method, operation]) => {
        const place = `${method.toUpperCase()} ${path}`;
        const current = after[path]?.[method];
        return current === undefined ? [`${place}: removed`] : compare(place, operation, current);
      }),
    );
  }

  private inOperation(place: string, before: Operation, after: Operation): string[] {
    const isNew = (part: object) =>
      !(before.security ?? []).some((one) => JSON.stringify(one) === JSON.stringify(part));
    const isClosed = (after.security ?? []).length > 0 && (before.security ?? []).length === 0;
    return [
      // Generators of clients make the name of the method from it.
      ...(before.operationId === after.operationId ? [] : [`${place}: another operationId`]),
      ...(isClosed || (after.security ?? []).some(isNew) ? [`${place}: another credential`] : []),
      ...this.inParameters(place, before, after, 'sent'),
      ...this.inRequest(place, before.requestBody, after.requestBody),
      ...this.inResponses(place, before.responses, after.responses),
    ];
  }

  /** The service sends it, so that a receiver is to it what a client is to a response. */
  private inWebhook(place: string, before: Operation, after: Operation): string[] {
    return [
      ...this.inParameters(place, before, after, 'received'),
      ...this.inContent(place, before.requestBody, after.requestBody, 'received'),
    ];
  }

  private inParameters(place: string, before: Operation, after: Operation, direction: Direction): string[] {
    const old = parametersOf(before, this.before);
    const current = parametersOf(after, this.after);
    const required = [...current].filter(([, { required }]) => required === true).map(([name]) => name);
    const newly = required.filter((name) => direction === 'sent' && old.get(name)?.required !== true);
    return [
      ...newly.map((name) => `${place} ${name}: now required`),
      ...[...old].flatMap(([name, { schema = {} }]) => {
        const parameter = current.get(name);
        if (parameter === undefined) return [`${place} ${name}: removed`];
        return this.schemas.between(schema, parameter.schema ?? {}, direction, `${place} ${name}`);
      }),
    ];
  }

  private inRequest(place: string, before: Body | undefined, after: Body | undefined): string[] {
    const isRequired = after?.required === true && before?.required !== true;
    return [
      ...(isRequired ? [`${place} body: now required`] : []),
      ...this.inContent(`${place} body`, before, after, 'sent'),
    ];
  }

  private inResponses(
    place: string,
    before: Operation['responses'],
    after: Operation['responses'],
  ): string[] {
    const added = Object.keys(after).filter((status) => /^[23]/.test(status) && !(status in before));
    return [
      ...added.map((status) => `${place} ${status}: a new status`),
      ...Object.entries(before).flatMap(([status, response]) => {
        const current = after[status];
        if (current === undefined) return [`${place} ${status}: removed`];
        const headers = Object.keys(response.headers ?? {}).filter(
          (name) => !(name in (current.headers ?? {})),
        );
        return [
          ...headers.map((name) => `${place} ${status} ${name}: removed`),
          ...this.inContent(`${place} ${status}`, response, current, 'received'),
        ];
      }),
    ];
  }

  private inContent(
    place: string,
    before: Body | undefined,
    after: Body | undefined,
    direction: Direction,
  ): string[] {
    return Object.entries(before?.content ?? {}).flatMap(([type, { schema = {} }]) => {
      const media = after?.content?.[type];
      if (media === undefined) return [`${place} ${type}: removed`];
      return this.schemas.between(schema, media.schema ?? {}, direction, place);
    });
  }
}

function parametersOf({ parameters = [] }: Operation, document: ApiDocument): Map<string, Parameter> {
  const resolved = parameters.map((parameter) => {
    const name = parameter.$ref?.slice(parameter.$ref.lastIndexOf('/') + 1);
    return name === undefined ? parameter : (document.components?.parameters?.[name] ?? parameter);
  });
  return new Map(resolved.map((parameter) => [`${parameter.in} ${parameter.name}`, parameter]));
}
