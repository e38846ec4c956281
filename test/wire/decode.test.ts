import { describe, expect, test } from 'vitest'
import { MAX_JSON_DEPTH, SluiceError, printJsonPath } from '../../src/base/index.ts'
import {
  clusterList,
  decode,
  decodeBody,
  eventSearch,
  eventsOverTime,
  logSearch,
  mathOperands,
  metricQuery,
  monitor,
  monitorList,
  pipeline,
  policyApply,
  policyCreate,
  policyUpdate,
  silenceCreate,
  silenceUpdate,
  traceSearch,
  workloadList,
} from '../../src/wire/index.ts'
import type { z } from 'zod'

const range = { start: '2026-01-01T00:00:00Z', end: '2026-01-02T00:00:00Z' }

/** Returns `code path` for each fault of a body, in order. */
function faults(schema: z.ZodType, body: unknown): readonly string[] {
  try {
    if (typeof body === 'string' || body instanceof Uint8Array) decodeBody(schema, body)
    else decode(schema, body)
  } catch (error) {
    if (!(error instanceof SluiceError)) throw error
    return error.diagnostics.map(({ code, origin }) =>
      origin.kind === 'json' ? `${code} ${printJsonPath(origin.path)}` : code,
    )
  }
  return []
}

function notes(schema: z.ZodType, body: unknown): readonly string[] {
  try {
    decode(schema, body)
  } catch (error) {
    if (error instanceof SluiceError) return error.diagnostics.flatMap((diagnostic) => diagnostic.notes)
    throw error
  }
  return []
}

