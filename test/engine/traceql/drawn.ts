import { Budget, runToEnd, type Random } from '../../../src/base/index.ts'
import { Instant, rowsOf, type MutableRow, type Row, type Value } from '../../../src/data/index.ts'
import { createEngine, defaultEngineLimits, type Engine } from '../../../src/engine/index.ts'
import type { SpanAccess } from '../../../src/engine/traceql/index.ts'
import { readParsedSpans } from '../../../src/ingest/otlp/index.ts'
import { storedSpan, type StoredSpan } from '../../../src/ingest/otlp/stored/index.ts'
import { createMemoryStore, standardCatalog } from '../../../src/store/index.ts'

/** 2026-03-10T11:00:00Z, in ns */
export const START = 1_773_140_400_000_000_000n
export const SECOND = 1_000_000_000n

export const hex = (number: number, digits: number): string => (number + 1).toString(16).padStart(digits, '0')

function drawValue(random: Random): object {
  return random.pick<() => object>([
    () => ({ stringValue: random.pick(['a', '', 'b.c', '5']) }),
    () => ({ intValue: String(random.below(8) - 2) }),
    () => ({ doubleValue: random.pick([0.5, 5, -1.5]) }),
    () => ({ boolValue: random.next() < 0.5 }),
    () => ({ arrayValue: { values: [{ stringValue: 'a' }, { intValue: '5' }] } }),
  ])()
}

function drawAttributes(random: Random, names: readonly string[]): readonly object[] {
  return names.filter(() => random.next() < 0.4).map((key) => ({ key, value: drawValue(random) }))
}

/** Draws traces whose spans form random trees. Some parents are missing. */
export function drawTraces(random: Random, count: number): object {
  const resourceSpans = Array.from({ length: count }, (_, trace) => {
    const size = 1 + random.below(6)
    return Array.from({ length: size }, (__, i) => {
      const start = START + BigInt(trace * 10 + i) * SECOND
      const parent = i === 0 ? '' : random.next() < 0.1 ? hex(99, 16) : hex(trace * 10 + random.below(i), 16)
      const span = {
        traceId: hex(trace, 32),
        spanId: hex(trace * 10 + i, 16),
        parentSpanId: parent,
        name: random.pick(['a', 'b.c', '5']),
        kind: random.below(6),
        startTimeUnixNano: String(start),
        endTimeUnixNano: String(start + BigInt(random.pick([0, 5_000_000, 1_500_000_000]))),
        status: { code: random.below(3), message: random.pick(['', 'a']) },
        attributes: [
          { key: 'count', value: { intValue: String(random.below(5)) } },
          ...drawAttributes(random, ['a', 'http.status_code', 'a-b', 'vip', 'status', 'b', 'with space']),
        ],
        events:
          random.next() < 0.2
            ? [{ timeUnixNano: String(start + 7n), name: 'a', attributes: drawAttributes(random, ['k']) }]
            : [],
      }
      const resource = {
        attributes: [
          ...drawAttributes(random, ['a', 'b']),
          { key: 'service.name', value: { stringValue: random.pick(['a', 'b.c']) } },
        ],
      }
      return { resource, scopeSpans: [{ scope: { name: random.pick(['', 'a']) }, spans: [span] }] }
    })
  })
  return { resourceSpans: resourceSpans.flat() }
}

/** An engine over spans, and the reads that TraceQL needs. */
export interface DrawnReading extends SpanAccess {
  readonly engine: Engine
  readonly spans: () => Promise<readonly StoredSpan[]>
}

function timed(row: MutableRow): { readonly timeNs: bigint; readonly row: Row } {
  const time = row.get('_time')
  return { timeNs: time instanceof Instant ? time.ns : 0n, row }
}

/** Creates an engine over an OTLP export and other rows. */
export function readingOf(sent: object, others: readonly MutableRow[] = []): DrawnReading {
  const store = createMemoryStore(standardCatalog)
  const { rows } = runToEnd(readParsedSpans(sent))
  store.table('spans').writer.appendRows([...rows, ...others].map(timed))
  const engine = createEngine({ tables: [...store.tables.values()] })
  const limits = { ...defaultEngineLimits, timeoutMs: 60_000 }
  const asked = { table: 'spans', dialect: 'logsql', lint: 'off', limits } as const
  return {
    engine,
    rows: { read: (plan, range) => engine.queryPlan(plan, { ...asked, range }).batches() },
    // Each search gets a new budget.
    get budget() {
      return new Budget(limits, () => performance.now())
    },
    spans: async () => {
      const found: StoredSpan[] = []
      for await (const batch of engine.query('*', { table: 'spans', limits }).batches())
        for (const row of rowsOf(batch)) {
          const span = storedSpan(row)
          if (span !== undefined) found.push(span)
        }
      return found
    },
  }
}

/** Spans that did not arrive by OTLP. Their workload is the service name of the resource. */
export const otherSpans = Array.from(
  { length: 20 },
  (_, i): MutableRow =>
    new Map<string, Value>([
      ['_time', new Instant(START + BigInt(i) * SECOND)],
      ['trace_id', hex(1000 + i, 32)],
      ['span_id', '1'],
      ['span_name', 'a'],
      ['workload', i % 2 === 0 ? 'a' : 'b.c'],
      ['a', i % 3 === 0 ? 'a' : 5],
    ]),
)
