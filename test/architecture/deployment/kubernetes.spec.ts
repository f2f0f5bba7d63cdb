import { beforeAll, describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { CHUNKS_QUEUE } from '../../../src/modules/lists/bulk/domain/bulk-queue.js';
import { EnvironmentVariables } from '../../../src/platform/config/environment.js';
import { VARIABLES } from '../../support/app/environment.js';
import { faultsOfManifests } from '../../support/architecture/kubernetes-manifests.js';

interface Container {
  name: string;
  image: string;
  args: string[];
  envFrom: ({ configMapRef: { name: string } } | { secretRef: { name: string } })[];
  ports?: { name: string; containerPort: number }[];
  livenessProbe?: Probe;
  readinessProbe?: Probe;
  startupProbe?: Probe;
  securityContext: Record<string, unknown>;
  volumeMounts: { name: string; mountPath: string }[];
}
interface Probe {
  httpGet: { path: string; port: string };
}
interface PodTemplate {
  metadata: { labels: Record<string, string>; annotations: Record<string, string> };
  spec: {
    initContainers: Container[];
    containers: Container[];
    terminationGracePeriodSeconds?: number;
    volumes: { name: string }[];
    securityContext: Record<string, unknown>;
  };
}
interface Resource {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels?: Record<string, string> };
  spec: {
    replicas?: number;
    minReplicas?: number;
    template: PodTemplate;
    selector: { matchLabels: Record<string, string> } & Record<string, string>;
    scaleTargetRef: { apiVersion: string; kind: string; name: string };
    ports: { targetPort: string }[];
    podSelector: { matchLabels: Record<string, string> };
    ingress: { ports: { port: string }[] }[];
    rules: { http: { paths: { backend: { service: { name: string; port: { name: string } } } }[] } }[];
  };
}
interface Kustomization {
  resources: string[];
  images: { name: string }[];
  configMapGenerator: { name: string; envs: string[] }[];
  secretGenerator: { name: string; envs: string[] }[];
}

const DIRECTORY = join(import.meta.dirname, '../../../deploy/kubernetes');
const read = (file: string) => readFileSync(join(DIRECTORY, file), 'utf8');
const API_VERSIONS: Readonly<Record<string, string>> = {
  Namespace: 'v1',
  Service: 'v1',
  Deployment: 'apps/v1',
  PodDisruptionBudget: 'policy/v1',
  HorizontalPodAutoscaler: 'autoscaling/v2',
  Ingress: 'networking.k8s.io/v1',
  NetworkPolicy: 'networking.k8s.io/v1',
};
/** With PodSecurity "restricted". */
const VOLUME_TYPES = ['configMap', 'csi', 'downwardAPI', 'emptyDir', 'ephemeral', 'projected', 'secret'];

