import { fc, test } from '@fast-check/vitest'
import { describe, expect } from 'vitest'
import { Budget, always, runToEnd, seededRandom, type Random } from '../../../src/base/index.ts'
import { Instant, rowsOf, type MutableRow, type Value } from '../../../src/data/index.ts'
import { createEngine, defaultEngineLimits } from '../../../src/engine/index.ts'
import { runTraceMetrics, searchTraces, type FoundTrace, type SpanReading } from '../../../src/engine/traceql/index.ts'
import { Trace } from '../../../src/engine/traceql/model.ts'
import { spanSets } from '../../../src/engine/traceql/pipeline.ts'
import { readParsedSpans } from '../../../src/ingest/otlp/index.ts'
import { storedSpan, type StoredSpan } from '../../../src/ingest/otlp/stored/index.ts'
import { parseTraceqlOrThrow, type SpanExpr } from '../../../src/lang/traceql/index.ts'
import { createMemoryStore, standardCatalog } from '../../../src/store/index.ts'
import { spansText } from '../../lang/traceql/arbitrary.ts'

/** 2026-03-10T11:00:00Z, in ns */
const START = 1_773_140_400_000_000_000n
const SECOND = 1_000_000_000n

const hex = (number: number, digits: number): string => (number + 1).toString(16).padStart(digits, '0')

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

