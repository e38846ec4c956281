import { seededRandom, type Random } from '../../base/index.ts'
import { Instant, type MutableRow, type Value } from '../../data/index.ts'
import {
  demoCluster,
  demoEnvironment,
  demoWorkloads,
  incident,
  phaseAt,
  type DemoOptions,
  type DemoWorkload,
} from './incident.ts'

const STEP_MINUTES = 5
const GIB = 1024 ** 3
const CPU_LIMIT = 1
const MEMORY_LIMIT = GIB / 2

function stepsOf(hours: number): readonly number[] {
  return Array.from({ length: Math.floor((hours * 60) / STEP_MINUTES) + 1 }, (_, i) => i * STEP_MINUTES).toReversed()
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000
}

function kindOf(workload: DemoWorkload): string {
  return workload.name.endsWith('-db') ? 'StatefulSet' : 'Deployment'
}

function isBroken(workload: DemoWorkload, minutesAgo: number): boolean {
  return workload.name === 'payments' && phaseAt(minutesAgo) === 'broken'
}

function workloadRow(workload: DemoWorkload, minutesAgo: number, nowNs: bigint, random: Random): MutableRow {
  const phase = phaseAt(minutesAgo)
  const podsCount = workload.pods.length
  const leaks = workload.name === 'payments' && phase !== 'calm' && phase !== 'recovering'
  const memoryShare = leaks ? 0.85 + random.next() * 0.14 : 0.35 + random.next() * 0.1
  const version =
    minutesAgo <= incident.deployMinutesAgo && minutesAgo > incident.rollbackMinutesAgo
      ? 2
      : minutesAgo > incident.deployMinutesAgo
        ? 1
        : 3
  return new Map<string, Value>([
    ['_time', new Instant(nowNs - BigInt(Math.round(minutesAgo * 60e9)))],
    ['uid', `workload-${workload.namespace}-${workload.name}`],
    ['workload', workload.name],
    ['namespace', workload.namespace],
    ['cluster', demoCluster],
    ['env', demoEnvironment],
    ['envType', 'production'],
    ['kind', kindOf(workload)],
    ['resourceVersion', String(1000 + (workload.name === 'payments' ? version : 1))],
    ['ready', !isBroken(workload, minutesAgo)],
    ['podsCount', podsCount],
    ['cpuLimit', CPU_LIMIT * podsCount],
    ['cpuUsage', round(podsCount * (leaks ? 0.7 : 0.2) * (0.8 + random.next() * 0.4))],
    ['memoryLimit', MEMORY_LIMIT * podsCount],
    ['memoryUsage', Math.round(MEMORY_LIMIT * podsCount * memoryShare)],
    ['issueCount', isBroken(workload, minutesAgo) ? 2 : 0],
    ['identifiers.app', workload.name],
  ])
}

interface DemoClusterSize {
  readonly name: string
  readonly env: string
  readonly nodes: number
  readonly pods: number
}

const clusters: readonly DemoClusterSize[] = [
  {
    name: demoCluster,
    env: demoEnvironment,
    nodes: 6,
    pods: demoWorkloads.reduce((sum, { pods }) => sum + pods.length, 0),
  },
  { name: 'eu-staging', env: 'staging', nodes: 2, pods: 7 },
]

function resource(name: string, allocatable: number, limit: number, request: number, usage: number): [string, Value][] {
  const percent = (part: number, whole: number): number => round((100 * part) / whole)
  return [
    [`${name}.Allocatable`, allocatable],
    [`${name}.Limit`, limit],
    [`${name}.LimitAllocatablePercent`, percent(limit, allocatable)],
    [`${name}.Request`, request],
    [`${name}.RequestAllocatablePercent`, percent(request, allocatable)],
    [`${name}.Usage`, usage],
    [`${name}.UsageAllocatablePercent`, percent(usage, allocatable)],
    [`${name}.UsageLimitPercent`, percent(usage, limit)],
    [`${name}.UsageRequestPercent`, percent(usage, request)],
  ]
}

function clusterRow(cluster: DemoClusterSize, minutesAgo: number, nowNs: bigint, random: Random): MutableRow {
  const crashed = cluster.name === demoCluster && phaseAt(minutesAgo) === 'broken' ? 1 : 0
  const load = 0.45 + crashed * 0.2 + random.next() * 0.05
  const cpu = cluster.nodes * 4
  const memory = cluster.nodes * 16 * GIB
  return new Map<string, Value>([
    ['_time', new Instant(nowNs - BigInt(Math.round(minutesAgo * 60e9)))],
    ['name', cluster.name],
    ['env', cluster.env],
    ['cloudProvider', 'on-premise'],
    ['kubernetesVersion', 'v1.33.2'],
    ['nodesCount', cluster.nodes],
    ['issueCount', crashed * 2],
    ['pods.running', cluster.pods - crashed],
    ['pods.pending', 0],
    ['pods.failed', crashed],
    ...resource('cpu', cpu, cpu * 0.8, cpu * 0.5, round(cpu * 0.5 * load)),
    ...resource('memory', memory, memory * 0.75, memory * 0.5, Math.round(memory * 0.5 * load)),
  ])
}

/** Returns the state of each workload every five minutes, oldest first. */
export function demoWorkloadStates({ seed, nowNs, hours }: DemoOptions): MutableRow[] {
  const random = seededRandom(seed ^ 0x40ad)
  return stepsOf(hours).flatMap((ago) => demoWorkloads.map((workload) => workloadRow(workload, ago, nowNs, random)))
}

/** Returns the state of each cluster every five minutes, oldest first. */
export function demoClusterStates({ seed, nowNs, hours }: DemoOptions): MutableRow[] {
  const random = seededRandom(seed ^ 0xc105)
  return stepsOf(hours).flatMap((ago) => clusters.map((cluster) => clusterRow(cluster, ago, nowNs, random)))
}
