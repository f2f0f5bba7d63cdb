/**
 * Port: a database transaction. All changes inside one `run` are committed together or rolled back.
 *
 * Services open a unit of work, and ways in that store a response with the changes. They make no network call
 * inside it. A nested `run` joins the outer one.
 */
export abstract class UnitOfWork {
  abstract run<T>(work: () => Promise<T>): Promise<T>;

  /** Runs in a transaction of its own. Not inside `run`, which would hold two connections. */
  abstract runInNew<T>(work: () => Promise<T>): Promise<T>;

  /** Calls `callback` after the outermost `run` has committed; not after a rollback. */
  abstract afterCommit(callback: () => void): void;
}
