import { seededRandom } from '../../base/index.ts'
import { Instant, type MutableRow, type Value } from '../../data/index.ts'
import {
  demoCluster,
  demoEnvironment,
  demoWorkloads,
  incident,
  type DemoOptions,
  type DemoWorkload,
} from './incident.ts'

interface DemoEvent {
  readonly minutesAgo: number
  readonly workload: string
  readonly type: string
  readonly reason: string
  readonly message: string
  readonly objectKind?: string
  readonly pod?: number
  readonly count?: number
  readonly fields?: Readonly<Record<string, Value>>
}

const { badVersion, goodVersion } = incident

function rollout(minutesAgo: number, version: string, before: string): readonly DemoEvent[] {
  const image = `registry.example/payments:${version}`
  const about = { workload: 'payments', objectKind: 'Deployment' } as const
  return [
    {
      ...about,
      minutesAgo,
      type: 'image_update',
      reason: 'ImageUpdated',
      message: `image of payments changed from ${before} to ${version}`,
      fields: { imageName: image, previousImageName: `registry.example/payments:${before}` },
    },
    {
      ...about,
      minutesAgo: minutesAgo - 0.05,
      type: 'spec_changed',
      reason: 'SpecChanged',
      message: 'spec of payments changed: containers[0].image',
    },
    {
      ...about,
      minutesAgo: minutesAgo - 0.1,
      type: 'Normal',
      reason: 'ScalingReplicaSet',
      message: 'Scaled up replica set payments-5b8c6f7d9 to 2',
    },
    ...[0, 1].flatMap((pod): DemoEvent[] => [
      {
        minutesAgo: minutesAgo - 0.2 - pod * 0.3,
        workload: 'payments',
        pod,
        type: 'Normal',
        reason: 'Pulled',
        message: `Successfully pulled image "${image}"`,
      },
      {
        minutesAgo: minutesAgo - 0.25 - pod * 0.3,
        workload: 'payments',
        pod,
        type: 'Normal',
        reason: 'Started',
        message: 'Started container payments',
      },
    ]),
  ]
}

function crash(minutesAgo: number, pod: number): readonly DemoEvent[] {
  return [
    {
      minutesAgo,
      workload: 'payments',
      pod,
      type: 'container_crash',
      reason: 'OOMKilled',
      message: 'container payments was killed: out of memory',
      fields: {
        exitCode: '137',
        imageName: `registry.example/payments:${badVersion}`,
        memoryLimit: 536_870_912,
        container: 'payments',
      },
    },
    {
      minutesAgo: minutesAgo - 0.3,
      workload: 'payments',
      pod,
      type: 'Warning',
      reason: 'BackOff',
      message: 'Back-off restarting failed container payments',
      count: 3,
    },
  ]
}

/** The events of the incident in chronological order. */
const story: readonly DemoEvent[] = [
  ...rollout(incident.deployMinutesAgo, badVersion, goodVersion),
  ...[0, 2, 5].map((later, i): DemoEvent => ({
    minutesAgo: incident.poolExhaustedMinutesAgo - later,
    workload: 'payments',
    pod: i % 2,
    type: 'Warning',
    reason: 'Unhealthy',
    message: 'Readiness probe failed: HTTP probe failed with statuscode: 503',
    count: 2 + i * 3,
  })),
  {
    minutesAgo: incident.poolExhaustedMinutesAgo - 4,
    workload: 'checkout-api',
    objectKind: 'HorizontalPodAutoscaler',
    type: 'scale_up',
    reason: 'SuccessfulRescale',
    message: 'New size: 2; reason: cpu resource utilization above target',
    fields: { previousReplicas: 1, replicas: 2 },
  },
  ...crash(incident.outOfMemoryMinutesAgo, 0),
  ...crash(incident.outOfMemoryMinutesAgo - 6, 1),
  ...crash(incident.outOfMemoryMinutesAgo - 11, 0),
  ...rollout(incident.rollbackMinutesAgo, goodVersion, badVersion),
  {
    minutesAgo: incident.recoveredMinutesAgo,
    workload: 'payments',
    objectKind: 'Deployment',
    type: 'Normal',
    reason: 'MinimumReplicasAvailable',
    message: 'Deployment has minimum availability.',
  },
]

/** Everyday events, which do not belong to the incident. */
const daily: readonly Omit<DemoEvent, 'minutesAgo' | 'workload'>[] = [
  { type: 'Normal', reason: 'Scheduled', message: 'Successfully assigned the pod to a node', pod: 0 },
  { type: 'Normal', reason: 'Pulled', message: 'Container image already present on machine', pod: 0 },
  { type: 'Normal', reason: 'SuccessfulCreate', message: 'Created a pod', objectKind: 'ReplicaSet' },
  {
    type: 'Warning',
    reason: 'FailedScheduling',
    message: '0/6 nodes are available: 6 Insufficient cpu.',
    pod: 0,
    count: 2,
  },
  {
    type: 'scale_down',
    reason: 'SuccessfulRescale',
    message: 'New size: 1; reason: All metrics below target',
    objectKind: 'HorizontalPodAutoscaler',
  },
]

function rowOf(event: DemoEvent, workload: DemoWorkload, index: number, nowNs: bigint): MutableRow {
  const lastNs = nowNs - BigInt(Math.round(event.minutesAgo * 60e9))
  const count = event.count ?? 1
  const instance =
    event.pod === undefined ? workload.name : (workload.pods[event.pod % workload.pods.length] ?? workload.name)
  const uid = (kind: string): string => `${kind}-${String(index).padStart(6, '0')}`
  const row: MutableRow = new Map<string, Value>([
    ['_time', new Instant(lastNs)],
    ['type', event.type],
    ['reason', event.reason],
    ['message', event.message],
    ['cluster', demoCluster],
    ['env', demoEnvironment],
    ['namespace', workload.namespace],
    ['workload', workload.name],
    ['instance', instance],
    ['object_kind', event.objectKind ?? 'Pod'],
    ['object_uid', `object-${instance}`],
    ['uid', uid('event')],
    ['count', count],
    ['firstSeen', new Instant(lastNs - BigInt((count - 1) * 20) * 1_000_000_000n)],
    ['lastSeen', new Instant(lastNs)],
  ])
  if (event.pod !== undefined) row.set('podName', instance)
  for (const [name, value] of Object.entries(event.fields ?? {})) row.set(name, value)
  return row
}

/** Returns Kubernetes events, oldest first: the incident and everyday events. */
export function demoEvents({ seed, nowNs, hours }: DemoOptions): MutableRow[] {
  const random = seededRandom(seed ^ 0xe7e47)
  const usual = Array.from({ length: Math.round(hours * 30) }, (): DemoEvent => ({
    ...random.pick(daily),
    minutesAgo: random.next() * hours * 60,
    workload: random.pick(demoWorkloads).name,
  }))
  return [...story, ...usual]
    .filter((event) => event.minutesAgo <= hours * 60)
    .toSorted((a, b) => b.minutesAgo - a.minutesAgo)
    .map((event, i) =>
      rowOf(event, demoWorkloads.find(({ name }) => name === event.workload) ?? demoWorkloads[0], i, nowNs),
    )
}
