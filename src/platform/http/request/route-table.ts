import type { Application, Router } from 'express';

interface Route {
  path: string | RegExp;
  methods: Record<string, boolean>;
}

interface Layer {
  route?: Route;
  match(path: string): boolean;
}

/** The methods that each path supports, read from the router after all routes are mounted. */
export class RouteTable {
  private layers: Layer[] = [];
  /** The methods of paths without parameters. Such a path is never matched as a parameter of another path. */
  private readonly fixed = new Map<string, string[]>();

  /** @param pages a router that the application has mounted for everything but `/v1`. */
  read(app: Application, pages?: Router): void {
    const routers = [...(pages === undefined ? [] : [pages]), app.router];
    const layers = routers.flatMap((router) => (router as unknown as { stack: Layer[] }).stack);
    this.layers = layers.filter((layer) => layer.route !== undefined);
    const fixed = new Map<string, Layer[]>();
    for (const layer of this.layers) {
      const path = layer.route?.path;
      if (typeof path !== 'string' || /[:*{]/.test(path)) continue;
      const key = spelling(path);
      fixed.set(key, [...(fixed.get(key) ?? []), layer]);
    }
    for (const [key, layers] of fixed) this.fixed.set(key, methodsIn(layers));
  }

  /** Whether the path has no parameters and does not support the method; the router would try the next route. */
  refuses(method: string, path: string): boolean {
    return this.fixed.get(spelling(path))?.includes(method) === false;
  }

  /** @returns methods in upper case, sorted; empty if no route has this path. */
  methodsOf(path: string): string[] {
    return this.fixed.get(spelling(path)) ?? methodsIn(this.layers.filter((layer) => matches(layer, path)));
  }
}

function methodsIn(layers: readonly Layer[]): string[] {
  const methods = new Set<string>();
  for (const { route } of layers)
    for (const method of Object.keys(route?.methods ?? {})) methods.add(method.toUpperCase());
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods].sort();
}

/** Normalizes a path as Express does: any letter case, with or without a slash at the end. */
function spelling(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1).toLowerCase() : path.toLowerCase();
}

function matches(layer: Layer, path: string): boolean {
  try {
    return layer.match(path);
  } catch {
    // A path with invalid percent-encoding matches no route.
    return false;
  }
}
