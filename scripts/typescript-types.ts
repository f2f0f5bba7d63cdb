import type { OpenAPIObject } from '@nestjs/swagger';
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';

/** The types of a client, as `openapi-typescript` generates them from the document with its default options. */
export async function typescriptTypes(document: OpenAPIObject): Promise<string> {
  return astToString(await openapiTS(document as unknown as OpenAPI3, { silent: true }));
}
