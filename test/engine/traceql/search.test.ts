import { fc, test } from '@fast-check/vitest'
import { describe, expect } from 'vitest'
import { always, seededRandom } from '../../../src/base/index.ts'
import { runTraceMetrics, searchTraces, type FoundTrace } from '../../../src/engine/traceql/index.ts'
import { Trace } from '../../../src/engine/traceql/model.ts'
import { spanSets } from '../../../src/engine/traceql/pipeline.ts'
import { parseTraceqlOrThrow, type SpanExpr } from '../../../src/lang/traceql/index.ts'
import { spansText } from '../../lang/traceql/arbitrary.ts'
import { SECOND, START, drawTraces, hex, otherSpans, readingOf } from './drawn.ts'

/** Comparisons of fields with values that occur in spans. The prefilter turns them into conditions on columns. */
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

const reading = readingOf(drawTraces(seededRandom(7), 60), otherSpans)
const all = reading.spans()

/** Returns the traces that a query finds when it is evaluated on every trace, without a prefilter. */
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

test.each(['&&', '||'])('a condition of 450 %s is compiled once', (op) => {
  const query = parseTraceqlOrThrow(`{ ${Array.from({ length: 451 }, () => '.a = 1').join(` ${op} `)} }`)
  if (query.kind !== 'trace-query') throw new Error('no query for spans')
  expect(spanSets(query.spans)).toBeTypeOf('function')
})

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
