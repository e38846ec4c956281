import { z } from 'zod'
import { condition } from '../condition.ts'
import { integer, text, word } from '../schema.ts'

/** Sort columns of workloads. */
export const workloadSortKeys = [
  'workload',
  'namespace',
  'cluster',
  'env',
  'kind',
  'ready',
  'podsCount',
  'rps',
  'errorRate',
  'p50',
  'p95',
  'p99',
  'cpuLimit',
  'cpuUsage',
  'memoryLimit',
  'memoryUsage',
  'issueCount',
] as const

/** Body of `POST /api/k8s/v3/workloads/list`. `gcqlFilter`, a filter in the log language, replaces `Conditions`. */
export const workloadList = z
  .object({
    Conditions: z.array(condition).optional(),
    Sources: z.array(condition).optional(),
    Limit: integer(1, 1000).default(100),
    Skip: integer(0).default(0),
    SortBy: word(workloadSortKeys).default('rps'),
    Order: word(['asc', 'desc']).default('desc'),
    gcqlFilter: text().optional(),
  })
  .meta({ id: 'WorkloadList', description: 'Which page of which workloads to list.' })

const figure = z.number().nullable().optional()

export const workloadRecord = z
  .looseObject({
    uid: z.string(),
    workload: z.string(),
    namespace: z.string().optional(),
    cluster: z.string().optional(),
    env: z.string().optional(),
    envType: z.string().optional(),
    kind: z.string().optional(),
    resourceVersion: z.string().optional(),
    ready: z.boolean().optional(),
    podsCount: figure,
    rps: figure,
    errorRate: figure,
    p50: figure,
    p95: figure,
    p99: figure,
    cpuLimit: figure,
    cpuUsage: figure,
    memoryLimit: figure,
    memoryUsage: figure,
    issueCount: figure,
    identifiers: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: 'WorkloadRecord', description: 'One Kubernetes workload. `errorRate` is 0 to 1, latencies are seconds.' })

export const workloadListAnswer = z
  .object({ total: z.number().int(), workloads: z.array(workloadRecord) })
  .meta({ id: 'WorkloadListAnswer', description: 'One page of workloads; `total` counts before paging.' })

export type WorkloadList = z.output<typeof workloadList>
export type WorkloadRecord = z.output<typeof workloadRecord>
export type WorkloadListAnswer = z.output<typeof workloadListAnswer>
