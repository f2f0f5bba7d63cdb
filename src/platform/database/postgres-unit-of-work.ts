import type { DataSource, EntityManager } from 'typeorm';
import { UnitOfWork } from '../../kernel/unit-of-work.js';
import { Ambient } from '../memory/ambient.js';

interface OpenUnit {
  manager: EntityManager;
  callbacks: (() => void)[];
}

/**
 * Keeps the transaction's EntityManager where all of the unit's code finds it, so that a
 * repository takes part in whatever unit is open without being handed it.
 */
export class PostgresUnitOfWork extends UnitOfWork {
  private readonly open = new Ambient<OpenUnit>();

  constructor(private readonly dataSource: DataSource) {
    super();
  }

  run<T>(work: () => Promise<T>): Promise<T> {
    return this.open.get() === undefined ? this.runInNew(work) : work();
  }

  async runInNew<T>(work: () => Promise<T>): Promise<T> {
    const callbacks: (() => void)[] = [];
    const result = await this.dataSource.transaction((manager) =>
      this.open.during({ manager, callbacks }, work),
    );
    for (const callback of callbacks) callback();
    return result;
  }

  afterCommit(callback: () => void): void {
    const unit = this.open.get();
    if (unit === undefined) callback();
    else unit.callbacks.push(callback);
  }

  /** The open transaction's manager, or the pool's when none is open. */
  get manager(): EntityManager {
    return this.open.get()?.manager ?? this.pool;
  }

  /** The pool's manager, whatever is open: for statements that commit by themselves. */
  get pool(): EntityManager {
    return this.dataSource.manager;
  }
}
