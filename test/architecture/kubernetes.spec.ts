import { beforeAll, describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { CHUNKS_QUEUE } from '../../src/modules/bulk/domain/bulk-queue.js';
import { EnvironmentVariables } from '../../src/platform/config/environment.js';
import { faultsOfManifests } from '../support/architecture/kubernetes-manifests.js';

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
  metadata: { labels: Record<string, string> };
  spec: {
    containers: Container[];
    terminationGracePeriodSeconds?: number;
    volumes: { name: string }[];
    securityContext: Record<string, unknown>;
  };
}
interface Resource {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
  spec: {
    template: PodTemplate;
    selector: { matchLabels: Record<string, string> } & Record<string, string>;
    scaleTargetRef: { apiVersion: string; kind: string; name: string };
    ports: { targetPort: string }[];
  };
}
interface Kustomization {
  resources: string[];
  images: { name: string }[];
  configMapGenerator: { name: string; envs: string[] }[];
  secretGenerator: { name: string; envs: string[] }[];
}

const DIRECTORY = join(import.meta.dirname, '../../deploy/kubernetes');
const read = (file: string) => readFileSync(join(DIRECTORY, file), 'utf8');
const API_VERSIONS: Readonly<Record<string, string>> = {
  Namespace: 'v1',
  Service: 'v1',
  Job: 'batch/v1',
  Deployment: 'apps/v1',
  PodDisruptionBudget: 'policy/v1',
  HorizontalPodAutoscaler: 'autoscaling/v2',
};

describe('the Kubernetes manifests', () => {
  const kustomization = parse(read('kustomization.yaml')) as Kustomization;
  let resources: Resource[];
  let workloads: Resource[];

  beforeAll(() => {
    resources = kustomization.resources.flatMap((file) =>
      parseAllDocuments(read(file)).map((document) => {
        expect(document.errors).toEqual([]);
        return document.toJS() as Resource;
      }),
    );
    workloads = resources.filter(({ kind }) => kind === 'Deployment' || kind === 'Job');
  });

  const containers = () => workloads.flatMap(({ spec }) => spec.template.spec.containers);
  const deployments = () => workloads.filter(({ kind }) => kind === 'Deployment');

  it('are all in the kustomization', () => {
    const files = readdirSync(DIRECTORY).filter((file) => file.endsWith('.yaml'));
    expect([...kustomization.resources, 'kustomization.yaml'].sort()).toEqual(files.sort());
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
    const broken: [fault: string, resource: object][] = [
      ['\'"replica"\' does not exist', { ...rest, spec: { ...spec, replica: 2 } }],
      ['\'"livenesProbe"\' does not exist', inContainer(deployment!, { livenesProbe: {} })],
      ["Property 'template' is missing", { ...rest, spec: specWithoutTemplate }],
      ["Property 'name' is missing", inContainer(deployment!, { name: undefined })],
      ["Type 'string' is not assignable to type 'number'", { ...rest, spec: { ...spec, replicas: '2' } }],
      ["Cannot find module 'kubernetes-types/apps/v9'", { ...deployment, apiVersion: 'apps/v9' }],
      ["no exported member 'Deploy'", { ...deployment, kind: 'Deploy' }],
    ];
    const faults = faultsOfManifests([...resources, ...broken.map(([, resource]) => resource)]);
    expect(faults.slice(0, resources.length)).toEqual(resources.map(() => []));
    // The same check finds each kind of fault.
    expect(faults.slice(resources.length)).toEqual(broken.map(([fault]) => [expect.stringContaining(fault)]));
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
      if (wanted !== null) expect(labels.filter((each) => isSubset(wanted, each))).toHaveLength(1);
    }
  });

  it('scale deployments that exist', () => {
    for (const { kind, spec } of resources)
      if (kind === 'HorizontalPodAutoscaler')
        expect(deployments()).toContainEqual(
          expect.objectContaining({ metadata: expect.objectContaining({ name: spec.scaleTargetRef.name }) }),
        );
  });

  it('scale the workers by the queue of bulk chunks', () => {
    expect(read('autoscaling.yaml')).toContain(`max(rcpt_queue_oldest_seconds{queue="${CHUNKS_QUEUE}"})`);
  });

  it('run the roles and the migrations of the image', () => {
    expect(
      containers()
        .map(({ args }) => args.join(' '))
        .sort(),
    ).toEqual(['node bin/rcpt.js migrate', 'node dist/main.js --api', 'node dist/main.js --worker']);
    for (const { image } of containers())
      expect(kustomization.images.map(({ name }) => name)).toContain(image);
  });

  it('set only variables that the service reads, and the required ones', () => {
    const files = [...kustomization.configMapGenerator, ...kustomization.secretGenerator];
    const names = files.flatMap(({ envs }) => envs).flatMap((file) => namesIn(file));
    const known = Object.keys(new EnvironmentVariables());
    const optional = [
      'DATABASE_URL',
      'REDIS_URL',
      'SECRET_KEY',
      'PUBLIC_URL',
      'TRUST_PROXY',
      'SMTP_HELO_NAME',
    ];
    for (const name of names) expect([...known, ...optional]).toContain(name);
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
        expect(ports).toEqual([{ name: 'http', containerPort: new EnvironmentVariables().PORT }]);
      }
  });

  it('give a graceful shutdown more than its 25 s', () => {
    for (const { spec } of deployments())
      expect(spec.template.spec.terminationGracePeriodSeconds).toBeGreaterThan(25);
  });

  it('run without privileges, and write only to /data', () => {
    for (const { spec } of workloads) {
      expect(spec.template.spec.securityContext).toMatchObject({ runAsNonRoot: true });
      for (const { securityContext, volumeMounts } of spec.template.spec.containers) {
        expect(securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
        expect(volumeMounts).toEqual([{ name: 'data', mountPath: '/data' }]);
        expect(spec.template.spec.volumes.map(({ name }) => name)).toContain('data');
      }
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
