import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { PostgresUnitOfWork } from '../../../src/platform/database/transactions/postgres-unit-of-work.js';

/**
 * Refuses a second connection while a unit of work is open. Units that wait for one while all connections of the
 * pool are taken by units like them, or for a row that they have locked themselves, never end.
 */
@Injectable()
export class StrictUnitOfWork extends PostgresUnitOfWork {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  override get pool(): EntityManager {
    this.refuseInside('the pool');
    return super.pool;
  }

  override runInNew<T>(work: () => Promise<T>): Promise<T> {
    this.refuseInside('another transaction');
    return super.runInNew(work);
  }

  private refuseInside(what: string): void {
    if (this.isOpen) throw new Error(`Inside a unit of work, ${what} needs a second connection.`);
  }
}
