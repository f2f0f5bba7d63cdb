export type VitalSign = 'ok' | 'degraded';

/**
 * How the parts of this process fare that it can do without for a while: each
 * tells when that changes, and `/readyz` shows them. What it cannot do without
 * is asked about there and then.
 */
export class Vitals {
  private readonly signs = new Map<string, VitalSign>();

  report(part: string, sign: VitalSign): void {
    this.signs.set(part, sign);
  }

  all(): Record<string, VitalSign> {
    return Object.fromEntries(this.signs);
  }
}