describe('leniency that real clients need', () => {
  test('names compare without regard to case, at every depth', () => {
    const body = {
      START: range.start,
      End: range.end,
      QUERY: '*',
      Sources: [{ KEY: 'cluster', Filters: [{ OP: 'eq', Value: 'c1' }] }],
      Pipeline: { GROUPBY: [{ Key: 'workload' }], OrderBy: [{ Direction: 'DESC', Selector: { Key: 'n' } }] },
    }
    expect(decode(logSearch, body)).toEqual({
      start: 1767225600000000000n,
      end: 1767312000000000000n,
      query: '*',
      sources: [{ key: 'cluster', filters: [{ op: 'eq', value: 'c1' }] }],
      pipeline: { groupBy: [{ key: 'workload' }], orderBy: [{ direction: 'desc', selector: { key: 'n' } }] },
    })
  })

  test('null lists, null and {} members and "" in optional text are absent', () => {
    const body = {
      ...range,
      query: '*',
      filters: '',
      sources: null,
      enableStream: null,
      pipeline: { filters: { conditions: null, groups: null }, selectors: null, limit: null, from: {}, join: null },
    }
    expect(decode(logSearch, body)).toEqual({ start: 1767225600000000000n, end: 1767312000000000000n, query: '*' })
  })

  test('an empty object stays where it is an item of a list', () => {
    expect(decode(pipeline, { filters: { groups: [{}] } })).toEqual({ filters: { groups: [{}] } })
  })

  test('unknown members are ignored, and kept in monitors', () => {
    expect(decode(clusterList, { tryToUseBuckets: true, Sources: [{ colour: 'red', key: 'a' }] })).toEqual({
      Sources: [{ key: 'a' }],
    })
    const body = {
      Title: 'cpu',
      isProvisioned: true,
      model: { newThing: { a: 1 }, queries: [{ name: 'q', hint: 'x' }] },
    }
    expect(decode(monitor, body)).toEqual({
      title: 'cpu',
      isProvisioned: true,
      model: { newThing: { a: 1 }, queries: [{ name: 'q', hint: 'x' }] },
    })
  })

  test('numbers may be text, words may be in any case with blanks around', () => {
    expect(decode(pipeline, { limit: '10', offset: 5.0 })).toEqual({ limit: 10, offset: 5 })
    expect(decode(metricQuery, { Promql: 'up', QueryType: 'RANGE', Step: 60 })).toMatchObject({
      QueryType: 'range',
      Step: '60',
    })
    const threshold = { name: 't', inputName: 'q', operator: ' lt', values: ['1.5', 2] }
    expect(decode(monitor, { model: { thresholds: [threshold] } })).toEqual({
      model: { thresholds: [{ ...threshold, operator: 'lt', values: [1.5, 2] }] },
    })
    expect(decode(pipeline, { mathExpression: [{ scalar: 100 }] })).toEqual({ mathExpression: [{ scalar: '100' }] })
  })

  test('a count beyond 2^53 means no limit, beyond int64 it is refused', () => {
    expect(decodeBody(pipeline, '{"limit":9223372036854775807}')).toEqual({ limit: Number.MAX_SAFE_INTEGER })
    expect(decodeBody(pipeline, '{"limit":"9223372036854775807"}')).toEqual({ limit: Number.MAX_SAFE_INTEGER })
    expect(faults(pipeline, '{"limit":9223372036854775808}')).toEqual(['wire/out-of-range $.limit'])
  })

  test('values keep every digit, null and empty text', () => {
    const body =
      '{"Sources":[{"filters":[{"value":9007199254740993},{"value":null},{"value":""},{"value":{"a":1}},{"value":-0.5}]}]}'
    expect(decodeBody(clusterList, body)).toEqual({
      Sources: [
        {
          filters: [{ value: 9007199254740993n }, { value: null }, { value: '' }, { value: { a: 1 } }, { value: -0.5 }],
        },
      ],
    })
  })

  test('prototype keys are names like any other', () => {
    const body =
      '{"Promql":"up","__proto__":{"x":1},"constructor":5,"SubPipelines":{"__proto__":{"metric":"a"},"constructor":{"metric":"b"}}}'
    const decoded = decodeBody(metricQuery, body)
    expect(decoded.SubPipelines).toEqual(
      new Map([
        ['__proto__', { metric: 'a' }],
        ['constructor', { metric: 'b' }],
      ]),
    )
    expect(Object.keys(decoded)).toEqual(['Promql', 'SubPipelines'])
    expect(({} as Record<string, unknown>)['x']).toBeUndefined()
    const { labels } = decodeBody(monitor, '{"labels":{"__proto__":"a","ok":"b"}}')
    expect(labels).toEqual(
      new Map([
        ['__proto__', 'a'],
        ['ok', 'b'],
      ]),
    )
  })

  test('both spellings of a matcher and of a math expression', () => {
    const matchers = [
      { Name: 'a', Type: 0, Value: 'x' },
      { Name: 'a', Type: 1, Value: 'x' },
      { Name: 'a', Type: 2, Value: 'x' },
      { Name: 'a', Type: 3, Value: 'x' },
      { name: 'a', value: 'x', isRegex: true },
      { name: 'a', isEqual: false },
    ]
    const decoded = decode(silenceCreate, { startsAt: range.start, endsAt: range.end, matchers })
    expect(decoded.matchers?.map(({ value, isEqual, isRegex }) => [value, isEqual, isRegex])).toEqual([
      ['x', true, false],
      ['x', false, false],
      ['x', true, true],
      ['x', false, true],
      ['x', true, true],
      ['', false, false],
    ])
    const old = decode(pipeline, {
      mathExpression: [{ left_expression: { scalar: '1' }, right_expression: { column: { key: 'a' } } }],
    })
    expect(mathOperands(old.mathExpression?.[0] ?? {}).map(({ path }) => path)).toEqual([
      ['left_expression'],
      ['right_expression'],
    ])
    const today = decode(pipeline, { mathExpression: [{ args: [{ scalar: '1' }, { scalar: '2' }] }] })
    expect(mathOperands(today.mathExpression?.[0] ?? {}).map(({ operand }) => operand.scalar)).toEqual(['1', '2'])
  })

  test.each([
    ['2026-01-02T03:04:05Z', 1767323045000000000n],
    ['2026-01-02T03:04:05.678Z', 1767323045678000000n],
    ['2026-01-02T03:04:05.678901+00:00', 1767323045678901000n],
    ['2026-01-02T03:04:05.123456789Z', 1767323045123456789n],
    ['2026-01-02T05:04:05+02:00', 1767323045000000000n],
    ['2026-01-02T05:04:05+0200', 1767323045000000000n],
    ['2026-01-02T03:04:05', 1767323045000000000n],
    ['2026-01-02t03:04:05z', 1767323045000000000n],
    ['2026-01-02 03:04:05', 1767323045000000000n],
    ['2026-01-02T03:04', 1767323040000000000n],
    ['2026-01-02T03:04Z', 1767323040000000000n],
    ['2026-01-02', 1767312000000000000n],
    ['0001-01-01T00:00:00Z', -(2n ** 63n)],
  ])('time %s', (start, ns) => {
    expect(decode(logSearch, { start, end: '2100-01-01T00:00:00Z', query: '*' }).start).toBe(ns)
  })

  test('defaults of the lists', () => {
    expect(decode(workloadList, {})).toEqual({ Limit: 100, Skip: 0, SortBy: 'rps', Order: 'desc' })
    expect(decode(monitorList, { sources: [], limit: null })).toEqual({ limit: 1000, skip: 0, sort: 'name' })
  })
})

