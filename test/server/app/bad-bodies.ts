/** An endpoint, a body that it accepts, and the invalid values to try for each member. */
export interface Endpoint {
  readonly path: string
  readonly good: Readonly<Record<string, unknown>>
  readonly required: readonly string[]
  readonly times: readonly string[]
  readonly texts: readonly string[]
  readonly counts: readonly string[]
  readonly flags: readonly string[]
  readonly conditions: readonly string[]
  /** Members whose value is one of a fixed list of words. */
  readonly words: readonly string[]
  readonly pipeline: string | undefined
}

const range = { start: '2026-01-01T00:00:00Z', end: '2026-01-02T00:00:00Z' }

const search = {
  good: { ...range, query: '*' },
  times: ['start', 'end'],
  texts: ['query', 'filters'],
  counts: [],
  flags: ['enableStream'],
  conditions: ['sources'],
  words: [],
  pipeline: 'pipeline',
}

export const endpoints: readonly Endpoint[] = [
  { ...search, path: '/api/logs/v2/search', required: ['start', 'end', 'query'] },
  { ...search, path: '/api/k8s/v2/events/search', required: ['start', 'end'] },
  { ...search, path: '/api/traces/v2/search', required: ['start', 'end'] },
  {
    path: '/api/metrics/query',
    good: { Promql: 'up', QueryType: 'range', Start: range.start, End: range.end, Step: '60' },
    required: [],
    times: ['Start', 'End'],
    texts: ['Promql', 'Filters'],
    counts: [],
    flags: [],
    conditions: ['Conditions'],
    words: ['QueryType'],
    pipeline: undefined,
  },
  {
    path: '/api/k8s/v2/events-over-time',
    good: { Start: range.start, End: range.end },
    required: ['Start', 'End'],
    times: ['Start', 'End'],
    texts: ['Query'],
    counts: ['Limit', 'Skip'],
    flags: ['WithRawEvents'],
    conditions: ['Conditions', 'Sources'],
    words: ['SortBy', 'SortOrder'],
    pipeline: undefined,
  },
  {
    path: '/api/k8s/v3/clusters/list',
    good: { Sources: [] },
    required: [],
    times: [],
    texts: [],
    counts: [],
    flags: [],
    conditions: ['Sources'],
    words: [],
    pipeline: undefined,
  },
  {
    path: '/api/k8s/v3/workloads/list',
    good: {},
    required: [],
    times: [],
    texts: ['gcqlFilter'],
    counts: ['Limit', 'Skip'],
    flags: [],
    conditions: ['Conditions', 'Sources'],
    words: ['SortBy', 'Order'],
    pipeline: undefined,
  },
]

export interface BadRequest {
  readonly name: string
  readonly body: string | Uint8Array<ArrayBuffer>
}

/** A class of bad requests. The function returns those of the class that apply to an endpoint. */
export interface BadClass {
  readonly name: string
  readonly of: (endpoint: Endpoint) => readonly BadRequest[]
}

const bytes = (...values: readonly number[]): Uint8Array<ArrayBuffer> => Uint8Array.from(values)

/** Returns one request for each replacement of a member in the endpoint's valid body. */
function replaced(endpoint: Endpoint, members: readonly string[], values: readonly unknown[]): readonly BadRequest[] {
  return members.flatMap((member) =>
    values.map((value) => ({
      name: `${member}: ${JSON.stringify(value)}`.slice(0, 80),
      body: JSON.stringify({ ...endpoint.good, [member]: value }),
    })),
  )
}

/** Returns the endpoint's valid body with each of these pipelines in it. */
function inPipeline(endpoint: Endpoint, pipelines: readonly unknown[]): readonly BadRequest[] {
  const { pipeline } = endpoint
  return pipeline === undefined ? [] : replaced(endpoint, [pipeline], pipelines)
}

function texts(list: readonly string[]): readonly BadRequest[] {
  return list.map((body) => ({ name: body.slice(0, 40), body }))
}

function good(endpoint: Endpoint): string {
  return JSON.stringify(endpoint.good)
}

