import { mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ClientRun } from './client-runs.js';

const root = join(import.meta.dirname, '../../..');
const NAME = '@rcpt/engine';

export interface EngineManifest {
  name: string;
  version: string;
  scripts?: Record<string, string>;
  dependencies: Record<string, string>;
}

const npm = (args: readonly string[], cwd: string) =>
  new ClientRun(['npm', ...args, '--ignore-scripts', '--no-audit', '--no-fund', '--silent'], { cwd }).lines();

/** The engine as a package, as `npm run pack:engine` makes it of the build, installed in an empty project. */
export class InstalledEngine {
  private constructor(
    readonly project: string,
    readonly manifest: EngineManifest,
    /** The paths of all files of the project's packages, with their sizes. */
    readonly sizes: ReadonlyMap<string, number>,
  ) {}

  static async install(): Promise<InstalledEngine> {
    const project = await mkdtemp(join(tmpdir(), 'rcpt-engine-project-'));
    const run = (...command: string[]) => new ClientRun(command, { cwd: root }).lines();
    const [path = ''] = await run(process.execPath, 'bin/pack-engine.js', project);
    const text = await run('tar', '-xzOf', path, 'package/package.json');
    const manifest = JSON.parse(text.join('\n')) as EngineManifest;
    // The dependencies of this repository, so that no registry is asked.
    const tarballs = await Promise.all(
      Object.keys(manifest.dependencies).map(async (name) => {
        const [file = ''] = await npm(
          ['pack', '--pack-destination', project, `./node_modules/${name}`],
          root,
        );
        return join(project, file);
      }),
    );
    await writeFile(join(project, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
    await npm(['install', '--offline', path, ...tarballs], project);
    return new InstalledEngine(project, manifest, await sizesIn(join(project, 'node_modules')));
  }

  /** The directory of the package. */
  get folder(): string {
    return join(this.project, 'node_modules', NAME);
  }

  read(path: string): Promise<string> {
    return readFile(join(this.folder, path), 'utf8');
  }

  /** The manifests of all installed packages. */
  async manifests(): Promise<EngineManifest[]> {
    const paths = [...this.sizes.keys()].filter((path) =>
      /(^|node_modules\/)(@[^/]+\/)?[^/]+\/package\.json$/.test(path),
    );
    return Promise.all(
      paths.map(
        async (path) =>
          JSON.parse(await readFile(join(this.project, 'node_modules', path), 'utf8')) as EngineManifest,
      ),
    );
  }

  /** A package of this repository, for programs of the project. */
  async link(name: string): Promise<void> {
    await symlink(join(root, 'node_modules', name), join(this.project, 'node_modules', name));
  }

  /** Writes a file of the project. @returns its path. */
  async program(file: string, code: string): Promise<string> {
    const path = join(this.project, file);
    await writeFile(path, code);
    return path;
  }

  run(args: readonly string[], env: Record<string, string> = {}): ClientRun {
    const { PATH = '' } = process.env;
    return new ClientRun([process.execPath, ...args], { cwd: this.project, env: { PATH, ...env } });
  }

  remove(): Promise<void> {
    return rm(this.project, { recursive: true });
  }
}

async function sizesIn(folder: string): Promise<Map<string, number>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return new Map(
    await Promise.all(
      files.map(async (path): Promise<[string, number]> => [
        path.slice(folder.length + 1),
        (await stat(path)).size,
      ]),
    ),
  );
}
