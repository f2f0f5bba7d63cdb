import { spawnSync } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isOnMachine } from '../jest/machine.js';
import { ClientRun } from './client-runs.js';

const root = join(import.meta.dirname, '../../..');
const PROBE = 'import venv, ensurepip, sys; assert sys.version_info >= (3, 9)';
/** `pip --python` came with version 22.3. */
const SHARED_PIP = 'import pip; assert tuple(map(int, pip.__version__.split(".")[:2])) >= (22, 3)';
const succeeds = (code: string) => spawnSync('python3', ['-c', code]).status === 0;
/** Timeout for a registry that does not respond. */
const SHORT = ['--timeout', '10', '--retries', '1', '--quiet', '--disable-pip-version-check'];

/** A virtual environment in which the Python client is installed from its wheel, as a user would. */
export class PythonProject {
  private constructor(
    readonly folder: string,
    readonly python: string,
    /** The command with which packages are installed into the environment. */
    private readonly pip: readonly string[],
  ) {}

  /** @returns null, and the reason on stderr, without Python (Debian: `python3-venv`) or a registry. */
  static async create(): Promise<PythonProject | null> {
    if (!isOnMachine('Python packages', succeeds(PROBE))) return null;
    const folder = await mkdtemp(join(tmpdir(), 'rcpt-python-'));
    const python = join(folder, 'venv/bin/python');
    try {
      await run(['python3', '-m', 'venv', '--without-pip', join(folder, 'venv')], folder);
      // To install pip takes most of the time of an environment, therefore that of the machine is used.
      const isShared = succeeds(SHARED_PIP);
      if (!isShared) await run([python, '-m', 'ensurepip'], folder);
      const pip = isShared ? ['python3', '-m', 'pip', '--python', python] : [python, '-m', 'pip'];
      const project = new PythonProject(folder, python, pip);
      await project.call('install', ...SHORT, 'httpx', 'flit_core>=3.9,<4');
      return project;
    } catch (error) {
      await rm(folder, { recursive: true });
      process.stderr.write(`${String(error).trim().split('\n').at(-1)}\n`);
      isOnMachine('Python packages', false);
      return null;
    }
  }

  /** Builds the wheel and installs it, with one call of pip. Nothing is written into the repository. */
  async install(): Promise<void> {
    const source = join(this.folder, 'source');
    await cp(join(root, 'clients/python'), source, { recursive: true });
    await this.call('install', '--quiet', '--no-index', '--no-build-isolation', source);
    await rm(source, { recursive: true });
  }

  /** Installs a package of the registry. @returns false if that is not possible. */
  async add(requirement: string): Promise<boolean> {
    try {
      // It runs once, so that compiling its packages takes longer than it saves.
      await this.call('install', ...SHORT, '--no-compile', requirement);
      return true;
    } catch {
      isOnMachine('openapi-python-client', false);
      return false;
    }
  }

  /** Starts Python in the folder of the project. */
  start(args: readonly string[], env: NodeJS.ProcessEnv = {}): ClientRun {
    const own = { PYTHONDONTWRITEBYTECODE: '1', PYTHONUNBUFFERED: '1', ...env };
    return new ClientRun([this.python, ...args], { cwd: this.folder, env: { ...process.env, ...own } });
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true });
  }

  private call(...args: readonly string[]): Promise<unknown> {
    return run([...this.pip, ...args], this.folder);
  }
}

const run = (command: readonly string[], cwd: string) => new ClientRun(command, { cwd }).lines();
