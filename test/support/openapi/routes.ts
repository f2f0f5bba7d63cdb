import { RequestMethod, type Type } from '@nestjs/common';
import { INTERCEPTORS_METADATA, METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { MetadataScanner, ModulesContainer } from '@nestjs/core';
import { routePolicy } from '../../../src/platform/http/request/route-policy.js';
import type { TestApp } from '../app/app.js';

/** Set by `@ApiExcludeController()`; @nestjs/swagger does not export the name. */
const EXCLUDED_METADATA = 'swagger/apiExcludeController';

/** Every route of the controllers, with its policy and interceptors. `isDocumented`: the OpenAPI document has it. */
export function routesOf({ service }: TestApp) {
  const scanner = new MetadataScanner();
  const controllers = [...service.app.get(ModulesContainer).values()].flatMap((module) => [
    ...module.controllers.values(),
  ]);
  return controllers.flatMap(({ metatype }) => {
    const controller = metatype as Type;
    const prototype = controller.prototype as Record<string, () => unknown>;
    const isDocumented = Reflect.getMetadata(EXCLUDED_METADATA, controller) === undefined;
    return scanner.getAllMethodNames(prototype).flatMap((name) => {
      const handler = prototype[name] as () => unknown;
      const method = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod | undefined;
      if (method === undefined) return [];
      const parts = [
        Reflect.getMetadata(PATH_METADATA, controller),
        Reflect.getMetadata(PATH_METADATA, handler),
      ] as string[];
      const path = `/${parts
        .map((part) => part.replaceAll(/^\/|\/$/g, ''))
        .filter(Boolean)
        .join('/')}`;
      const policy = routePolicy({
        getHandler: () => handler,
        getClass: () => controller as never,
      });
      const interceptors = (Reflect.getMetadata(INTERCEPTORS_METADATA, handler) ?? []) as unknown[];
      return [{ method: RequestMethod[method], path, policy, interceptors, isDocumented }];
    });
  });
}