describe('what is refused, and where', () => {
  test.each<[string, z.ZodType, unknown, readonly string[]]>([
    ['no object', logSearch, [], ['wire/wrong-type $']],
    ['null', clusterList, 'null', ['wire/wrong-type $']],
    ['missing members', logSearch, {}, ['wire/missing-member $.start', 'wire/missing-member $.end']],
    ['neither query nor pipeline', logSearch, { ...range, query: '' }, ['wire/missing-member $.query']],
    ['null where text is required', logSearch, { ...range, start: null, query: '*' }, ['wire/missing-member $.start']],
    ['number as query', logSearch, { ...range, query: 5 }, ['wire/wrong-type $.query']],
    ['object as text', eventSearch, { ...range, filters: {} }, ['wire/wrong-type $.filters']],
    ['text as boolean', traceSearch, { ...range, enableStream: 'yes' }, ['wire/wrong-type $.enableStream']],
    ['object as list', traceSearch, { ...range, sources: {} }, ['wire/wrong-type $.sources']],
    ['null in a list', traceSearch, { ...range, sources: [null] }, ['wire/wrong-type $.sources[0]']],
    ['list as object', eventSearch, { ...range, pipeline: [] }, ['wire/wrong-type $.pipeline']],
    ['fraction as count', pipeline, { limit: 1.5 }, ['wire/wrong-type $.limit']],
    ['text that is not a number', pipeline, { limit: 'ten' }, ['wire/wrong-type $.limit']],
    ['1e400', pipeline, '{"limit":1e400}', ['wire/wrong-type $.limit']],
    ['negative count', pipeline, { limitBy: { limit: -1 } }, ['wire/out-of-range $.limitBy.limit']],
    ['unknown direction', pipeline, { orderBy: [{ direction: 'up' }] }, ['wire/unknown-word $.orderBy[0].direction']],
    [
      'unknown operator',
      pipeline,
      { having: { groups: [{ operator: 'xor' }] } },
      ['wire/unknown-word $.having.groups[0].operator'],
    ],
    ['unknown query type', metricQuery, { QueryType: 'rnage' }, ['wire/unknown-word $.QueryType']],
    ['impossible day', logSearch, { ...range, start: '2026-02-30T00:00:00Z', query: '*' }, ['wire/bad-time $.start']],
    ['hour 24', logSearch, { ...range, start: '2026-02-03T24:00:00Z', query: '*' }, ['wire/bad-time $.start']],
    ['epoch as time', logSearch, { ...range, end: 1767225600, query: '*' }, ['wire/wrong-type $.end']],
    ['word as time', eventsOverTime, { Start: 'soon', End: range.end }, ['wire/bad-time $.Start']],
    ['reversed range', traceSearch, { start: range.end, end: range.start }, ['wire/range-reversed $.end']],
    ['reversed metric range', metricQuery, { Start: range.end, End: range.start }, ['wire/range-reversed $.End']],
    ['same member twice', logSearch, { ...range, Query: '*', query: 'a' }, ['wire/duplicate-member $.query']],
    [
      'unknown sort key',
      eventsOverTime,
      { Start: range.start, End: range.end, SortBy: 'time' },
      ['wire/unknown-word $.SortBy'],
    ],
    ['limit beyond its range', workloadList, { Limit: 1001 }, ['wire/out-of-range $.Limit']],
    ['two sources of a metric', metricQuery, { Pipeline: { metric: 'a', template: 'b' } }, ['wire/one-of $.Pipeline']],
    [
      'threshold without values',
      monitor,
      { model: { thresholds: [{ name: 'a', inputName: 'q', operator: 'gt' }] } },
      ['wire/missing-member $.model.thresholds[0].values'],
    ],
    [
      'reducer of no kind',
      monitor,
      { model: { reducers: [{ name: 'a', type: 'mode' }] } },
      ['wire/unknown-word $.model.reducers[0].type'],
    ],
    [
      'silence that ends when it starts',
      silenceUpdate,
      { startsAt: range.start, endsAt: range.start },
      ['wire/range-reversed $.endsAt'],
    ],
    [
      'matcher without a name',
      silenceUpdate,
      { matchers: [{ value: 'x' }] },
      ['wire/missing-member $.matchers[0].name'],
    ],
    ['matcher code', silenceUpdate, { matchers: [{ Name: 'x', Type: 4 }] }, ['wire/out-of-range $.matchers[0].type']],
    ['policy without a name', policyCreate, { name: '' }, ['wire/out-of-range $.name']],
    [
      'simple and advanced',
      policyUpdate,
      { name: 'p', dataScope: { simple: { conditions: [{ key: 'a' }] }, advanced: { logs: { disabled: true } } } },
      ['wire/one-of $.dataScope'],
    ],
    ['no UUID', policyApply, { emails: ['a@b'], policyUUIDs: ['1'] }, ['wire/bad-format $.policyUUIDs[0]']],
    ['no address', policyApply, { emails: ['a b'], policyUUIDs: [] }, ['wire/bad-format $.emails[0]']],
  ])('%s', (_, schema, body, expected) => {
    expect(faults(schema, body)).toEqual(expected)
  })

  test('both members of a scope are fine when one is empty', () => {
    const dataScope = { simple: { conditions: [{ key: 'a' }] }, advanced: { logs: { conditions: [] }, events: null } }
    expect(faults(policyCreate, { name: 'p', dataScope })).toEqual([])
  })

  test('a misspelt member or word gets the nearest known one', () => {
    expect(notes(logSearch, { strat: range.start, end: range.end, query: '*' })).toContain(
      'Is `strat` meant to be `start`?',
    )
    expect(notes(metricQuery, { QueryType: 'rnage' })).toEqual([
      'Did you mean `range`?',
      'Known here: `instant`, `range`.',
    ])
    expect(notes(logSearch, range)).toEqual(['The query `*` finds every record.'])
  })

  test('at most twenty faults of a large body are reported', () => {
    const body = JSON.stringify({ ...range, query: '*', sources: Array.from({ length: 15_000 }, () => 1) })
    expect(faults(logSearch, body)).toHaveLength(20)
  })

  test('lists of more than 20,000 items in total are refused', () => {
    const sources = Array.from({ length: 20_001 }, () => ({}))
    expect(faults(logSearch, { ...range, query: '*', sources })).toEqual(['wire/too-many-items $.sources'])
    expect(faults(logSearch, { ...range, query: '*', sources: sources.slice(1) })).toEqual([])
  })
})

