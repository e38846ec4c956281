import { seededRandom, type Random } from '../../base/index.ts'
import { Instant, type MutableRow, type Value } from '../../data/index.ts'
import {
  TIMEOUT_SECONDS,
  demoCluster,
  demoEnvironment,
  demoWorkloads,
  phaseAt,
  type DemoOptions,
  type DemoWorkload,
  type IncidentPhase,
} from './incident.ts'

export interface DemoSpanOptions extends DemoOptions {
  /** The number of requests that arrive at the frontend. Each produces one span per workload that it reaches. */
  readonly requests: number
}

interface Endpoint {
  readonly name: string
  readonly protocol: 'http' | 'grpc' | 'sql'
  /** The typical duration of the endpoint in seconds, without the calls that it makes. */
  readonly seconds: number
}

const ENDPOINTS: ReadonlyMap<string, readonly Endpoint[]> = new Map([
  [
    'frontend',
    [
      { name: 'GET /products', protocol: 'http', seconds: 0.012 },
      { name: 'POST /checkout', protocol: 'http', seconds: 0.02 },
      { name: 'GET /cart', protocol: 'http', seconds: 0.009 },
    ],
  ],
  ['checkout-api', [{ name: 'POST /api/checkout', protocol: 'http', seconds: 0.018 }]],
  ['payments', [{ name: 'payments.Payments/Charge', protocol: 'grpc', seconds: 0.03 }]],
  ['inventory', [{ name: 'inventory.Stock/Reserve', protocol: 'grpc', seconds: 0.008 }]],
  ['catalog', [{ name: 'GET /api/products', protocol: 'http', seconds: 0.015 }]],
  [
    'ledger-db',
    [
      { name: 'SELECT accounts', protocol: 'sql', seconds: 0.003 },
      { name: 'INSERT ledger', protocol: 'sql', seconds: 0.006 },
    ],
  ],
])

/** The share of charges that wait for a connection until they time out. */
const TIMEOUT_SHARE: Readonly<Record<IncidentPhase, number>> = { calm: 0, rising: 0.08, broken: 0.55, recovering: 0.12 }

interface Outcome {
  readonly seconds: number
  readonly isError: boolean
}

/** Writes the spans of one request; callers come before the workloads that they call. */
class Trace {
  readonly rows: { readonly ageNs: number; readonly row: MutableRow }[] = []
  readonly #traceId: string
  readonly #nowNs: bigint
  readonly #random: Random
  readonly #phase: IncidentPhase

  constructor(nowNs: bigint, ageNs: number, random: Random) {
    this.#nowNs = nowNs
    this.#random = random
    this.#phase = phaseAt(ageNs / 60e9)
    this.#traceId = random.hex(32)
  }

  call(
    workload: DemoWorkload,
    ageNs: number,
    caller: DemoWorkload | undefined,
    parent: string | undefined,
    endpoint = 0,
  ): Outcome {
    const random = this.#random
    const known = ENDPOINTS.get(workload.name) ?? []
    const {
      name,
      protocol,
      seconds: middle,
    } = known[endpoint % Math.max(1, known.length)] ?? {
      name: workload.name,
      protocol: 'http' as const,
      seconds: 0.01,
    }
    const spanId = random.hex(16)
    const at = this.rows.length
    this.rows.push({ ageNs, row: new Map() })
    let seconds = middle * (0.4 + -Math.log(1 - random.next()))
    let isError = random.next() < 0.002
    const mustWait = workload.name === 'payments' && random.next() < TIMEOUT_SHARE[this.#phase]
    if (mustWait) {
      seconds = TIMEOUT_SECONDS + random.next() * 0.04
      isError = true
    } else {
      for (const callee of this.#calleesOf(workload, name)) {
        const inner = this.call(callee, ageNs - seconds * 1e9, workload, spanId, random.below(2))
        seconds += inner.seconds
        isError ||= inner.isError && callee.name === 'payments'
        if (workload.name === 'frontend') isError ||= inner.isError && callee.name === 'checkout-api'
      }
    }
    this.rows[at] = { ageNs, row: this.#row(ageNs, workload, caller, spanId, parent, name, protocol, seconds, isError) }
    return { seconds, isError }
  }

  #calleesOf(workload: DemoWorkload, span: string): readonly DemoWorkload[] {
    const wanted =
      workload.name !== 'frontend' ? workload.calls : span === 'POST /checkout' ? ['checkout-api'] : ['catalog']
    return demoWorkloads.filter(({ name }) => wanted.includes(name))
  }

  #row(
    ageNs: number,
    workload: DemoWorkload,
    caller: DemoWorkload | undefined,
    spanId: string,
    parent: string | undefined,
    name: string,
    protocol: string,
    seconds: number,
    isError: boolean,
  ): MutableRow {
    const row: MutableRow = new Map<string, Value>([
      ['_time', new Instant(this.#nowNs - BigInt(Math.round(Math.max(0, ageNs))))],
      ['trace_id', this.#traceId],
      ['span_id', spanId],
    ])
    if (parent !== undefined) row.set('parent_span_id', parent)
    row.set('span_name', name)
    row.set('span_type', protocol)
    row.set('protocol_type', protocol)
    row.set('kind', 'server')
    row.set('status', isError ? 'error' : 'ok')
    row.set('status_code', protocol === 'http' ? (isError ? '504' : '200') : isError ? '4' : '0')
    row.set('duration_seconds', Math.round(seconds * 1e6) / 1e6)
    row.set('cluster', demoCluster)
    row.set('env', demoEnvironment)
    row.set('namespace', workload.namespace)
    row.set('workload', workload.name)
    row.set('pod', this.#random.pick(workload.pods))
    row.set('source', 'otlp')
    if (caller !== undefined) {
      row.set('client', caller.name)
      row.set('client_namespace', caller.namespace)
    }
    row.set('server', workload.name)
    row.set('server_namespace', workload.namespace)
    return row
  }
}

/** Returns server spans, oldest first. The last hour contains two thirds of the requests. */
export function demoSpans({ seed, nowNs, requests, hours }: DemoSpanOptions): MutableRow[] {
  const random = seededRandom(seed ^ 0x5eed)
  const hourNs = 3_600_000_000_000
  const recent = Math.floor((requests * 2) / 3)
  const [front] = demoWorkloads
  const rows: { readonly ageNs: number; readonly row: MutableRow }[] = []
  for (let i = 0; i < requests; i++) {
    const ageNs = i < recent ? random.next() * hourNs : hourNs + random.next() * Math.max(0, hours - 1) * hourNs
    const trace = new Trace(nowNs, ageNs, random)
    trace.call(front, ageNs, undefined, undefined, random.below(3))
    rows.push(...trace.rows)
  }
  return rows.toSorted((a, b) => b.ageNs - a.ageNs).map(({ row }) => row)
}
