export type HealthStatus = 'ok' | 'degraded';

/**
 * The status of optional dependencies, reported by `/readyz`. Required dependencies (database,
 * migrations) are checked by `/readyz` itself.
 */
export class HealthRegistry {
  private readonly parts = new Map<string, (() => HealthStatus)[]>();
  private readonly reasonOf = new Map<string, () => string>();

  /**
   * Adds a check. A part with several checks is degraded when one of them is.
   *
   * @param reason the cause of `degraded`, if the name of the part does not say it.
   */
  register(part: string, check: () => HealthStatus, reason?: string | (() => string)): void {
    this.parts.set(part, [...(this.parts.get(part) ?? []), check]);
    if (reason !== undefined) this.reasonOf.set(part, typeof reason === 'string' ? () => reason : reason);
  }

  statuses(): Record<string, HealthStatus> {
    const statuses = [...this.parts].map(([part, checks]) => {
      const isDegraded = checks.some((check) => check() === 'degraded');
      return [part, isDegraded ? 'degraded' : 'ok'] as const;
    });
    return Object.fromEntries(statuses);
  }

  reasons(): Record<string, string> {
    const statuses = this.statuses();
    const degraded = [...this.reasonOf].filter(([part]) => statuses[part] === 'degraded');
    return Object.fromEntries(degraded.map(([part, reason]) => [part, reason()]));
  }
}
