/** What this process does. The command line has neither role. */
export abstract class ProcessRoles {
  /** Serves the API. */
  abstract readonly api: boolean;
  /** Consumes the queues and runs the scheduled tasks. */
  abstract readonly worker: boolean;
}
