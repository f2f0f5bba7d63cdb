import { RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { MetadataScanner, type DiscoveryService } from '@nestjs/core';
import { routePolicy, type RoutePolicy } from './route-policy.js';

interface ControllerRoute {
  /** In upper case. */
  method: string;
  path: string;
  policy: RoutePolicy;
  controller: Type;
  handler: () => unknown;
}

/** The routes of all controllers. */
export function controllerRoutes(discovery: DiscoveryService): ControllerRoute[] {
  const scanner = new MetadataScanner();
  return discovery.getControllers().flatMap(({ metatype }) => {
    const controller = metatype as Type;
    const prototype = controller.prototype as Record<string, () => unknown>;
    return scanner.getAllMethodNames(prototype).flatMap((name) => {
      const handler = prototype[name] as () => unknown;
      const method = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod | undefined;
      if (method === undefined) return [];
      const policy = routePolicy({ getHandler: () => handler, getClass: () => controller as never });
      const route = { method: RequestMethod[method], policy, controller, handler };
      return pathsOfRoute(controller, handler).map((path) => ({ ...route, path }));
    });
  });
}

/** A handler may have several. */
function pathsOfRoute(controller: object, handler: object): string[] {
  const [bases, ends] = [controller, handler].map((target) =>
    [Reflect.getMetadata(PATH_METADATA, target) as string | string[]].flat(),
  );
  return (bases ?? []).flatMap((base) => (ends ?? []).map((end) => joined(base, end)));
}

function joined(...parts: readonly string[]): string {
  return `/${parts
    .map((part) => part.replaceAll(/^\/|\/$/g, ''))
    .filter(Boolean)
    .join('/')}`;
}

/** The methods that each path supports. */
export class RouteTable {
  /** Of paths without parameters, by their spelling. Such a path is never matched as a parameter of another path. */
  private readonly fixed = new Map<string, string[]>();
  private readonly patterns: { pattern: RegExp; methods: readonly string[] }[] = [];

  add(method: string, path: string): void {
    const methods = method === 'GET' ? ['GET', 'HEAD'] : [method];
    const key = spelling(path);
    if (/[:*]/.test(path)) this.patterns.push({ pattern: patternOf(key), methods });
    else this.fixed.set(key, sorted([...(this.fixed.get(key) ?? []), ...methods]));
  }

  /** Whether the path has no parameters and does not support the method; the router would try the next route. */
  refuses(method: string, path: string): boolean {
    return this.fixed.get(spelling(path))?.includes(method) === false;
  }

  /** @returns methods in upper case, sorted; empty if no route has this path. */
  methodsOf(path: string): string[] {
    const key = spelling(path);
    const matching = this.patterns.filter(({ pattern }) => pattern.test(key));
    return this.fixed.get(key) ?? sorted(matching.flatMap(({ methods }) => methods));
  }
}

/** For a path with `:name`, a part of a segment, or `*name`, one or more segments, as Express matches them. */
function patternOf(path: string): RegExp {
  const parts = path.split(/([:*]\w+)/).map((part) => {
    if (part.startsWith(':')) return '[^/]+';
    return part.startsWith('*') ? '.+' : part.replaceAll('.', '\\.');
  });
  return new RegExp(`^${parts.join('')}$`);
}

/** Normalizes a path as Express does: any letter case, with or without a slash at the end. */
function spelling(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1).toLowerCase() : path.toLowerCase();
}

function sorted(methods: readonly string[]): string[] {
  return [...new Set(methods)].sort();
}