const nest = (open: string, close: string, inner: string, levels: number): string =>
  open.repeat(levels) + inner + close.repeat(levels)

export const badClasses: readonly BadClass[] = [
  { name: 'empty', of: () => texts(['', ' ', '\n\t\r ']) },
  { name: 'no object', of: () => texts(['null', 'true', '0', '""', '[]', '[{}]', '"{}"', '-1.5e3']) },
  {
    name: 'cut short',
    of: (e) => texts(['{', '{"', '{"a', '{"a"', '{"a":', '{"a":[', '{"a":tru', good(e).slice(0, -1)]),
  },
  {
    name: 'something after it',
    of: (e) => texts([`${good(e)}x`, `${good(e)}{}`, `${good(e)},`, `${good(e)}]`, `${good(e)}\0`]),
  },
  {
    name: 'commas',
    of: () => texts(['{,}', '{"a":1,}', '{"a":1,,"b":2}', '{"a":[1,]}', '{"a":[,1]}', '{"a":1 "b":2}']),
  },
  { name: 'names without double quotes', of: () => texts(['{a:1}', "{'a':1}", '{1:1}', '{null:1}', '{“a”:1}']) },
  {
    name: 'numbers JSON lacks',
    of: () =>
      texts([
        '{"a":01}',
        '{"a":+1}',
        '{"a":.5}',
        '{"a":1.}',
        '{"a":0x1}',
        '{"a":NaN}',
        '{"a":-Infinity}',
        '{"a":1e}',
        '{"a":--1}',
        '{"a":1_000}',
      ]),
  },
  {
    name: 'words JSON lacks',
    of: () => texts(['{"a":undefined}', '{"a":True}', '{"a":nil}', '{"a":nul}', '{"a":\'x\'}']),
  },
  { name: 'comments', of: () => texts(['// x\n{}', '/* x */{}', '{"a":1 /* x */}', '# x\n{}']) },
  {
    name: 'strings',
    of: () =>
      texts([
        '{"a":"\n"}',
        '{"a":"\t"}',
        '{"a":"\u0000"}',
        '{"a":"\\x41"}',
        '{"a":"\\u12"}',
        '{"a":"\\uD8"}',
        '{"a":"\\"}',
      ]),
  },
  {
    name: 'bytes that are no UTF-8',
    of: () =>
      [
        bytes(0xff),
        bytes(0x7b, 0xff, 0x7d),
        bytes(0x22, 0xc3, 0x22),
        bytes(0x22, 0xed, 0xa0, 0x80, 0x22),
        bytes(0x22, 0xf5, 0x80, 0x80, 0x80, 0x22),
        bytes(0x7b, 0xef, 0xbb),
      ].map((body, index) => ({ name: `bytes ${index}`, body })),
  },
  {
    name: 'other encodings of text',
    of: (e) => [
      { name: 'UTF-16 LE', body: Uint8Array.from(Buffer.from(good(e), 'utf16le')) },
      { name: 'UTF-16 with mark', body: Uint8Array.from(Buffer.from(`\ufeff${good(e)}`, 'utf16le')) },
      { name: 'latin 1', body: Uint8Array.from(Buffer.from('{"a":"é"}', 'latin1')) },
    ],
  },
  {
    name: 'too deep',
    of: (e) => [
      ...[129, 1000, 100_000].map((levels) => ({
        name: `${levels} lists`,
        body: `{"a":${nest('[', ']', '', levels)}}`,
      })),
      { name: 'objects', body: nest('{"a":', '}', '1', 50_000) },
      { name: 'never closed', body: '['.repeat(500_000) },
      { name: 'groups', body: `{"pipeline":{"filters":${nest('{"groups":[', ']}', '{}', 90)}}}` },
      ...(e.pipeline === undefined
        ? []
        : [{ name: 'pipelines', body: `{"pipeline":${nest('{"from":', '}', '{}', 200)}}` }]),
    ],
  },
  {
    name: 'missing members',
    of: (e) =>
      e.required.flatMap((member) => {
        const { [member]: _left, ...rest } = e.good
        return [{ name: member, body: JSON.stringify(rest) }, ...replaced(e, [member], [null])]
      }),
  },
  {
    name: 'wrong type for a time',
    of: (e) => replaced(e, e.times, [0, 1767225600, true, [], {}, ['2026-01-01T00:00:00Z'], { time: 'x' }]),
  },
  {
    name: 'impossible times',
    of: (e) =>
      replaced(e, e.times, [
        'yesterday',
        'now-',
        'now-1',
        '-1h-1h',
        '--1h',
        '1h',
        'now 1h',
        'now-1month',
        '1',
        '2026-13-01T00:00:00Z',
        '2026-02-30T00:00:00Z',
        '2025-02-29T00:00:00Z',
        '2026-01-01T24:00:00Z',
        '2026-01-01T00:60:00Z',
        '2026-01-01T00:00:61Z',
        '2026-01-01T00:00:00.Z',
        '2026-01-01T00:00:00+25:00',
        '2026-01-01T00:00:00 UTC',
        '01/02/2026',
        '2026-1-1T00:00:00Z',
        '20260101T000000Z',
        '2026-W01-1',
        '２０２６-01-01T00:00:00Z',
        '-2026-01-01T00:00:00Z',
        '2026-01-01T00:00:00Z; drop table logs',
      ]),
  },
  {
    name: 'reversed range',
    of: ({ good, times: [start, end] }) =>
      start === undefined || end === undefined
        ? []
        : [
            {
              name: 'end before start',
              body: JSON.stringify({ ...good, [start]: range.end, [end]: range.start }),
            },
          ],
  },
  {
    name: 'wrong type for text',
    of: (e) => replaced(e, e.texts, [0, 1.5, true, false, [], ['a'], {}, { query: 'a' }]),
  },
  {
    name: 'half of a surrogate pair',
    of: (e) => [
      ...replaced(e, e.texts, ['a\ud83d', '\ude00 b']),
      ...replaced(e, e.conditions, [[{ key: 'a\ud83d', filters: [{ op: 'eq', value: 'x' }] }]]),
      ...replaced(e, e.conditions, [[{ key: 'a', filters: [{ op: 'match', value: '\ud83d*' }] }]]),
      ...inPipeline(e, [{ filters: { conditions: [{ key: 'a', filters: [{ op: 'in', value: ['x', '\udc00'] }] }] } }]),
    ],
  },
  {
    name: 'wrong type for a count',
    of: (e) => replaced(e, e.counts, [true, [], {}, 'ten', '1.5', 1.5, '0x10', '1 ', [1]]),
  },
  {
    name: 'counts out of range',
    of: (e) => [
      ...replaced(e, e.counts, [-1, '-1', -1e300]),
      ...e.counts.flatMap((member) =>
        ['9223372036854775808', '1e400', '-9223372036854775809'].map((digits) => ({
          name: `${member} ${digits}`,
          body: `{${[...Object.entries(e.good).map(([k, v]) => `${JSON.stringify(k)}:${JSON.stringify(v)}`), `"${member}":${digits}`].join(',')}}`,
        })),
      ),
    ],
  },
  { name: 'wrong type for a flag', of: (e) => replaced(e, e.flags, [0, 1, 'true', 'yes', [], {}]) },
  { name: 'wrong type for conditions', of: (e) => replaced(e, e.conditions, [0, 'a', true, {}, { key: 'a' }]) },
  { name: 'wrong things among conditions', of: (e) => replaced(e, e.conditions, [[null], [1], ['a'], [[]], [{}, 5]]) },
  {
    name: 'broken conditions',
    of: (e) =>
      replaced(e, e.conditions, [
        [{ key: 1 }],
        [{ key: ['a'] }],
        [{ key: 'a', filters: 'x' }],
        [{ key: 'a', filters: { op: 'eq' } }],
        [{ key: 'a', filters: [1] }],
        [{ key: 'a', filters: [{ op: 1, value: 1 }] }],
        [{ key: 'a', filters: [{ op: ['eq'], value: 1 }] }],
        [{ key: 'a', filterKeys: 'x' }],
        [{ key: 'a', filterKeys: [1] }],
        [{ key: 'a', isNullable: 'no' }],
      ]),
  },
  {
    name: 'unknown words',
    of: (e) =>
      replaced(e, e.words, [
        'sideways',
        'rnage',
        '*',
        'asc desc',
        '__proto__',
        'constructor',
        'toString',
        'x'.repeat(5000),
      ]),
  },
  { name: 'wrong type for a word', of: (e) => replaced(e, e.words, [0, true, ['asc'], { a: 1 }]) },
  {
    name: 'the same member twice',
    of: (e) =>
      Object.entries(e.good).map(([member, value]) => ({
        name: member,
        body: `${good(e).slice(0, -1)},${JSON.stringify(member === member.toUpperCase() ? member.toLowerCase() : member.toUpperCase())}:${JSON.stringify(value)}}`,
      })),
  },
  { name: 'wrong type for a pipeline', of: (e) => inPipeline(e, [0, 'a', true, [], [{}]]) },
  {
    name: 'broken pipelines',
    of: (e) =>
      inPipeline(e, [
        { selectors: {} },
        { selectors: [1] },
        { selectors: [{ key: 5 }] },
        { selectors: [{ processors: { op: 'count' } }] },
        { selectors: [{ processors: [{ op: 1 }] }] },
        { selectors: [{ processors: [{ op: 'min', args: 'x' }] }] },
        { selectors: [{ windowSpec: [] }] },
        { selectors: [{ windowSpec: { partitionBy: 'a' } }] },
        { selectors: [{ conditionFilter: [] }] },
        { groupBy: 'a' },
        { groupBy: ['a'] },
        { orderBy: ['a'] },
        { orderBy: [{ direction: 'up' }] },
        { orderBy: [{ direction: 1 }] },
        { orderBy: [{ selector: 'a' }] },
        { limit: -1 },
        { limit: 'ten' },
        { limit: 1.5 },
        { offset: [] },
        { sample: -1 },
        { limitBy: 5 },
        { limitBy: { limit: 'x' } },
        { join: [] },
        { join: { leftPipeline: 1 } },
        { join: { onConditions: {} } },
        { join: { onConditions: [{ leftColumn: 'a' }] } },
        { join: { type: 1 } },
        { union: 'x' },
        { union: { leftPipeline: [] } },
        { from: 'logs' },
        { from: { from: { limit: -1 } } },
        { transforms: [{ type: 1 }] },
        { transforms: { type: 'json_unpack' } },
        { mathExpression: {} },
        { mathExpression: [{ args: 'x' }] },
        { mathExpression: [{ args: [{ args: [1] }] }] },
        { mathExpression: [{ scalar: true }] },
        { mathExpression: [{ left_expression: 5 }] },
        { mathExpression: [{ keepExisting: 'yes' }] },
        { domain: 5 },
        { timeOffset: 5 },
      ]),
  },
  {
    name: 'broken filter groups',
    of: (e) =>
      inPipeline(
        e,
        [
          { operator: 'xor' },
          { operator: 1 },
          { operator: ['and'] },
          { conditions: {} },
          { conditions: ['a'] },
          { groups: {} },
          { groups: [1] },
          { groups: [{ groups: [{ operator: 'nand' }] }] },
          { disabled: 'yes' },
          [],
        ].flatMap((group) => [{ filters: group }, { having: group }]),
      ),
  },
  {
    name: 'prototype keys with wrong things in them',
    of: (e) => replaced(e, e.conditions, [[{ key: 'a', filters: [{ op: { __proto__: null, constructor: 1 } }] }]]),
  },
  {
    name: 'too many items',
    of: (e) => replaced(e, e.conditions.slice(0, 1), [Array.from({ length: 20_001 }, () => ({}))]),
  },
  {
    name: 'many faults',
    of: (e) => replaced(e, e.conditions.slice(0, 1), [Array.from({ length: 19_000 }, () => 1)]),
  },
]
