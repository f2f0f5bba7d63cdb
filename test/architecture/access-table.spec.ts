import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { MetadataScanner, ModulesContainer, Reflector } from '@nestjs/core';
import { accessWords } from '../../src/platform/http/access.js';
import { anApp, type TestApp } from '../support/app.js';

/** The security model on one page: who may call what. A line that changes here is a decision. */
const ACCESS_TABLE = `
GET  /livez     public
GET  /readyz    public
GET  /v1/verify member  live and test  verify (refresh when asked)  costs 1
`;

let app: TestApp;
beforeAll(async () => {
  app = await anApp();
});
afterAll(() => app.stop());

it('every route says who may call it, and this is all of them', () => {
  const lines = routes(app).map(({ method, path, words }) => {
    if (words.public) return `${method.padEnd(4)} ${path.padEnd(10)} public`;
    const keys = method === 'GET' || words.testKeysToo ? 'live and test' : 'live';
    const feature = `${words.feature ?? ''}${words.featureWhenAsked ? ` (${words.featureWhenAsked} when asked)` : ''}`;
    return `${method.padEnd(4)} ${path.padEnd(10)} ${words.role}  ${keys}  ${feature}  costs ${words.cost}`;
  });
  expect(`\n${lines.sort().join('\n')}\n`).toBe(ACCESS_TABLE);
});

it('every route that is not public answers 401 to a stranger', async () => {
  for (const { method, path, words } of routes(app)) {
    if (words.public) continue;
    const answer = await fetch(app.url + path.replaceAll(/:\w+/g, 'some-id'), { method });
    expect([path, answer.status, answer.headers.get('www-authenticate')]).toEqual([path, 401, 'Bearer']);
  }
});

function routes({ service }: TestApp) {
  const reflector = new Reflector();
  const scanner = new MetadataScanner();
  const controllers = [...service.app.get(ModulesContainer).values()].flatMap((module) => [
    ...module.controllers.values(),
  ]);
  return controllers.flatMap(({ metatype }) => {
    const controller = metatype as Type;
    const prototype = controller.prototype as Record<string, () => unknown>;
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
      const words = accessWords(reflector, {
        getHandler: () => handler,
        getClass: () => controller as never,
      });
      return [{ method: RequestMethod[method], path, words }];
    });
  });
}
