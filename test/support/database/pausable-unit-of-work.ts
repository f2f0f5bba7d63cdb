import type { EntityManager } from 'typeorm';
import { PostgresUnitOfWork } from '../../../src/platform/database/transactions/postgres-unit-of-work.js';

/** A unit of work that pauses between two statements. */
export class PausableUnitOfWork extends PostgresUnitOfWork {
  private left = Infinity;
  private reach = () => {};
  private goOn = () => {};
  private released = Promise.resolve();

  /** Pauses after this number of statements, until `resume`. @returns when they are executed. */
  async stopAfter(statements: number): Promise<void> {
    this.left = statements;
    this.released = new Promise((resolve) => (this.goOn = resolve));
    return new Promise((resolve) => (this.reach = resolve));
  }

  resume(): void {
    this.goOn();
  }

  override get manager(): EntityManager {
    const manager = super.manager;
    const query = async (...asked: Parameters<EntityManager['query']>): Promise<unknown> => {
      if (this.left-- === 0) {
        this.reach();
        await this.released;
      }
      return manager.query(...asked);
    };
    return Object.assign(Object.create(manager) as EntityManager, { query });
  }
}