describe('the Kubernetes manifests', () => {
  const kustomization = parse(read('kustomization.yaml')) as Kustomization;
  const examples = readdirSync(join(DIRECTORY, 'examples')).map((file) => `examples/${file}`);
  let resources: Resource[];

  beforeAll(() => {
    resources = [...kustomization.resources, ...examples].flatMap((file) =>
      parseAllDocuments(read(file)).map((document) => {
        expect(document.errors).toEqual([]);
        return document.toJS() as Resource;
      }),
    );
  });

  const ofKind = (wanted: string) => resources.filter(({ kind }) => kind === wanted);
  const deployments = () => ofKind('Deployment');
  const containers = () =>
    deployments().flatMap(({ spec: { template } }) => [
      ...template.spec.initContainers,
      ...template.spec.containers,
    ]);

  it('are all in the kustomization', () => {
    const files = readdirSync(DIRECTORY).filter((file) => file.endsWith('.yaml'));
    expect([...kustomization.resources, 'kustomization.yaml'].sort()).toEqual(files.sort());
    for (const example of examples) expect(read('kustomization.yaml')).toContain(`  # - ${example}\n`);
  });

  it('use stable API versions, and each name once', () => {
    for (const { kind, apiVersion } of resources) expect(apiVersion).toBe(API_VERSIONS[kind]);
    const names = resources.map(({ kind, metadata }) => `${kind}/${metadata.name}`);
    expect(new Set(names).size).toBe(names.length);
  });

  it('have all required fields and no unknown one, with values of the right types', () => {
    const [deployment] = deployments();
    const { spec, ...rest } = deployment!;
    const specWithoutTemplate = { ...spec, template: undefined };
    const broken: [error: string, resource: object][] = [
      ['\'"replica"\' does not exist', { ...rest, spec: { ...spec, replica: 2 } }],
      ['\'"livenesProbe"\' does not exist', inContainer(deployment!, { livenesProbe: {} })],
      ["Property 'template' is missing", { ...rest, spec: specWithoutTemplate }],
      ["Property 'name' is missing", inContainer(deployment!, { name: undefined })],
      ["Type 'string' is not assignable to type 'number'", { ...rest, spec: { ...spec, replicas: '2' } }],
      ["Cannot find module 'kubernetes-types/apps/v9'", { ...deployment, apiVersion: 'apps/v9' }],
      ["no exported member 'Deploy'", { ...deployment, kind: 'Deploy' }],
    ];
    const errors = faultsOfManifests([...resources, ...broken.map(([, resource]) => resource)]);
    expect(errors.slice(0, resources.length)).toEqual(resources.map(() => []));
    // The same check finds each kind of error.
    expect(errors.slice(resources.length)).toEqual(broken.map(([error]) => [expect.stringContaining(error)]));
  });

  it('select the pods that they create', () => {
    const labels = deployments().map(({ spec }) => spec.template.metadata.labels);
    for (const [index, { spec }] of deployments().entries())
      expect(labels[index]).toMatchObject(spec.selector.matchLabels);
    for (const { kind, spec } of resources) {
      const wanted =
        kind === 'Service'
          ? spec.selector
          : kind === 'PodDisruptionBudget'
            ? spec.selector.matchLabels
            : null;
      if (wanted !== null) expect(labels.filter((set) => isSubset(wanted, set))).toHaveLength(1);
    }
  });

  it('leave the number of pods to autoscalers, one for each deployment', () => {
    const scaled = ofKind('HorizontalPodAutoscaler').map(({ spec }) => spec.scaleTargetRef.name);
    expect(scaled.sort()).toEqual(
      deployments()
        .map(({ metadata }) => metadata.name)
        .sort(),
    );
    for (const { spec } of deployments()) expect(spec.replicas).toBeUndefined();
    for (const { spec } of ofKind('HorizontalPodAutoscaler')) expect(spec.minReplicas).toBe(2);
  });

  it('scale the workers by the queue of bulk chunks', () => {
    expect(read('autoscaling.yaml')).toContain(`max(rcpt_queue_oldest_seconds{queue="${CHUNKS_QUEUE}"})`);
  });

  it('run the roles of the image, each after the migrations, and nothing that cannot be applied twice', () => {
    const commands = deployments().map(({ spec: { template } }) =>
      [...template.spec.initContainers, ...template.spec.containers].map(({ args }) => args.join(' ')),
    );
    expect(commands).toEqual([
      ['node bin/rcpt.js migrate', 'node dist/main.js --api'],
      ['node bin/rcpt.js migrate', 'node dist/main.js --worker'],
    ]);
    // The template of a Job cannot be changed.
    expect(ofKind('Job')).toEqual([]);
    for (const { image } of containers())
      expect(kustomization.images.map(({ name }) => name)).toContain(image);
  });

  it('set only variables that the service reads, and the required ones', () => {
    const files = [...kustomization.configMapGenerator, ...kustomization.secretGenerator];
    const names = files.flatMap(({ envs }) => envs).flatMap((file) => namesIn(file));
    for (const name of names) expect(VARIABLES).toContain(name);
    expect(names).toEqual(expect.arrayContaining(['DATABASE_URL', 'SECRET_KEY', 'PUBLIC_URL']));
    for (const { envFrom } of containers())
      for (const source of envFrom) {
        const { name } = 'secretRef' in source ? source.secretRef : source.configMapRef;
        expect(files.map((generator) => generator.name)).toContain(name);
      }
  });

  it('probe the health routes', () => {
    for (const { spec } of deployments())
      for (const { livenessProbe, readinessProbe, startupProbe, ports } of spec.template.spec.containers) {
        expect(livenessProbe?.httpGet.path).toBe('/livez');
        expect(startupProbe?.httpGet.path).toBe('/livez');
        expect(readinessProbe?.httpGet.path).toBe('/readyz');
        expect(ports).toContainEqual({ name: 'http', containerPort: new EnvironmentVariables().PORT });
      }
  });

  it('serve the metrics on a port that neither the service nor the ingress has', () => {
    const [, port] = /^METRICS_PORT=(\d+)$/m.exec(read('config.properties')) ?? [];
    for (const { spec } of deployments()) {
      const { metadata, spec: pod } = spec.template;
      expect(pod.containers[0]?.ports).toContainEqual({ name: 'metrics', containerPort: Number(port) });
      expect(metadata.annotations['prometheus.io/port']).toBe(port);
    }
    const [service, ...others] = ofKind('Service');
    expect(others).toEqual([]);
    expect(service?.spec.ports.map(({ targetPort }) => targetPort)).toEqual(['http']);
    const backends = ofKind('Ingress').flatMap(({ spec }) => spec.rules.flatMap(({ http }) => http.paths));
    expect(backends.map(({ backend }) => backend.service)).toEqual([
      { name: service?.metadata.name, port: { name: 'http' } },
    ]);
    const policies = ofKind('NetworkPolicy').map(({ spec }) => spec.ingress.map(({ ports }) => ports));
    expect(policies).toEqual([[[{ port: 'metrics' }]], [[{ port: 'http' }]]]);
  });

  it('give a graceful shutdown more than its 25 s', () => {
    for (const { spec } of deployments())
      expect(spec.template.spec.terminationGracePeriodSeconds).toBeGreaterThan(25);
  });

  it('meet the Pod Security Standard "restricted", which their namespace enforces, and write only to /data', () => {
    expect(ofKind('Namespace')[0]?.metadata.labels).toEqual({
      'pod-security.kubernetes.io/enforce': 'restricted',
    });
    for (const { spec } of deployments()) {
      const pod = spec.template.spec;
      expect(pod.securityContext).toMatchObject({
        runAsNonRoot: true,
        runAsUser: 10001,
        seccompProfile: { type: 'RuntimeDefault' },
      });
      expect(Object.keys(pod).filter((name) => name.startsWith('host'))).toEqual([]);
      for (const { name, ...source } of pod.volumes)
        expect([name, VOLUME_TYPES]).toEqual(['data', expect.arrayContaining(Object.keys(source))]);
    }
    for (const { securityContext, volumeMounts, ports = [] } of containers()) {
      expect(securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(volumeMounts).toEqual([{ name: 'data', mountPath: '/data' }]);
      for (const port of ports) expect(port).not.toHaveProperty('hostPort');
    }
  });
});

/** The names of the variables in a file, or in its example if the file is a secret. */
function namesIn(file: string): string[] {
  const text = file.startsWith('secrets') ? read(`${file}.example`) : read(file);
  return [...text.matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name ?? '');
}

/** A copy with this in its first container. */
function inContainer(deployment: Resource, change: object): object {
  const copy = structuredClone(deployment);
  Object.assign(copy.spec.template.spec.containers[0] ?? {}, change);
  return copy;
}

function isSubset(part: Record<string, string>, whole: Record<string, string>): boolean {
  return Object.entries(part).every(([name, value]) => whole[name] === value);
}
