import { execFileSync, spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';

const ip = (args: string) => execFileSync('ip', args.split(' '), { stdio: 'pipe' });

/** Whether this process may create network namespaces (Linux, as root, with iproute2). */
export function hasNetworkNamespaces(): boolean {
  try {
    ip('netns add rcpt-trial');
    ip('netns del rcpt-trial');
    return true;
  } catch {
    return false;
  }
}

/**
 * Network namespaces around one that has the mail servers. Nothing leads from them to the network of the
 * machine. `10.99.25.0/24` is the network of the mail servers, `10.99.<n>.0/30` the link of the nth namespace.
 */
export class NetworkNamespaces {
  private readonly names: string[] = [];
  private readonly children = new Set<ChildProcess>();

  /** @param prefix of the names: unique on the machine. */
  private constructor(private readonly prefix: string) {}

  /** @param mailHosts addresses of the mail servers. */
  static create(prefix: string, mailHosts: readonly string[]): NetworkNamespaces {
    const namespaces = new NetworkNamespaces(prefix);
    namespaces.add('world');
    for (const host of mailHosts) ip(`-n ${prefix}world addr add ${host}/32 dev lo`);
    execFileSync('ip', ['netns', 'exec', `${prefix}world`, 'sysctl', '-qw', 'net.ipv4.ip_forward=1']);
    return namespaces;
  }

  /** A namespace with a link to the world. @param reaches networks that it has a route to. @returns its address. */
  join(name: string, n: number, reaches: readonly string[]): string {
    this.add(name);
    const { prefix } = this;
    ip(`-n ${prefix}world link add link${n} type veth peer name uplink netns ${prefix}${name}`);
    ip(`-n ${prefix}world addr add 10.99.${n}.1/30 dev link${n}`);
    ip(`-n ${prefix}world link set link${n} up`);
    ip(`-n ${prefix}${name} addr add 10.99.${n}.2/30 dev uplink`);
    ip(`-n ${prefix}${name} link set uplink up`);
    for (const network of reaches) ip(`-n ${prefix}${name} route add ${network} via 10.99.${n}.1`);
    return `10.99.${n}.2`;
  }

  /** Cuts the link of the nth namespace: what it sends is lost, without an error. */
  cut(n: number): void {
    ip(`-n ${this.prefix}world link set link${n} down`);
  }

  /** Runs a program in a namespace. */
  spawn(name: string, command: readonly string[], options: SpawnOptions): ChildProcess {
    const args = ['netns', 'exec', `${this.prefix}${name}`, ...command];
    const child = spawn('ip', args, options);
    this.children.add(child);
    child.once('exit', () => this.children.delete(child));
    return child;
  }

  /** Kills what still runs, and removes the namespaces with their links. */
  remove(): void {
    for (const child of this.children) child.kill('SIGKILL');
    for (const name of this.names.splice(0)) ip(`netns del ${name}`);
  }

  private add(name: string): void {
    ip(`netns add ${this.prefix}${name}`);
    this.names.push(`${this.prefix}${name}`);
    ip(`-n ${this.prefix}${name} link set lo up`);
  }
}
