import type { EntityManager } from 'typeorm';

/** Inserts an entity of a domain class. @returns false: a row with the same unique columns exists. */
export async function insertNew(manager: EntityManager, entity: object): Promise<boolean> {
  const insert = manager.createQueryBuilder().insert().into(entity.constructor).values(entity);
  const result = await insert.orIgnore().returning('id').execute();
  return (result.raw as unknown[]).length > 0;
}