/** Spans of traces with trees of random shapes; some parents did not arrive. */
function drawTraces(random: Random, count: number): object {
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
        attributes: drawAttributes(random, ['a', 'http.status_code', 'a-b', 'vip', 'status', 'b', 'with space']),
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

/** Reads of an engine over spans. */
function readingOf(
  sent: object,
  others: readonly MutableRow[] = [],
): SpanReading & { readonly spans: () => Promise<readonly StoredSpan[]> } {
  const store = createMemoryStore(standardCatalog)
  const { rows } = runToEnd(readParsedSpans(sent))
  store.table('spans').writer.appendRows(
    [...rows, ...others].map((row) => {
      const time = row.get('_time')
      return { timeNs: time instanceof Instant ? time.ns : 0n, row }
    }),
  )
  const engine = createEngine({ tables: [...store.tables.values()] })
  const limits = { ...defaultEngineLimits, timeoutMs: 60_000 }
  return {
    rows: {
      read: (plan, range) =>
        engine.queryPlan(plan, { range, table: 'spans', dialect: 'logsql', lint: 'off', limits }).batches(),
    },
    // Each search has a budget of its own.
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

/** Comparisons of fields with the values that spans have, which the prefilter turns into conditions on columns. */
const comparisons = fc
  .array(
    fc
      .tuple(
        fc.constantFrom(
          '.a',
          '.b',
          '.status',
          '.vip',
          'span.a',
          'resource.a',
          'resource.service.name',
          'event.k',
          'name',
        ),
        fc.constantFrom('=', '!=', '<', '>='),
        fc.constantFrom('"a"', '""', '"b.c"', '"5"', '5', '0.5', '-2', 'true', 'false'),
      )
      .filter(([field, , value]) => field !== 'name' || value.startsWith('"'))
      .filter(([, op, value]) => !/^[tf]/.test(value) || op === '=' || op === '!=')
      .map((parts) => parts.join(' ')),
    { minLength: 1, maxLength: 3 },
  )
  .chain((list) => fc.constantFrom(' && ', ' || ').map((op) => `{ ${list.join(op)} }`))
const anySpans = fc.oneof(spansText, comparisons)

/** Spans that did not come by OpenTelemetry: their workload stands for the service of their resource. */
const others = Array.from(
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

const reading = readingOf(drawTraces(seededRandom(7), 60), others)
const all = reading.spans()

/** The traces that a query finds when it is evaluated on every trace. */
async function evaluated(spans: SpanExpr): Promise<readonly FoundTrace[]> {
  const byTrace = Map.groupBy(await all, ({ traceId }) => traceId)
  const evaluate = spanSets(spans)
  return [...byTrace].flatMap(([id, [first, ...others]]) => {
    if (first === undefined) return []
    const trace = new Trace(id, [first, ...others])
    const sets = evaluate(trace)
    return sets.length === 0 ? [] : [{ trace, sets }]
  })
}

function summary(found: readonly FoundTrace[]): readonly string[] {
  return found
    .map(
      ({ trace, sets }) =>
        `${trace.id}: ${sets
          .map(({ spans }) => spans.map(({ sent }) => sent.spanId).join())
          .sort()
          .join(' | ')}`,
    )
    .sort()
}

describe('a search finds what the query finds on every trace', () => {
  test.prop([anySpans], { numRuns: 600 })('whatever the prefilter and the columns are', async (text) => {
    const query = parseTraceqlOrThrow(text, { gives: 'spans' })
    if (query.kind !== 'trace-query') throw new Error('no query for spans')
    const found = await searchTraces({ ...reading }, { spans: query.spans, range: always, limit: 1000 })
    expect(summary(found)).toEqual(summary(await evaluated(query.spans)))
  })

  test.prop([anySpans], { numRuns: 200 })('and a metric counts its spans', async (text) => {
    const query = parseTraceqlOrThrow(`${text} | count_over_time()`, { gives: 'metrics' })
    if (query.kind !== 'metrics-query' || query.metric.kind !== 'metric') throw new Error('no metric')
    const times = { startNs: START - SECOND, endNs: START + 3600n * SECOND, stepNs: undefined }
    const { series } = await runTraceMetrics({ ...reading }, query.metric, times)
    const found = await evaluated(query.metric.spans)
    const count = found.flatMap(({ sets }) => sets.flatMap(({ spans }) => spans)).length
    expect(series.map(({ values }) => [...values])).toEqual([[count]])
  })
})

test('the traces that started last come first, from as many steps as they need', async () => {
  const count = 3000
  const many = readingOf(drawTraces(seededRandom(8), count))
  const { spans } = parseTraceqlOrThrow('{ nestedSetParent < 0 }') as { spans: SpanExpr }
  const found = await searchTraces(many, { spans, range: always, limit: 2500 })
  expect(found).toHaveLength(2500)
  expect(found.map(({ trace }) => trace.startNs)).toEqual(
    Array.from({ length: 2500 }, (_, i) => START + BigInt((count - 1 - i) * 10) * SECOND),
  )
})

test('spans of one time are all looked at', async () => {
  const resourceSpans = Array.from({ length: 5000 }, (_, i) => ({
    scopeSpans: [{ spans: [{ traceId: hex(i, 32), spanId: hex(i, 16), name: 'a', startTimeUnixNano: String(START) }] }],
  }))
  const { spans } = parseTraceqlOrThrow('{}') as { spans: SpanExpr }
  expect(await searchTraces(readingOf({ resourceSpans }), { spans, range: always, limit: 10_000 })).toHaveLength(5000)
})

test('a trace belongs to every range that it overlaps, and to no other', async () => {
  const span = {
    traceId: hex(1, 32),
    spanId: hex(1, 16),
    name: 'a',
    startTimeUnixNano: String(START),
    endTimeUnixNano: String(START + 60n * SECOND),
  }
  const one = readingOf({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] })
  const { spans } = parseTraceqlOrThrow('{ name = "a" }') as { spans: SpanExpr }
  const found = async (from: bigint, to: bigint): Promise<number> =>
    (
      await searchTraces(one, {
        spans,
        range: { startNs: START + from * SECOND, endNs: START + to * SECOND },
        limit: 20,
      })
    ).length
  expect(await Promise.all([found(-9n, 1n), found(10n, 20n), found(59n, 90n)])).toEqual([1, 1, 1])
  expect(await Promise.all([found(-9n, 0n), found(61n, 90n)])).toEqual([0, 0])
})
