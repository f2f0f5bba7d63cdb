/** `single`: a call that a client waits for. `list`: a row of a list, or a recheck in the background. */
export type Priority = 'single' | 'list';

/** The tenant and the priority of a request, by which shared resources are divided. */
export interface Requester {
  /** A team's id; '' without an account, as on the command line. */
  tenant: string;
  priority: Priority;
}

/** The map key of a requester. */
export function keyOf({ tenant, priority }: Requester): string {
  return `${priority} ${tenant}`;
}
