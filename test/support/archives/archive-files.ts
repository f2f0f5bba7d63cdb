import { gunzipSync, gzipSync } from 'node:zlib';
import { packTar, unpackTar, type TarHeader } from 'modern-tar';

/** A member of a tar file, as a library reads and writes it. */
export interface Member {
  header: TarHeader;
  data: Uint8Array;
}

/** Those of an archive that is not encrypted. */
export async function membersOf(archive: Buffer): Promise<Member[]> {
  const members = await unpackTar(gunzipSync(archive));
  return members.map(({ header, data = new Uint8Array() }) => ({ header, data }));
}

export async function tarOf(members: readonly Member[]): Promise<Buffer> {
  const entries = members.map(({ header, data }) => {
    const isFile = (header.type ?? 'file') === 'file';
    return { header: { ...header, size: isFile ? data.length : 0 }, ...(isFile ? { data } : {}) };
  });
  return Buffer.from(await packTar(entries));
}

export async function archiveOf(members: readonly Member[]): Promise<Buffer> {
  return gzipSync(await tarOf(members), { level: 1 });
}

export function fileOf(name: string, text: string | Uint8Array, more: Partial<TarHeader> = {}): Member {
  const data = Buffer.from(text);
  return { header: { name, size: data.length, ...more }, data };
}

/** The same, with another text in the place of one. @throws Error if there is none of this name. */
export function replaced(
  members: readonly Member[],
  name: string,
  change: (text: string) => string | Uint8Array,
): Member[] {
  if (!members.some(({ header }) => header.name === name)) throw new Error(`no member ${name}`);
  return members.map((member) =>
    member.header.name === name ? fileOf(name, change(Buffer.from(member.data).toString())) : member,
  );
}

/** The same, with other JSON in a member. */
export function withJson<T>(
  members: readonly Member[],
  name: string,
  change: (content: T) => unknown,
): Member[] {
  return replaced(members, name, (text) => JSON.stringify(change(JSON.parse(text) as T)));
}
