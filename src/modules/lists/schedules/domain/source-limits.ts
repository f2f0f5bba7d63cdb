/** Runs that a process works on at the same time: a run mostly waits for its source. */
export const RUNS_AT_ONCE = 16;

/** What a source may send, and how long it may take. Tests shorten it. */
export class SourceLimits {
  /** Of a file at a URL. */
  readonly bytes: number = 512 * 1024 * 1024;
  /** Of all pages of listmonk that one reading asks for. */
  readonly pageBytes: number = 32 * 1024 ** 3;
  /** A reading that finds no row for so long is given up. */
  readonly idleMs: number = 5 * 60_000;
  /** For one request to listmonk, with its response. */
  readonly requestMs: number = 30_000;
  /** A source that sends less in this time, while it is waited for, is given up: a kilobyte each second. */
  readonly slow = { ms: 60_000, bytes: 60_000 };
  /** After that a reading is a long one, of which a process has few: a quarter of all. */
  readonly shortMs: number = 60_000;
  readonly longAtOnce: number = RUNS_AT_ONCE / 4;
  /** A reading that can go on later gives its place to others after that. */
  readonly turnMs: number = 10 * 60_000;
  /** What a check of a source reads at most. */
  readonly sample = { ms: 10_000, rows: 250 };
  /** Checks of a process, by team and of all: with its run, a team reads two sources at a time. */
  readonly checksAtOnce = { perKey: 1, total: 8 };
  /** How often a run is looked after: whether its schedule is there, and as it was. */
  readonly renewMs: number = 5_000;
}
