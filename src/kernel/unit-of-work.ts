/**
 * Port: everything inside one `run` is committed together or not at all.
 *
 * Only services open one, and no network call is made inside. A nested `run`
 * joins the one around it.
 */
export abstract class UnitOfWork {
  abstract run<T>(work: () => Promise<T>): Promise<T>;

  /** The same, but never part of the `run` around it: for what is committed whatever becomes of that one. */
  abstract runInNew<T>(work: () => Promise<T>): Promise<T>;

  /** Calls back once the outermost `run` has committed; never after a rollback. */
  abstract afterCommit(callback: () => void): void;
}
