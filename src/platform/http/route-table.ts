import FindMyWay, { type HTTPMethod } from 'find-my-way';

/** How a path finds its route: whatever the case of its letters, with a slash at its end or without, and however long. */
export const ROUTING = { caseSensitive: false, ignoreTrailingSlash: true, maxParamLength: 20_000 } as const;

/** Which methods a path takes, by the same rules that the server finds a route by. */
export class RouteTable {
  private readonly router = FindMyWay(ROUTING);
  private readonly methods = new Set<HTTPMethod>();

  add({ method, url }: { method: string | string[]; url: string }): void {
    for (const each of [method].flat() as HTTPMethod[]) {
      this.methods.add(each);
      this.router.on(each, url, () => undefined);
    }
  }

  /** Upper case, sorted; empty when no route has this path. */
  methodsOf(path: string): string[] {
    return [...this.methods].filter((method) => this.router.find(method, path) !== null).sort();
  }
}
