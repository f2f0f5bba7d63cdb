import type { ListId } from '../../../../kernel/ids.js';

/** The eight bytes of a list with which its address keys begin in storage; as `int8send` has them. */
export function prefixOf(listId: ListId): Buffer {
  const prefix = Buffer.alloc(8);
  prefix.writeBigInt64BE(BigInt(listId));
  return prefix;
}

export function addressOf(listId: ListId, key: Buffer): Buffer {
  return Buffer.concat([prefixOf(listId), key]);
}
