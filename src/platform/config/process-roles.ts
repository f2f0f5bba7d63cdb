/** The roles of this process. The command line has neither. */
export abstract class ProcessRoles {
  /** Serves the API. */
  abstract readonly api: boolean;
  /** Consumes the queues and runs the scheduled tasks. */
  abstract readonly worker: boolean;
}
