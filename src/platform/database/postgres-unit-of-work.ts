import { Injectable } from '@nestjs/common';
import { AsyncLocalStorage } from 'node:async_hooks';
import { DataSource, type EntityManager } from 'typeorm';
import { UnitOfWork } from '../../kernel/unit-of-work.js';

interface OpenUnit {
  manager: EntityManager;
  callbacks: (() => void)[];
}

/**
 * Keeps the transaction's EntityManager where all of the unit's code finds it, so that a
 * repository takes part in whatever unit is open without being handed it.
 */
@Injectable()
export class PostgresUnitOfWork extends UnitOfWork {
  private readonly open = new AsyncLocalStorage<OpenUnit>();

  constructor(private readonly dataSource: DataSource) {
    super();
  }

  run<T>(work: () => Promise<T>): Promise<T> {
    return this.open.getStore() === undefined ? this.runInNew(work) : work();
  }

  async runInNew<T>(work: () => Promise<T>): Promise<T> {
    const callbacks: (() => void)[] = [];
    const result = await this.dataSource.transaction((manager) =>
      this.open.run({ manager, callbacks }, work),
    );
    for (const callback of callbacks) callback();
    return result;
  }

  afterCommit(callback: () => void): void {
    const unit = this.open.getStore();
    if (unit === undefined) callback();
    else unit.callbacks.push(callback);
  }

  /** The open transaction's manager, or the pool's when none is open. */
  get manager(): EntityManager {
    return this.open.getStore()?.manager ?? this.pool;
  }

  /** The pool's manager, whatever is open: for statements that commit by themselves. */
  get pool(): EntityManager {
    return this.dataSource.manager;
  }
}