describe('depth', () => {
  const nested = (levels: number): string => `${'{"from":'.repeat(levels - 1)}{"limit":1}${'}'.repeat(levels - 1)}`

  test('half of a surrogate pair is reported with its place, in texts, lists and names', () => {
    const filter = (value: unknown): object => ({
      filters: { conditions: [{ key: 'a', filters: [{ op: 'in', value }] }] },
    })
    expect(faults(pipeline, filter(['x', 'a\ud83d']))).toEqual([
      'wire/half-surrogate $.filters.conditions[0].filters[0].value[1]',
    ])
    expect(faults(pipeline, JSON.stringify(filter('\ude00')))).toEqual([
      'wire/half-surrogate $.filters.conditions[0].filters[0].value',
    ])
    expect(faults(monitor, { title: 'm', '\ud83d': 1 })).toHaveLength(1)
    expect(faults(pipeline, filter(['\ud83d\ude00', 'ä']))).toEqual([])
    // Members that are never read are ignored, whatever they contain.
    expect(faults(pipeline, { unknown: '\ud83d' })).toEqual([])
  })

  test(`${MAX_JSON_DEPTH} levels pass and one more does not`, () => {
    expect(faults(pipeline, nested(MAX_JSON_DEPTH))).toEqual([])
    expect(faults(pipeline, nested(MAX_JSON_DEPTH + 1))).toEqual(['wire/too-deep'])
    expect(faults(pipeline, JSON.parse(nested(MAX_JSON_DEPTH)))).toEqual([])
    expect(faults(pipeline, JSON.parse(nested(MAX_JSON_DEPTH + 1)))).toEqual(['wire/too-deep'])
  })

  test('half a million levels are refused before parsing', () => {
    expect(faults(pipeline, '['.repeat(500_000))).toEqual(['wire/too-deep'])
    expect(faults(pipeline, '{"a":'.repeat(500_000))).toEqual(['wire/too-deep'])
  })

  test('brackets inside text do not count', () => {
    expect(faults(logSearch, JSON.stringify({ ...range, query: `"${'[{'.repeat(200)}\\"` }))).toEqual([])
  })
})
