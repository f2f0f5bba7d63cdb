export type HealthStatus = 'ok' | 'degraded';

/**
 * How the parts of this process fare that it can do without for a while; `/readyz`
 * shows them. What it cannot do without is asked about there and then.
 */
export class HealthRegistry {
  private readonly parts = new Map<string, (() => HealthStatus)[]>();

  /** A part may have several of a name: it is degraded when one of them is. */
  register(part: string, sign: () => HealthStatus): void {
    this.parts.set(part, [...(this.parts.get(part) ?? []), sign]);
  }

  statuses(): Record<string, HealthStatus> {
    const signs = [...this.parts].map(([part, watched]) => {
      const isDegraded = watched.some((sign) => sign() === 'degraded');
      return [part, isDegraded ? 'degraded' : 'ok'] as const;
    });
    return Object.fromEntries(signs);
  }
}
