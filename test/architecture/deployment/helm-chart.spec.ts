import { describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cp, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { faultsOfManifests } from '../../support/architecture/kubernetes-manifests.js';
import { isOnMachine } from '../../support/jest/machine.js';

interface Resource {
  kind: string;
  metadata: { name: string };
  spec: Record<string, unknown> & { replicas?: number };
  data?: Record<string, string>;
}

const root = join(import.meta.dirname, '../../..');
const CHART = 'deploy/helm/rcpt';
const MANIFESTS = 'deploy/kubernetes';
const read = (path: string) => readFileSync(join(root, path), 'utf8');

const helm = (args: string[], values: object = {}) => {
  const all = [...args, '--values', '-'];
  const { status, stdout, stderr } = spawnSync('helm', all, {
    cwd: root,
    input: JSON.stringify(values),
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
};
const resourcesIn = (text: string) =>
  parseAllDocuments(text).flatMap((document) => (document.toJS() as Resource | null) ?? []);
const render = (values: object) => {
  const { status, stdout, stderr } = helm(['template', 'rcpt', CHART], values);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return resourcesIn(stdout);
};
const byName = (resources: readonly Resource[]) =>
  new Map(resources.map((resource) => [`${resource.kind}/${resource.metadata.name}`, resource]));
/** Without what only Helm needs. */
const comparable = (resources: readonly Resource[]) =>
  JSON.parse(
    JSON.stringify(resources, (name, value: unknown) =>
      ['app.kubernetes.io/instance', 'checksum/config'].includes(name) ? undefined : value,
    ),
  ) as Resource[];

interface Pod {
  metadata: { annotations: Record<string, string> };
  spec: Record<'containers' | 'initContainers', { volumeMounts: { mountPath: string }[] }[]> & {
    volumes: object[];
  };
}
const podsIn = (resources: readonly Resource[]) =>
  resources.filter(({ kind }) => kind === 'Deployment').map(({ spec }) => spec.template as Pod);

const REQUIRED = { image: { repository: 'r.example/rcpt' }, config: { PUBLIC_URL: 'https://a.example' } };
const hasHelm = isOnMachine('Helm', spawnSync('helm', ['version']).status === 0);

(hasHelm ? describe : describe.skip)('the Helm chart', () => {
  const { version } = JSON.parse(read('package.json')) as { version: string };

  it('renders the manifests of deploy/kubernetes, of the right types', () => {
    const { resources } = parse(read(`${MANIFESTS}/kustomization.yaml`)) as { resources: string[] };
    const examples = ['examples/ingress.yaml', 'examples/network-policy.yaml'];
    const { images } = parse(read(`${MANIFESTS}/kustomization.yaml`)) as { images: [{ newName: string }] };
    const image = `${images[0].newName}:${version}`;
    const manifests = [...resources, ...examples]
      .flatMap((file) => resourcesIn(read(`${MANIFESTS}/${file}`)))
      .filter(({ kind }) => kind !== 'Namespace');
    const wanted = JSON.parse(
      JSON.stringify(manifests).replaceAll('"image":"rcpt"', `"image":"${image}"`),
    ) as Resource[];
    const lines = read(`${MANIFESTS}/config.properties`).matchAll(/^(\w+)=(.*)$/gm);
    const config = Object.fromEntries([...lines].map(([, name, value]) => [name, value] as const)) as object;
    const rendered = render({
      config,
      ingress: { host: 'verify.example.com' },
      networkPolicy: { enabled: true },
    });
    const found = byName(comparable(rendered));
    expect(found.get('ConfigMap/rcpt-config')?.data).toEqual(config);
    found.delete('ConfigMap/rcpt-config');
    expect(found).toEqual(byName(wanted));
    expect(faultsOfManifests(rendered)).toEqual(rendered.map(() => []));
  });

  it('has the version of the service, and no findings of helm lint', () => {
    expect(parse(read(`${CHART}/Chart.yaml`))).toMatchObject({ version, appVersion: version });
    expect(helm(['lint', '--strict', CHART], REQUIRED)).toMatchObject({ status: 0 });
  });

  it('passes on what an installation needs of its own', () => {
    const toleration = { key: 'mail', operator: 'Exists' };
    const secret = { name: 'certificates', secret: { secretName: 'certificates' } };
    const pods = podsIn(
      render({
        ...REQUIRED,
        imagePullSecrets: [{ name: 'registry-key' }],
        files: { 'tiers.json': '{}' },
        data: { existingClaim: 'lists' },
        extraVolumes: [secret],
        extraVolumeMounts: [{ name: 'certificates', mountPath: '/certificates' }],
        worker: { nodeSelector: { egress: 'yes' }, tolerations: [toleration] },
      }),
    );
    for (const { spec } of pods) {
      expect(spec).toMatchObject({ imagePullSecrets: [{ name: 'registry-key' }] });
      expect(spec.volumes).toEqual([
        { name: 'data', persistentVolumeClaim: { claimName: 'lists' } },
        { name: 'files', configMap: { name: 'rcpt-files' } },
        secret,
      ]);
      for (const { volumeMounts } of [...spec.containers, ...spec.initContainers])
        expect(volumeMounts.map(({ mountPath }) => mountPath)).toEqual([
          '/data',
          '/etc/rcpt',
          '/certificates',
        ]);
    }
    const [api, worker] = pods.map(({ spec }) => spec);
    expect(worker).toMatchObject({ nodeSelector: { egress: 'yes' }, tolerations: [toleration] });
    expect(api).not.toHaveProperty('nodeSelector');
  });

  it('replaces the pods when the configuration or a file changes', () => {
    const sums = (values: object) =>
      podsIn(render({ ...REQUIRED, ...values })).map(
        ({ metadata }) => metadata.annotations['checksum/config'],
      );
    const before = sums({});
    expect(sums({})).toEqual(before);
    for (const values of [
      { config: { ...REQUIRED.config, LOG_LEVEL: 'debug' } },
      { files: { 'tiers.json': '{}' } },
    ])
      expect(sums(values)).not.toEqual(before);
    // The secret is looked up in the cluster, which a test has not.
    expect(read(`${CHART}/templates/roles.yaml`)).toMatch(/lookup "v1" "Secret" .*\.Values\.secretName/);
  });

  it('says how to create the first account', async () => {
    // `helm template` renders no notes, and `helm install` needs a cluster.
    const folder = await mkdtemp(join(tmpdir(), 'rcpt-chart-'));
    await cp(join(root, CHART), folder, { recursive: true });
    await rename(join(folder, 'templates/NOTES.txt'), join(folder, 'notes'));
    const template =
      'kind: ConfigMap\nmetadata: { name: notes }\ndata:\n  text: {{ tpl (.Files.Get "notes") . | toJson }}';
    await writeFile(join(folder, 'templates/notes.yaml'), template);
    const { stdout } = helm(['template', 'rcpt', folder, '--namespace', 'mail'], REQUIRED);
    await rm(folder, { recursive: true });
    expect(byName(resourcesIn(stdout)).get('ConfigMap/notes')?.data?.['text']).toMatch(
      /kubectl exec --namespace mail .*deployment\/rcpt-api --container api -- \\\n +node bin\/rcpt\.js account create --email/,
    );
  });

  it('selects the pods of its release only', () => {
    for (const { kind, spec } of render(REQUIRED))
      if (kind !== 'ConfigMap' && kind !== 'HorizontalPodAutoscaler')
        expect(JSON.stringify(spec.selector)).toContain('"app.kubernetes.io/instance":"rcpt"');
  });

  it('starts a fixed number of pods without autoscaling', () => {
    const resources = render({ ...REQUIRED, autoscaling: false, worker: { minReplicas: 5 } });
    const replicas = resources.flatMap(({ spec }) => spec?.replicas ?? []);
    expect(replicas.sort()).toEqual([2, 5]);
    expect(resources.map(({ kind }) => kind)).not.toContain('HorizontalPodAutoscaler');
  });

  it('refuses missing and unknown values, and secrets in the configuration', () => {
    const refusal = (values: object) => {
      const { status, stderr } = helm(['template', 'rcpt', CHART], values);
      expect(status).toBe(1);
      return stderr;
    };
    expect(refusal({})).toContain('Set config.PUBLIC_URL to the URL of the API');
    expect(refusal({ ...REQUIRED, replicas: 3 })).toContain("additional properties 'replicas' not allowed");
    for (const name of ['DATABASE_URL', 'SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'])
      expect(refusal({ ...REQUIRED, config: { ...REQUIRED.config, [name]: 'x' } })).toContain(`'${name}'`);
  });
});
