import { Injectable } from '@nestjs/common';
import { AsyncLocalStorage } from 'node:async_hooks';
import { DataSource, type EntityManager } from 'typeorm';
import { UnitOfWork } from '../../kernel/unit-of-work.js';

interface OpenUnit {
  manager: EntityManager;
  callbacks: (() => void)[];
}

/**
 * Stores the EntityManager of the transaction in an AsyncLocalStorage context, so that repositories
 * use the open transaction without a parameter.
 */
@Injectable()
export class PostgresUnitOfWork extends UnitOfWork {
  private readonly open = new AsyncLocalStorage<OpenUnit>();
  private openUnits = 0;

  constructor(private readonly dataSource: DataSource) {
    super();
  }

  run<T>(work: () => Promise<T>): Promise<T> {
    return this.open.getStore() === undefined ? this.runInNew(work) : work();
  }

  async runInNew<T>(work: () => Promise<T>): Promise<T> {
    const callbacks: (() => void)[] = [];
    const result = await this.runInContext(callbacks, work);
    for (const callback of callbacks) callback();
    return result;
  }

  afterCommit(callback: () => void): void {
    const unit = this.open.getStore();
    if (unit === undefined) callback();
    else unit.callbacks.push(callback);
  }

  /** The manager of the open transaction, or of the pool if none is open. */
  get manager(): EntityManager {
    return this.open.getStore()?.manager ?? this.pool;
  }

  /** The manager of the pool, for statements that commit independently of an open transaction. */
  get pool(): EntityManager {
    return this.dataSource.manager;
  }

  /**
   * Before version 24, Node.js follows all promises of a process while an AsyncLocalStorage is in use: a
   * verification takes a third more processor time. It is therefore in use only while a unit is open.
   */
  private async runInContext<T>(callbacks: (() => void)[], work: () => Promise<T>): Promise<T> {
    this.openUnits += 1;
    try {
      return await this.dataSource.transaction((manager) => this.open.run({ manager, callbacks }, work));
    } finally {
      this.openUnits -= 1;
      if (this.openUnits === 0) this.open.disable();
    }
  }
}
