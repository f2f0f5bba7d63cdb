import { INTERCEPTORS_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService } from '@nestjs/core';
import { controllerRoutes } from '../../../src/platform/http/request/route-table.js';
import type { TestApp } from '../app/app.js';

/** Set by `@ApiExcludeController()`; @nestjs/swagger does not export the name. */
const EXCLUDED_METADATA = 'swagger/apiExcludeController';

/** Every route of the controllers, with its policy and interceptors. `isDocumented`: the OpenAPI document has it. */
export function routesOf({ service }: TestApp) {
  return controllerRoutes(service.app.get(DiscoveryService)).map(({ controller, handler, ...route }) => {
    const isDocumented = Reflect.getMetadata(EXCLUDED_METADATA, controller) === undefined;
    const interceptors = (Reflect.getMetadata(INTERCEPTORS_METADATA, handler) ?? []) as unknown[];
    return { ...route, interceptors, isDocumented };
  });
}
