/** `single`: a call that somebody waits for. `list`: a row of a list, or a recheck in the background. */
export type Priority = 'single' | 'list';

/** For whom something is done, and how urgent it is: what all teams share is divided by it. */
export interface Requester {
  /** A team's id; '' where no account is behind it, as on the command line. */
  owner: string;
  priority: Priority;
}
