/** Seconds after which a waiting request fails. */
export const TIMEOUT_SECONDS = 5

/** The parameters of demo data. The same options give the same data. */
export interface DemoOptions {
  readonly seed: number
  /** The time at which the incident ends, in nanoseconds since 1970. */
  readonly nowNs: bigint
  /** The number of hours that the data covers. */
  readonly hours: number
}

/**
 * The incident in all demo data, in minutes before now. A new version of `payments` leaks database connections, and its
 * connection pool runs dry. Then `checkout-api` times out, a `payments` pod runs out of memory, and the version is
 * rolled back.
 */
export const incident = {
  deployMinutesAgo: 55,
  poolExhaustedMinutesAgo: 47,
  outOfMemoryMinutesAgo: 38,
  rollbackMinutesAgo: 22,
  recoveredMinutesAgo: 18,
  badVersion: 'v2.8.1',
  goodVersion: 'v2.8.0',
} as const

export type IncidentPhase = 'calm' | 'rising' | 'broken' | 'recovering'

export function phaseAt(minutesAgo: number): IncidentPhase {
  if (minutesAgo > incident.deployMinutesAgo || minutesAgo <= incident.recoveredMinutesAgo) return 'calm'
  if (minutesAgo > incident.poolExhaustedMinutesAgo) return 'rising'
  return minutesAgo > incident.rollbackMinutesAgo ? 'broken' : 'recovering'
}

export interface DemoWorkload {
  readonly name: string
  readonly namespace: string
  readonly pods: readonly string[]
  /** Share of all log records that this workload writes, from 0 to 1. */
  readonly weight: number
  /** The workloads that this workload calls during a request. */
  readonly calls: readonly string[]
}

function workload(
  name: string,
  namespace: string,
  podIds: readonly string[],
  weight: number,
  calls: readonly string[] = [],
): DemoWorkload {
  return { name, namespace, pods: podIds.map((id) => `${name}-${id}`), weight, calls }
}

export const demoWorkloads: readonly [DemoWorkload, ...DemoWorkload[]] = [
  workload('frontend', 'shop', ['6c9f7d5b8-x2kqp', '6c9f7d5b8-m8wzr'], 24, ['checkout-api', 'catalog']),
  workload('checkout-api', 'shop', ['7f6d9c4b5-4hj2l', '7f6d9c4b5-q9vtn'], 22, ['payments', 'inventory']),
  workload('payments', 'payments', ['5b8c6f7d9-zr4mk', '5b8c6f7d9-w7xpd'], 18, ['ledger-db']),
  workload('inventory', 'shop', ['8d7b5c6f4-t5nqs'], 12, ['ledger-db']),
  workload('catalog', 'shop', ['9f8d7c6b5-k3lwv'], 10),
  workload('mailer', 'notifications', ['4c5d6b7f8-p6rzx'], 8),
  workload('ledger-db', 'payments', ['0'], 6),
]

export const demoCluster = 'eu-west'
export const demoEnvironment = 'prod'
