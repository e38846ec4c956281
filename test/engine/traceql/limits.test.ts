import { describe, expect, test } from 'vitest'
import { Budget, always, runWithBudget, seededRandom } from '../../../src/base/index.ts'
import { defaultEngineLimits } from '../../../src/engine/index.ts'
import {
  runTraceMetrics,
  searchTraces,
  tagNames,
  tagValues,
  type SpanAccess,
} from '../../../src/engine/traceql/index.ts'
import { namesOf } from '../../../src/server/search/fields/questions.ts'
import type { LogicalPlan } from '../../../src/plan/index.ts'
import { Trace } from '../../../src/engine/traceql/model.ts'
import { spanSets } from '../../../src/engine/traceql/pipeline.ts'
import { parseTraceqlOrThrow } from '../../../src/lang/traceql/index.ts'
import { SECOND, START, drawTraces, hex, readingOf } from './drawn.ts'

const KIB = 1024
const times = { startNs: START, endNs: START + 10_000n * SECOND, stepNs: SECOND }

/** Returns one trace whose spans are all children of one root. */
function star(count: number): object {
  const spans = Array.from({ length: count }, (_, i) => ({
    traceId: hex(0, 32),
    spanId: hex(i, 16),
    parentSpanId: i === 0 ? '' : hex(0, 16),
    name: 'a',
    startTimeUnixNano: String(START),
    attributes: [{ key: `name-${i}`, value: { intValue: String(i + 2) } }],
    events: [{ timeUnixNano: String(START), name: 'a', attributes: [{ key: `key-${i}`, value: { intValue: '1' } }] }],
  }))
  return { resourceSpans: [{ scopeSpans: [{ spans }] }] }
}

const names = (rows: LogicalPlan): LogicalPlan => namesOf(rows, undefined)

const drawn = readingOf(drawTraces(seededRandom(3), 200))
const wide = readingOf(star(2_000))

function within(
  { rows }: SpanAccess,
  limits: { readonly memoryBytes?: number; readonly timeoutMs?: number },
): SpanAccess {
  return { rows, budget: new Budget({ ...defaultEngineLimits, ...limits }, () => performance.now()) }
}

async function found(reading: SpanAccess, text: string): Promise<number> {
  const query = parseTraceqlOrThrow(text, { gives: 'spans' })
  if (query.kind !== 'trace-query') throw new Error('no query for spans')
  return (await searchTraces(reading, { spans: query.spans, range: always, limit: 1000 })).length
}

async function series(reading: SpanAccess, text: string): Promise<number> {
  const query = parseTraceqlOrThrow(text, { gives: 'metrics' })
  if (query.kind !== 'metrics-query') throw new Error('no metric')
  return (await runTraceMetrics(reading, query.metric, times)).series.length
}

describe('a query ends at its memory limit', () => {
  const quantiles = Array.from({ length: 900 }, (_, i) => `0.${i + 100}`).join()

  test('series of quantiles count', async () => {
    const text = `{} | quantile_over_time(.count, ${quantiles})`
    await expect(series(within(drawn, { memoryBytes: 8192 * KIB }), text)).rejects.toThrow('memory limit')
    expect(await series(within(drawn, { memoryBytes: 131_072 * KIB }), text)).toBe(900)
  })

  test('series of stages count', async () => {
    const text = '{} | count_over_time() by (.count) | topk(2)'
    await expect(series(within(drawn, { memoryBytes: 1200 * KIB }), text)).rejects.toThrow('memory limit')
    expect(await series(within(drawn, { memoryBytes: 8192 * KIB }), text)).toBeGreaterThan(0)
  })

  test('span sets and their attributes count', async () => {
    const text = `{}${' | by(span:id)'.repeat(900)}`
    await expect(found(within(wide, { memoryBytes: 131_072 * KIB }), text)).rejects.toThrow('memory limit')
  })

  test('a trace that is found counts once', async () => {
    const reading = within(wide, {})
    expect(await found(reading, '{} >> {}')).toBe(1)
    expect(reading.budget.peakBytes - reading.budget.usedBytes).toBeLessThan(reading.budget.usedBytes / 2)
  })

  test('memory of spans that a search drops is released', async () => {
    const reading = within(drawn, {})
    expect(await found(reading, '{} | by(span:id) | count() > 5')).toBe(0)
    expect(reading.budget.usedBytes).toBeLessThan(200 * KIB)
  })

  test('names and values count', async () => {
    const few = { memoryBytes: 256 * KIB }
    const event = parseTraceqlOrThrow('{ name = "a" }', { gives: 'spans' })
    if (event.kind !== 'trace-query') throw new Error('no query for spans')
    await expect(tagNames(within(wide, few), names, event.spans, always)).rejects.toThrow('memory limit')
    await expect(tagNames(within(wide, few), names, undefined, always)).rejects.toThrow('memory limit')
    const field = { kind: 'intrinsic', name: 'span:id', span: { start: 0, end: 0 } } as const
    await expect(tagValues(within(wide, few), field, undefined, always, 10_000)).rejects.toThrow('memory limit')
  })
})

describe('a query ends at its time limit', () => {
  test.each([
    ['relations', `{}${' &>> {}'.repeat(900)}`],
    ['conditions', `{ ${'.a * 2 + '.repeat(450)}1 > 0 || true }`],
    ['stages', `{}${' | { .count + .b != 1 || true }'.repeat(250)}`],
  ])('between %s over one trace', async (_, text) => {
    const query = parseTraceqlOrThrow(text, { gives: 'spans' })
    if (query.kind !== 'trace-query') throw new Error('no query for spans')
    const evaluate = spanSets(query.spans)
    const [first, ...others] = await wide.spans()
    if (first === undefined) throw new Error('no span')
    const trace = new Trace(first.traceId, [first, ...others])
    const { budget } = within(wide, { timeoutMs: 3 })
    expect(() => runWithBudget(budget, () => evaluate(trace))).toThrow('time limit')
  })

  test('between reads that find nothing', async () => {
    const text = Array.from({ length: 300 }, () => '({ .nope = 1 } | rate())').join(' + ')
    await expect(series(within(wide, { timeoutMs: 1 }), text)).rejects.toThrow('time limit')
  })

  test('between samples of ranked series', async () => {
    const text = `{} | count_over_time() by (.count)${' | topk(3)'.repeat(900)}`
    await expect(series(within(drawn, { timeoutMs: 500 }), text)).rejects.toThrow('time limit')
  })
})
