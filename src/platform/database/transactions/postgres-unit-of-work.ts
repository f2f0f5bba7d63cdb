import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { UnitOfWork } from '../../../kernel/unit-of-work.js';
import { AsyncContext } from '../../memory/async-context.js';

interface OpenUnit {
  manager: EntityManager;
  callbacks: (() => void)[];
}

/**
 * Stores the EntityManager of the transaction in an asynchronous context, so that repositories
 * use the open transaction without a parameter.
 */
@Injectable()
export class PostgresUnitOfWork extends UnitOfWork {
  private readonly open = new AsyncContext<OpenUnit>();

  constructor(private readonly dataSource: DataSource) {
    super();
  }

  run<T>(work: () => Promise<T>): Promise<T> {
    return this.isOpen ? work() : this.runInNew(work);
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
    const unit = this.open.value;
    if (unit === undefined) callback();
    else unit.callbacks.push(callback);
  }

  /**
   * Part of an open unit: if it throws, what it has written is taken back, and what it wanted to do after the commit.
   *
   * @throws what the work throws; the unit goes on.
   */
  async runPart<T>(work: () => Promise<T>): Promise<T> {
    const unit = this.open.value;
    if (unit === undefined) throw new Error('There is no unit of work that this could be a part of');
    const before = unit.callbacks.length;
    await unit.manager.query('SAVEPOINT part');
    try {
      const result = await work();
      await unit.manager.query('RELEASE SAVEPOINT part');
      return result;
    } catch (error) {
      await unit.manager.query('ROLLBACK TO SAVEPOINT part; RELEASE SAVEPOINT part');
      unit.callbacks.length = before;
      throw error;
    }
  }

  /** The manager of the open transaction, or of the pool if none is open. */
  get manager(): EntityManager {
    return this.open.value?.manager ?? this.dataSource.manager;
  }

  /**
   * The manager of the pool, for statements that commit on their own. Not inside `run`: a unit that waits for a second
   * connection waits for ever if all of them belong to units that do so too (tests refuse it).
   */
  get pool(): EntityManager {
    return this.dataSource.manager;
  }

  protected get isOpen(): boolean {
    return this.open.value !== undefined;
  }
}
