import { describe, expect, test } from 'vitest'
import { seededRandom } from '../../../src/base/index.ts'
import { rowsOf, toText } from '../../../src/data/index.ts'
import { Trace } from '../../../src/engine/traceql/model.ts'
import { spanSets } from '../../../src/engine/traceql/pipeline.ts'
import { convertTraceql, parseTraceqlOrThrow } from '../../../src/lang/traceql/index.ts'
import { drawTraces, otherSpans, readingOf } from './drawn.ts'

const reading = readingOf(drawTraces(seededRandom(9), 80), otherSpans)

/** Returns the ids of the spans that a TraceQL query finds. */
async function spansOf(text: string): Promise<readonly string[]> {
  const query = parseTraceqlOrThrow(text, { gives: 'spans' })
  if (query.kind !== 'trace-query') throw new Error('no query for spans')
  const evaluate = spanSets(query.spans)
  const byTrace = Map.groupBy(await reading.spans(), ({ traceId }) => traceId)
  return [...byTrace]
    .flatMap(([id, [first, ...others]]) => (first === undefined ? [] : evaluate(new Trace(id, [first, ...others]))))
    .flatMap(({ spans }) => spans.map(({ sent }) => `${sent.traceId} ${sent.spanId}`))
    .sort()
}

/** Returns the ids of the spans that a query in the native language finds. */
async function rowsFor(text: string): Promise<readonly string[]> {
  const found: string[] = []
  for await (const batch of reading.engine.query(text, { table: 'spans', lint: 'off' }).batches())
    for (const row of rowsOf(batch))
      found.push(['trace_id', 'span_id'].map((name) => toText(row.get(name) ?? null)).join(' '))
  return found.sort()
}

describe('a converted query finds the same spans', () => {
  test.each([
    '{}',
    '{ status = error }',
    '{ status != error && kind = server }',
    '{ kind = client || name = "a" || duration > 1s }',
    '{ (kind = client || name = "a") && duration <= 5ms }',
    '{ !(status = ok) }',
    '{ name =~ "b.*" }',
    '{ name !~ "a|5" }',
    '{ duration = 5ms }',
    '{ span.count >= 3 }',
    '{ 3 > span.count }',
    '{ span.count != 2 && .count != nil }',
    '{ nestedSetParent < 0 }',
    '{ statusMessage != "" } | { kind = server }',
    '{ instrumentation:name = "a" }',
    '{ true && false }',
  ])('%s', async (text) => {
    expect(await rowsFor(convertTraceql(text).text)).toEqual(await spansOf(text))
  })
})

test('a metric counts the same spans', async () => {
  const { text } = convertTraceql('{ kind = server } | count_over_time() by (status)')
  const counts: [string, number][] = []
  for await (const batch of reading.engine.query(text, { table: 'spans' }).batches())
    for (const row of rowsOf(batch)) counts.push([toText(row.get('status') ?? null), Number(row.get('value'))])
  const wanted = await Promise.all(
    ['error', 'ok', 'unset'].map(async (status): Promise<[string, number]> => [
      status,
      (await spansOf(`{ kind = server && status = ${status} }`)).length,
    ]),
  )
  expect(Object.fromEntries(counts)).toEqual(Object.fromEntries(wanted))
  expect(text).toBe('kind:=server | stats by (status) count(*) as value')
})

test('differences are reported', () => {
  const { notes } = convertTraceql('{ .a = 1 } | quantile_over_time(duration, .5)')
  expect(notes.join(' ')).toMatch(/_time:5m.*without scopes.*powers of two/)
})

test.each([
  ['{} > {}', 0, 7],
  ['{} | count() > 1', 5, 16],
  ['{} | by(name)', 5, 13],
  ['{ event.k = 1 }', 2, 9],
  ['{ .a = .b }', 2, 9],
  ['{ rootName = "a" }', 2, 10],
  ['({} | rate()) / 2', 0, 17],
  ['{} | rate() | topk(3)', 0, 21],
])('%s has no counterpart, and the place is told', (text, start, end) => {
  expect(() => convertTraceql(text)).toThrow(
    expect.objectContaining({
      diagnostics: [
        expect.objectContaining({ code: 'convert/no-counterpart', origin: { kind: 'text', span: { start, end } } }),
      ],
    }) as Error,
  )
})
