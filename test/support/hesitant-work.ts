import type { EntityManager } from 'typeorm';
import { PostgresUnitOfWork } from '../../src/platform/database/postgres-unit-of-work.js';

/** Stops once between two statements, so that a test decides what others do meanwhile. */
export class HesitantWork extends PostgresUnitOfWork {
  private left = Infinity;
  private reach = () => {};
  private goOn = () => {};
  private released = Promise.resolve();

  /** It will do so many statements and no more, until it is told to go on. @returns once it has done them. */
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
