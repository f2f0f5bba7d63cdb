import { afterAll, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { releaseNotes } from '../../scripts/release-notes.js';
import { releaseVersions } from '../../scripts/release-versions.js';
import { installedProgram } from '../support/architecture/python-programs.js';
import { WITH_TYPESCRIPT } from '../support/processes/with-typescript.js';

interface Step {
  uses?: string;
  run?: string;
  with?: Record<string, unknown>;
}
interface Job {
  permissions?: Record<string, string>;
  needs?: string | string[];
  uses?: string;
  environment?: string;
  'timeout-minutes'?: number;
  strategy?: { matrix: { node?: number[] } };
  steps?: Step[];
}
interface Workflow {
  on: Record<string, { tags?: string[]; branches?: string[] } | null>;
  permissions: object;
  concurrency: { group: string };
  jobs: Record<string, Job>;
}

const root = join(import.meta.dirname, '../..');
const FOLDER = '.github/workflows';
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const manifest = JSON.parse(read('package.json')) as {
  version: string;
  engines: { node: string };
  scripts: Record<string, string>;
};
const files = readdirSync(join(root, FOLDER));
const workflows = new Map(files.map((file) => [file, parse(read(`${FOLDER}/${file}`)) as Workflow]));
const jobs = [...workflows].flatMap(([file, { jobs }]) =>
  Object.entries(jobs).map(([name, job]) => ({ name: `${file} ${name}`, job, steps: job.steps ?? [] })),
);
const steps = jobs.flatMap((job) => job.steps);
const scripts = steps.flatMap(({ run }) => run ?? []);
const release = workflows.get('release.yml')?.jobs ?? {};

/** What each job may do. Nothing else may write. */
const PERMISSIONS: Readonly<Record<string, Record<string, string>>> = {
  'ci.yml test': { contents: 'read' },
  'ci.yml image': { contents: 'read' },
  'release.yml test': { contents: 'read' },
  'release.yml build': { contents: 'read' },
  'release.yml npm': { 'id-token': 'write' },
  'release.yml pypi': { 'id-token': 'write' },
  'release.yml image': { contents: 'read', packages: 'write', 'id-token': 'write', attestations: 'write' },
  'release.yml chart': { packages: 'write' },
  'release.yml release': { contents: 'write', 'id-token': 'write', attestations: 'write' },
};
/** Programs of the runner. */
const PROGRAMS = [
  'docker',
  'echo',
  'gh',
  'helm',
  'mkdir',
  'mv',
  'node',
  'npm',
  'npx',
  'pipx',
  'sha256sum',
  'sudo',
  'test',
];
const NPM_COMMANDS = ['ci', 'pack', 'publish', 'run', 'sbom', 'test'];
const ACTION = /^[\w-]+\/[\w-]+@[0-9a-f]{40}$/;

/** A binary in a wheel, which is too large for the packages of every installation. */
const zizmor = installedProgram('zizmor==1.32.0', 'zizmor');
afterAll(() => zizmor.remove());

/** Each command of the scripts, also behind a pipe. */
const commands = scripts.flatMap((script) =>
  script
    .replaceAll(/\\\n\s*/g, '')
    .split(/\n|\s\|\s/)
    .map((line) => line.trim())
    .filter((line) => line !== ''),
);

describe('the workflows', () => {
  it('use actions by the hash of a commit, with the version in a comment, each with one hash', () => {
    const used = steps.flatMap(({ uses }) => uses ?? []);
    expect(used.length).toBeGreaterThan(10);
    for (const action of used) expect(action).toMatch(ACTION);
    const lines = files.flatMap((file) => read(`${FOLDER}/${file}`).match(/^.*\buses: [^.].*$/gm) ?? []);
    for (const line of lines) expect(line).toMatch(/@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    expect(new Set(used).size).toBe(new Set(used.map((action) => action.split('@')[0])).size);
  });

  it('have no permission but those that a job needs, and a job that makes files publishes nothing', () => {
    for (const { permissions } of workflows.values()) expect(permissions).toEqual({});
    expect(Object.fromEntries(jobs.map(({ name, job }) => [name, job.permissions]))).toEqual(PERMISSIONS);
    for (const { uses, with: inputs } of steps)
      if (uses?.startsWith('actions/checkout@'))
        expect(inputs).toMatchObject({ 'persist-credentials': false });
    // The jobs that publish to npm and PyPI have an environment, which these name as their publisher.
    expect([release.npm?.environment, release.pypi?.environment]).toEqual(['npm', 'pypi']);
    expect([release.npm, release.pypi, release.chart].flatMap((job) => job?.steps ?? [])).not.toContainEqual(
      expect.objectContaining({ uses: expect.stringContaining('checkout') }),
    );
    expect([...workflows].map(([file]) => read(`${FOLDER}/${file}`)).join('')).not.toContain('secrets.');
  });

  it('do not run with the rights of this repository for others, and put no expression into a script', () => {
    for (const { on } of workflows.values()) {
      expect(Object.keys(on)).not.toContain('pull_request_target');
      expect(Object.keys(on)).not.toContain('workflow_run');
    }
    for (const script of scripts) expect(script).not.toContain('${{');
  });

  it('end, and one of a kind runs at a time', () => {
    for (const { name, job } of jobs)
      if (job.uses === undefined) expect([name, job['timeout-minutes']]).toEqual([name, expect.any(Number)]);
    const groups = [...workflows.values()].map(({ concurrency }) => concurrency.group);
    expect(new Set(groups).size).toBe(groups.length);
  });

  it('call only programs, npm scripts and files that exist', () => {
    for (const command of commands) {
      const words = command.split(' ').filter((word) => word !== '');
      expect(PROGRAMS).toContain(words[0]);
      if (words[0] === 'npm') expect(NPM_COMMANDS).toContain(words[1]);
      const script = words.slice(2).find((word) => !word.startsWith('-'));
      if (words[0] === 'npm' && words[1] === 'run') expect(Object.keys(manifest.scripts)).toContain(script);
      // `release/` is what the job makes.
      const paths = words.filter((word) => /^[\w.-]+\/[\w./-]+$/.test(word) && !word.startsWith('release/'));
      for (const path of paths) expect([path, existsSync(join(root, path))]).toEqual([path, true]);
    }
    expect(manifest.scripts).toHaveProperty('test');
    for (const { uses } of Object.values(release)) if (uses) expect(existsSync(join(root, uses))).toBe(true);
  });

  it('test the versions of Node that `engines` allows and that are supported, and release with the newest', () => {
    const [least = 0] = (/\d+/.exec(manifest.engines.node) ?? []).map(Number);
    const tested = workflows.get('ci.yml')?.jobs.test?.strategy?.matrix.node;
    expect(tested).toEqual([20, 22, 24]);
    expect(least).toBe(tested?.[0]);
    const [, ofImage] = /^FROM .*node:(\d+)/m.exec(read('Dockerfile')) ?? [];
    expect(tested?.at(-1)).toBe(Number(ofImage));
    const released = Object.values(release).flatMap(({ steps = [] }) =>
      steps.flatMap((step) => step.with?.['node-version'] ?? []),
    );
    expect(new Set(released)).toEqual(new Set([Number(ofImage)]));
  });

  it('release a tag after the tests, and make the release on GitHub last', () => {
    expect(workflows.get('release.yml')?.on).toEqual({ push: { tags: ['v*'] } });
    expect(Object.keys(workflows.get('ci.yml')?.on ?? {})).toContain('workflow_call');
    const all = (name: string): string[] =>
      [release[name]?.needs ?? []].flat().flatMap((needed) => [needed, ...all(needed)]);
    for (const name of ['npm', 'pypi', 'image', 'chart']) expect(all(name)).toEqual(['build', 'test']);
    expect(new Set(all('release'))).toEqual(
      new Set(Object.keys(release).filter((name) => name !== 'release')),
    );
    expect(release.build?.steps?.map(({ run }) => run).join('\n')).toContain(
      'npm run --silent ts scripts/release.main.ts "$GITHUB_REF_NAME" > notes.md',
    );
  });

  it('publish to npm the service, the engine and the client that the build has packed, with provenance', () => {
    const runs = (job: Job | undefined) => (job?.steps ?? []).flatMap(({ run }) => run ?? []);
    expect(runs(release.build)).toEqual(
      expect.arrayContaining([
        'npm pack --pack-destination release',
        'npm run --silent pack:engine -- release',
        'npm pack ./clients/typescript --pack-destination release',
      ]),
    );
    const published = (name: string) =>
      `npm publish "./release/rcpt-${name}-\${GITHUB_REF_NAME#v}.tgz" --access public --provenance`;
    expect(runs(release.npm)).toEqual(['server', 'engine', 'client'].map(published));
  });

  it('build the images that the documents name, for two platforms, with a list of their packages', () => {
    const inputs = (action: string) =>
      release.image?.steps?.find(({ uses }) => uses?.startsWith(`${action}@`))?.with ?? {};
    expect(inputs('docker/build-push-action')).toMatchObject({
      platforms: 'linux/amd64,linux/arm64',
      sbom: true,
      provenance: 'mode=max',
    });
    expect(inputs('docker/metadata-action')).toMatchObject({ images: 'ghcr.io/rcpt/rcpt' });
    expect(read('docs/installation.md')).toContain('ghcr.io/rcpt/rcpt:latest-embedded');
  });

  (zizmor.path === null ? it.skip : it)(
    'have no findings of zizmor, which finds a planted fault',
    async () => {
      const audit = (path: string) =>
        spawnSync(zizmor.path ?? '', ['--offline', '--min-severity=medium', path], { encoding: 'utf8' });
      expect(audit(join(root, FOLDER))).toMatchObject({ status: 0 });
      const planted = mkdtempSync(join(tmpdir(), 'rcpt-workflow-'));
      const fault = read(`${FOLDER}/ci.yml`).replace('- run: npm ci', '- run: echo ${{ github.head_ref }}');
      writeFileSync(join(planted, 'ci.yml'), fault);
      const { stdout } = audit(join(planted, 'ci.yml'));
      await rm(planted, { recursive: true });
      expect(stdout).toContain('template-injection');
    },
  );
});

describe('a release', () => {
  it('has one version: that of packages, clients, chart, manifests and the changelog', () => {
    const versions = releaseVersions(read);
    for (const [file, found] of versions)
      expect([file, new Set(found)]).toEqual([file, new Set([manifest.version])]);
    expect(versions.get('deploy/helm/rcpt/Chart.yaml')).toHaveLength(2);
    expect(versions.get('package-lock.json')).toHaveLength(2);
    expect(
      releaseVersions((file) => (file === 'package.json' ? '' : read(file))).get('package.json'),
    ).toEqual([]);
  });

  it.each([
    ['v0.0.1', 'The tag is v0.0.1, and package.json has version'],
    ['', 'The tag is , and package.json has version'],
    [
      `v${manifest.version}`,
      /^## .* not released yet$/m.test(read('CHANGELOG.md')) ? 'not released yet' : '',
    ],
  ])('is refused unless the tag %j is its version and the changelog has its date', (tag, error) => {
    const args = [...WITH_TYPESCRIPT, 'scripts/release.main.ts', tag];
    const { status, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
    expect([status, stderr]).toEqual([
      error === '' ? 0 : 1,
      error === '' ? '' : expect.stringContaining(error),
    ]);
  });

  it('has the notes of the changelog', () => {
    const changelog = `# Changelog\n\n## 1.2.0, not released yet\n\n### Added\n\n## 1.1.0 - 2026-01-02\n\n### Added\n\n- One.\n\n### Fixed\n\n## 1.0.0 - 2026-01-01\n\n- Old.\n`;
    expect(releaseNotes(changelog, '1.1.0')).toBe('### Added\n\n- One.\n');
    expect(releaseNotes(changelog, '1.0.0')).toBe('- Old.\n');
    expect(() => releaseNotes(changelog, '1.2.0')).toThrow('write "1.2.0 - " and the date');
    expect(() => releaseNotes(changelog, '1.1')).toThrow('has no section 1.1');
    expect(() => releaseNotes('## 1.0.0 - 2026-01-01\n\n### Added\n', '1.0.0')).toThrow('says nothing');
    expect(releaseNotes(read('CHANGELOG.md'), '0.2.0')).toContain('### Removed');
  });
});
