import { sizeText } from '../../../base/index.ts'
import { count } from '../../app/numbers.ts'
import { texts } from '../../app/texts.ts'
import { spanDuration } from '../traces/trace-times.ts'

type Figure = number | null | undefined

/** A workload as the API returns it. Latencies are in seconds; `errorRate` is between 0 and 1. */
export interface Workload {
  readonly uid: string
  readonly workload: string
  readonly namespace?: string
  readonly cluster?: string
  readonly env?: string
  readonly kind?: string
  readonly ready?: boolean
  readonly podsCount?: Figure
  readonly rps?: Figure
  readonly errorRate?: Figure
  readonly p50?: Figure
  readonly p95?: Figure
  readonly p99?: Figure
  readonly cpuLimit?: Figure
  readonly cpuUsage?: Figure
  readonly memoryLimit?: Figure
  readonly memoryUsage?: Figure
  readonly issueCount?: Figure
}

export interface WorkloadPage {
  readonly total: number
  readonly workloads: readonly Workload[]
}

/** Use of a resource by a cluster; percentages are between 0 and 100. */
export interface ResourceUse {
  readonly Allocatable?: Figure
  readonly Usage?: Figure
  readonly UsageAllocatablePercent?: Figure
}

export interface Cluster {
  readonly name: string
  readonly env?: string
  readonly kubernetesVersion?: string
  readonly nodesCount?: Figure
  readonly issueCount?: Figure
  readonly pods?: Readonly<Record<string, number>>
  readonly cpu?: ResourceUse
  readonly memory?: ResourceUse
}

/** A column of the list. The server sorts by its `key`. */
export interface Column {
  readonly key: string
  readonly title: string
  readonly isNumber: boolean
  readonly text: (workload: Workload) => string
  /** Fraction of a limit, between 0 and 1, drawn as a bar. */
  readonly share?: (workload: Workload) => number | undefined
  /** True if the value deserves attention. */
  readonly isBad?: (workload: Workload) => boolean
}

function shown(figure: Figure, text: (value: number) => string): string {
  return figure === null || figure === undefined ? '–' : text(figure)
}

/** Rounds a number to three significant digits. */
export function rounded(value: number): string {
  return String(Number(value.toPrecision(3)))
}

function latency(figure: Figure): string {
  return shown(figure, (seconds) => spanDuration(seconds * 1000))
}

function shareOf(usage: Figure, limit: Figure): number | undefined {
  return typeof usage === 'number' && typeof limit === 'number' && limit > 0 ? Math.min(1, usage / limit) : undefined
}

/** Error rate from which a workload is marked. */
const BAD_ERROR_RATE = 0.01

export const columns: readonly Column[] = [
  { key: 'workload', title: texts.workloads.workload, isNumber: false, text: ({ workload }) => workload },
  { key: 'namespace', title: texts.workloads.namespace, isNumber: false, text: ({ namespace = '' }) => namespace },
  { key: 'cluster', title: texts.workloads.cluster, isNumber: false, text: ({ cluster = '' }) => cluster },
  {
    key: 'ready',
    title: texts.workloads.ready,
    isNumber: false,
    text: ({ ready }) => (ready === undefined ? '–' : ready ? texts.workloads.isReady : texts.workloads.notReady),
    isBad: ({ ready }) => ready === false,
  },
  { key: 'podsCount', title: texts.workloads.pods, isNumber: true, text: ({ podsCount }) => shown(podsCount, count) },
  { key: 'rps', title: texts.workloads.rps, isNumber: true, text: ({ rps }) => shown(rps, rounded) },
  {
    key: 'errorRate',
    title: texts.workloads.errorRate,
    isNumber: true,
    text: ({ errorRate }) => shown(errorRate, (rate) => `${rounded(100 * rate)} %`),
    isBad: ({ errorRate }) => (errorRate ?? 0) >= BAD_ERROR_RATE,
  },
  { key: 'p50', title: 'p50', isNumber: true, text: ({ p50 }) => latency(p50) },
  { key: 'p95', title: 'p95', isNumber: true, text: ({ p95 }) => latency(p95) },
  { key: 'p99', title: 'p99', isNumber: true, text: ({ p99 }) => latency(p99) },
  {
    key: 'cpuUsage',
    title: texts.workloads.cpu,
    isNumber: true,
    text: ({ cpuUsage }) => shown(cpuUsage, rounded),
    share: ({ cpuUsage, cpuLimit }) => shareOf(cpuUsage, cpuLimit),
  },
  {
    key: 'memoryUsage',
    title: texts.workloads.memory,
    isNumber: true,
    text: ({ memoryUsage }) => shown(memoryUsage, sizeText),
    share: ({ memoryUsage, memoryLimit }) => shareOf(memoryUsage, memoryLimit),
  },
  {
    key: 'issueCount',
    title: texts.workloads.issues,
    isNumber: true,
    text: ({ issueCount }) => shown(issueCount, count),
    isBad: ({ issueCount }) => (issueCount ?? 0) > 0,
  },
]

/** Returns the filter for the rows of a workload. */
export function rowsOf({ workload, namespace, cluster }: Workload): string {
  const parts: readonly (readonly [field: string, value: string | undefined])[] = [
    ['workload', workload],
    ['namespace', namespace],
    ['cluster', cluster],
  ]
  return parts
    .flatMap(([field, value]) => (value === undefined || value === '' ? [] : [`${field}:=${JSON.stringify(value)}`]))
    .join(' ')
}
