import type { Attack, Caller } from '../attack.ts'

const range = { start: '2026-03-17T00:00:00Z', end: '2026-03-18T00:00:00Z' }
const condition = (value: unknown, op = 'contains', key = 'content') => ({
  key,
  origin: 'root',
  type: 'string',
  filters: [{ op, value }],
})
const times = <T>(count: number, make: (index: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, index) => make(index))
const column = { key: 'env', origin: 'root', type: 'string' }
const on = { leftColumn: column, rightColumn: column }
const all = { filters: { operator: 'and', conditions: [condition('a')] } }

/** Returns an attack that sends one structured search. */
const pipeline = (name: string, make: () => unknown): Attack => ({
  name: `pipeline: ${name}`,
  isOne: true,
  run: (caller) => caller.sendJson('/api/logs/v2/search', { ...range, pipeline: make() }),
})

/** Nests a string `count` times. Building strings avoids the recursion limit of a JSON printer. */
const wrapped = (count: number, before: string, inner: string, after: string): string =>
  before.repeat(count) + inner + after.repeat(count)

const raw = (name: string, path: string, body: () => string): Attack => ({
  name,
  isOne: true,
  run: (caller) => caller.sendJson(path, body()),
})

/** Returns an attack that keeps `at` requests of one kind in flight until its time is over. */
const storm = (name: string, at: number, send: (caller: Caller, index: number) => Promise<void>): Attack => ({
  name,
  run: async (caller) => {
    let index = 0
    const one = async (): Promise<void> => {
      while (!caller.signal.aborted) await send(caller, index++)
    }
    await Promise.all(times(at, one))
  },
})

const searchOf = (member: string, text: string): string =>
  `{"start":"${range.start}","end":"${range.end}","${member}":${text}}`

/** Attacks by structured bodies with deep, wide or large trees, and by the endpoints that list fields and values. */
export const structuredAttacks: readonly Attack[] = [
  raw('pipeline: groups 100,000 deep', '/api/logs/v2/search', () =>
    searchOf('pipeline', `{"filters":${wrapped(100_000, '{"groups":[', '{}', ']}')}}`),
  ),
  raw('pipeline: groups 120 deep', '/api/logs/v2/search', () =>
    searchOf(
      'pipeline',
      `{"filters":${wrapped(50, '{"operator":"or","groups":[', JSON.stringify(all.filters), ']}')}}`,
    ),
  ),
  raw('pipeline: from in from', '/api/logs/v2/search', () =>
    searchOf('pipeline', wrapped(10_000, '{"from":', '{}', '}')),
  ),
  pipeline('9,000 conditions', () => ({
    filters: { operator: 'or', conditions: times(9000, (i) => condition(`word${i}`)) },
  })),
  pipeline('4,000 regexps', () => ({
    filters: {
      operator: 'or',
      conditions: times(4000, (i) => condition(`(a|b)*${i}.*x`, 'regex')),
    },
  })),
  pipeline('a list of 60,000 values', () => ({
    filters: {
      operator: 'and',
      conditions: [
        condition(
          times(60_000, (i) => `v${i}`),
          'in',
        ),
      ],
    },
  })),
  pipeline('joins in joins', () =>
    times(6, (i) => i).reduce<object>(
      (inner) => ({ join: { type: 'inner', leftPipeline: inner, rightPipeline: inner, onConditions: [on] } }),
      all,
    ),
  ),
  pipeline('unions in unions', () =>
    times(10, (i) => i).reduce<object>((inner) => ({ union: { leftPipeline: inner, rightPipeline: inner } }), all),
  ),
  pipeline('5,000 sort keys', () => ({
    orderBy: times(5000, (i) => ({ direction: 'asc', selector: { key: `f${i}`, origin: 'root', type: 'string' } })),
  })),
  raw('body: a million empty objects', '/api/logs/v2/search', () =>
    searchOf('sources', `[${'{},'.repeat(300_000)}{}]`),
  ),
  raw('body: 100,000 parameters', '/api/logs/v2/search', () =>
    searchOf('parameters', `{${times(60_000, (i) => `"p${i}":${i}`).join(',')}}`),
  ),
  raw(
    'metrics: pipelines in pipelines',
    '/api/metrics/query',
    () => `{"Pipeline":${wrapped(20_000, '{"function":{"args":[', '{}', ']}}')}}`,
  ),
  raw('metrics: 20,000 conditions', '/api/metrics/query', () =>
    JSON.stringify({
      Promql: 'm',
      Start: '2026-03-17T10:00:00Z',
      End: '2026-03-17T11:00:00Z',
      Conditions: times(9000, (i) => condition(`(a|b)*${i}.*`, 'regex', 'pod')),
    }),
  ),
  raw('metrics: filters of 4,000 words', '/api/metrics/query', () =>
    JSON.stringify({ Promql: 'm', Filters: times(4000, (i) => `pod:~"a*${i}"`).join(' or ') }),
  ),
  storm('series of any name', 8, (caller) =>
    caller.send('/api/v1/series?match[]={__name__=~".%2B"}', { method: 'GET' }),
  ),
  storm('series by hostile matchers', 8, (caller, i) =>
    caller.send(`/api/v1/series?${times(200, (j) => `match[]={pod=~"(a|b)*${i}${j}.*(x|y)*z"}`).join('&')}`, {
      method: 'GET',
    }),
  ),
  storm('trees of large expressions', 8, (caller) =>
    caller.send('/api/v1/parse_query', {
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ query: `${'(m + '.repeat(100)}m${')'.repeat(100)}` }).toString(),
    }),
  ),
  storm('format_query of large expressions', 8, (caller) =>
    caller.send('/api/v1/format_query', {
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ query: `${'m + '.repeat(5000)}m` }).toString(),
    }),
  ),
  ...['names', 'values', 'facets'].map((what) =>
    storm(`fields: ${what} of everything`, 16, (caller) =>
      caller.sendJson(`/api/fields/${what}`, { ...range, query: '*', field: 'content', limit: 1000 }),
    ),
  ),
  storm('hits by 10 s and text', 16, (caller) =>
    caller.sendJson('/api/hits', { ...range, query: '*', step: '10s', fields: ['content'] }),
  ),
  storm('events over time', 16, (caller) =>
    caller.sendJson('/api/k8s/v2/events-over-time', { ...range, limit: 100_000, conditions: [] }),
  ),
]
