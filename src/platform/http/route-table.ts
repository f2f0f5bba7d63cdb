import type { Application } from 'express';

interface Layer {
  route?: { methods: Record<string, boolean> };
  match(path: string): boolean;
}

/** Which methods a path takes, read from the router once every route is mounted. */
export class RouteTable {
  private layers: Layer[] = [];

  read(app: Application): void {
    const { stack } = app.router as unknown as { stack: Layer[] };
    this.layers = stack.filter((layer) => layer.route !== undefined);
  }

  /** Upper case, sorted; empty when no route has this path. */
  methodsOf(path: string): string[] {
    const methods = new Set<string>();
    for (const layer of this.layers) {
      if (!matches(layer, path)) continue;
      for (const method of Object.keys(layer.route?.methods ?? {})) methods.add(method.toUpperCase());
    }
    if (methods.has('GET')) methods.add('HEAD');
    return [...methods].sort();
  }
}

function matches(layer: Layer, path: string): boolean {
  try {
    return layer.match(path);
  } catch {
    // A path whose percent-encoding is broken matches nothing.
    return false;
  }
}
