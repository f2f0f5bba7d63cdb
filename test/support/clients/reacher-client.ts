import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Its 12 packages are too many for the lock file. */
const PACKAGE = '@reacherhq/api@0.3.2';
const QUICK = ['--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline', '--fetch-retries=0'];

interface Input {
  to_email: string;
  from_email?: string;
  hello_name?: string;
  proxy?: { host: string; port: number };
}

export interface ReacherOutput {
  input: string;
  is_reachable: string;
  misc: object;
  mx: object;
  smtp: object;
  syntax: object;
}

interface SingleOptions {
  apiToken?: string;
  backendUrl: string;
  axios?: { headers: Record<string, string> };
}

interface BatchOptions extends SingleOptions {
  concurrency?: number;
  onSuccessSingle: (output: ReacherOutput) => void;
}

interface Api {
  checkSingle: (input: Input, options: SingleOptions) => Promise<ReacherOutput>;
  batchQueue: (options: BatchOptions) => { push: (inputs: Input[]) => void; drain: () => Promise<void> };
}

/** The client of Reacher, installed from npm in a folder of its own. */
export class ReacherClient {
  private constructor(
    private readonly folder: string,
    readonly api: Api,
  ) {}

  /** @returns null without npm or a registry, and says so. */
  static async install(): Promise<ReacherClient | null> {
    const folder = await mkdtemp(join(tmpdir(), 'rcpt-reacher-'));
    try {
      await promisify(execFile)('npm', ['install', '--prefix', folder, ...QUICK, PACKAGE], { cwd: folder });
    } catch {
      process.stderr.write(`npm cannot install ${PACKAGE}: its tests are skipped\n`);
      await rm(folder, { recursive: true });
      return null;
    }
    return new ReacherClient(folder, createRequire(join(folder, 'index.js'))('@reacherhq/api') as Api);
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true });
  }
}
