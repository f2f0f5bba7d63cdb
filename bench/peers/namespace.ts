import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { isIPv6 } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Root may create namespaces; others become root in a user namespace, where the kernel permits it. */
const UNSHARE = ['--net', '--mount', ...(process.getuid?.() === 0 ? [] : ['--map-root-user'])];

/** Whether this process may create namespaces for a network and mounts (Linux, util-linux and iproute2). */
export function hasNamespaces(): boolean {
  try {
    execFileSync('unshare', [...UNSHARE, 'ip', 'link', 'set', 'lo', 'up'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Runs a program in namespaces of its own for network and mounts. @returns its exit code. */
export async function runInNamespace(command: readonly string[]): Promise<number> {
  const child = spawn('unshare', [...UNSHARE, ...command], { stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}

/**
 * Prepares the namespace that this process is in: all addresses belong to its loopback interface, so that no packet
 * has another way, and the resolver of the system is at 127.0.0.1.
 */
export async function arrangeNamespace(addresses: readonly string[]): Promise<void> {
  const ip = (args: string) => execFileSync('ip', args.split(' '), { stdio: 'pipe' });
  ip('link set lo up');
  for (const address of addresses) {
    const prefix = isIPv6(address) ? '128 nodad' : '32';
    ip(`addr add ${address}/${prefix} dev lo`);
  }
  await mountText('/etc/resolv.conf', 'nameserver 127.0.0.1\n');
  // Other sources, such as systemd-resolved by its socket, would leave the namespace.
  await mountText('/etc/nsswitch.conf', 'hosts: files dns\n');
}

async function mountText(path: string, text: string): Promise<void> {
  if (!existsSync(path)) return;
  const folder = await mkdtemp(join(tmpdir(), 'rcpt-benchmark-'));
  const file = join(folder, 'file');
  await writeFile(file, text);
  execFileSync('mount', ['--bind', file, path]);
  // The mount keeps the file.
  await rm(folder, { recursive: true });
}
