import { always, nowhere, present, type Interval } from '../../../src/base/index.ts'
import {
  Instant,
  JsonText,
  rowOf,
  type MutableRow,
  type StoredRow,
  type Value,
  type ValueTest,
} from '../../../src/data/index.ts'
import {
  and,
  column,
  fieldPattern,
  literal,
  not,
  or,
  test,
  type AggregateCall,
  type Expr,
  type LogicalPlan,
  type NamedAggregate,
  type SortKey,
} from '../../../src/plan/index.ts'
import { logsTable } from '../../../src/store/index.ts'

/** Pseudo-random draws from one seed. */
export class Draw {
  #state: number

  constructor(seed: number) {
    this.#state = (seed * 2654435761) >>> 0
  }

  below(n: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) % n
  }

  chance(oneIn: number): boolean {
    return this.below(oneIn) === 0
  }

  pick<T>(items: readonly T[]): T {
    return present(items[this.below(items.length)])
  }

  some<T>(items: readonly T[], atMost: number): T[] {
    return Array.from({ length: this.below(atMost + 1) }, () => this.pick(items))
  }
}

const startNs = 1_767_225_600_000_000_000n
const texts = [
  'connection refused',
  'Connection reset by peer',
  'GET /pay 200',
  'timeout after 5s',
  'TIMEOUT: retry_4 of 5',
  '',
  'naïve café Übung',
  'Kelvin K sign',
  'err errors ERR',
  'x',
  '日本 語 テキスト',
  'a b  c',
  'reset',
  'lone \ud800 here',
  'user1234 user12345 id=deadbeef',
  'path /api/v1/users?id=7',
  'deadbe',
  'İstanbul ıı',
  'peer by reset connection',
]
const words = [
  'connection',
  'reset',
  'timeout',
  'err',
  'x',
  'café',
  'user1234',
  'K',
  '日本',
  'b',
  'retry_4',
  '5',
  'deadbe',
  'peer',
  'by',
  'absent',
  'über',
  'i',
  'ıı',
  'Kelvin',
]
const values: readonly Value[] = [
  'x',
  'y',
  '1',
  '1.0',
  1,
  2,
  -3.5,
  0,
  true,
  false,
  'X',
  '',
  '10.0.0.1',
  '5s',
  '2026-01-01T00:00:00Z',
  2n ** 60n,
  -(2n ** 63n),
  new JsonText('[1,2]'),
  new Instant(startNs),
  1e300,
  0.1,
  NaN,
  Infinity,
  'error',
  'Error',
  '1KiB',
  'é',
]
export const fields = [
  'content',
  'level',
  'pod',
  'status',
  'duration_ms',
  'a',
  'kube.node',
  '_time',
  'rare',
  'trace_id',
]

/** Draws rows with many ties, missing values, unusual strings and fields of several types. */
export function randomRows(draw: Draw, count: number): StoredRow[] {
  const spreadNs = draw.pick([1n, 1_000n, 60_000_000_000n, 90_000_000_000_000n, 10n ** 16n])
  return Array.from({ length: count }, (_, sequence) => {
    const timeNs = startNs + BigInt(draw.below(50)) * spreadNs + BigInt(draw.below(3))
    const row: MutableRow = rowOf([['_time', new Instant(timeNs)]])
    if (!draw.chance(8)) row.set('content', draw.chance(9) ? draw.pick(values) : draw.pick(texts))
    if (!draw.chance(5)) row.set('level', draw.pick(['error', 'warn', 'Error', 'info', '']))
    if (!draw.chance(4)) row.set('pod', `p${draw.below(6)}`)
    if (!draw.chance(4)) row.set('status', draw.pick([200, 404, 500, 503]))
    if (!draw.chance(4)) row.set('duration_ms', draw.chance(3) ? draw.below(1_000_000) / 1000 : draw.below(40))
    if (!draw.chance(3)) row.set('a', draw.pick(values))
    if (draw.chance(3)) row.set('kube.node', draw.pick(['n1', 'n2', 'n3']))
    if (draw.chance(40)) row.set('rare', draw.pick(values))
    if (!draw.chance(3)) row.set('trace_id', `t${draw.below(30)}`)
    for (const [name, value] of row) if (value === null) row.delete(name)
    return { timeNs, sequence, row }
  })
}

export function randomTest(draw: Draw): ValueTest {
  const isFolded = !draw.chance(3)
  const text = draw.chance(2) ? draw.pick(words) : draw.pick(texts)
  const cut = text.slice(draw.below(text.length + 1))
  const inside = draw.chance(2) ? cut : cut.slice(0, 1 + draw.below(8))
  const kinds: (() => ValueTest)[] = [
    () => ({ kind: 'empty' }),
    () => ({ kind: 'equals', value: draw.pick(values), isFolded, isTyped: !draw.chance(3) }),
    () => ({ kind: 'equals', value: draw.pick(['error', 'p1', 't3', 200, 'n1']), isFolded, isTyped: true }),
    () => ({ kind: 'in', values: draw.some(values, 4), isFolded, isTyped: !draw.chance(3) }),
    () => ({ kind: 'phrase', text, isFolded }),
    () => ({ kind: 'phrase', text: draw.pick(words), isFolded: true }),
    () => ({ kind: 'phrase-prefix', text: inside, isFolded }),
    () => ({ kind: 'starts-with', text: text.slice(0, draw.below(6)), isFolded }),
    () => ({ kind: 'contains', text: inside, isFolded }),
    () => ({
      kind: 'glob',
      parts: [draw.pick(['', 'c', 'C', text.slice(0, 2)]), inside, draw.pick(['', 'r', 'd'])],
      isFolded,
    }),
    () => ({ kind: 'glob', parts: ['', inside], isFolded }),
    () => ({
      kind: 'regexp',
      pattern: draw.pick([
        're[fs]',
        '^c',
        'r$',
        '[0-9]+s?',
        '(?i)timeout',
        'é|ü',
        'e.*r',
        '[a-f]{6}',
        '\\bby\\b',
        '',
        'K',
        'x?',
        'user\\d{4}\\b',
      ]),
      isFolded,
    }),
    () => {
      const min = draw.pick([-Infinity, 0, 1, 1.5, 20, 200, 2n ** 60n])
      const max = draw.pick([Infinity, 5, 30, 404, 1e9])
      return { kind: 'range', min, max, isMinIncluded: draw.chance(2), isMaxIncluded: draw.chance(2) }
    },
    () => ({
      kind: 'compare-text',
      op: draw.pick(['lt', 'le', 'gt', 'ge']),
      text: draw.pick(['', 'e', 'error', 'é', '~']),
    }),
    () => ({ kind: 'string-range', min: draw.pick(['', 'a', 'e']), max: draw.pick(['f', 'z', 'é']) }),
    () => ({ kind: 'time-range', range: { startNs: startNs + 5n, endNs: startNs + 10n ** 13n } }),
    () => ({ kind: 'sequence', phrases: draw.some(words, 3), isFolded }),
    () => ({ kind: 'contains-all', phrases: draw.some(words, 3), isFolded }),
    () => ({ kind: 'contains-any', phrases: draw.some(words, 3), isFolded }),
  ]
  return draw.pick(kinds)()
}

export function randomPredicate(draw: Draw, depth = 2): Expr {
  const arms: (() => Expr)[] = [
    () => test(column(draw.pick(fields)), randomTest(draw)),
    () => test(column('content'), randomTest(draw)),
    () => test(column(draw.pick(fields)), randomTest(draw)),
    () => ({
      kind: 'any-field',
      fields: draw.pick([fieldPattern('', ''), fieldPattern('kube.', '')]),
      except: draw.pick([[], ['content', 'kube.node']]),
      test: randomTest(draw),
      origin: nowhere,
    }),
    () => literal(draw.chance(2)),
    () => ({
      kind: 'case',
      branches: [{ when: test(column('level'), randomTest(draw)), value: literal(draw.chance(2)) }],
      otherwise: test(column('a'), randomTest(draw)),
      origin: nowhere,
    }),
  ]
  if (depth > 0) {
    const part = (): Expr => randomPredicate(draw, depth - 1)
    const parts = (): Expr[] => Array.from({ length: draw.below(4) }, part)
    arms.push(
      () => and(parts()),
      () => or(parts()),
      () => not(part()),
      () => and([part(), part()]),
    )
  }
  return draw.pick(arms)()
}

function randomExpr(draw: Draw): Expr {
  return draw.pick<() => Expr>([
    () => column(draw.pick(fields)),
    () => column(draw.pick(fields)),
    () => literal(draw.pick(values)),
    () => ({
      kind: 'bucket',
      arg: column(draw.pick(['_time', '_time', 'duration_ms', 'a'])),
      bucket: draw.pick([
        { kind: 'time', widthNs: 60_000_000_000n, offsetNs: 0n, zone: undefined },
        { kind: 'time', widthNs: 7_000_000_007n, offsetNs: 3n, zone: undefined },
        { kind: 'time', widthNs: 2n, offsetNs: 0n, zone: undefined },
        { kind: 'number', step: 10, offset: 0 },
      ]),
      origin: nowhere,
    }),
    () => test(column(draw.pick(fields)), randomTest(draw)),
  ])()
}

function randomCall(draw: Draw): AggregateCall {
  const fn = draw.pick([
    'count',
    'count',
    'sum',
    'avg',
    'min',
    'max',
    'quantile',
    'median',
    'count_uniq',
    'count_empty',
    'uniq_values',
    'values',
    'any',
  ])
  const needsArgs = fn !== 'count'
  const args: Expr[] = needsArgs || draw.chance(2) ? [column(draw.pick(fields))] : []
  if (draw.chance(6) && fn !== 'any') args.push(column(draw.pick(fields)))
  if (fn !== 'any' && draw.chance(10))
    args[0] = { kind: 'columns', fields: draw.pick([fieldPattern('', ''), fieldPattern('k', '')]), origin: nowhere }
  return {
    fn,
    args,
    params: fn === 'quantile' ? [draw.pick([0, 0.25, 0.5, 0.9, 1])] : [],
    limit: fn === 'count_uniq' && draw.chance(4) ? 2 : undefined,
    orderBy: [],
    filter: draw.chance(4) ? randomPredicate(draw, 1) : undefined,
    origin: nowhere,
  }
}

function randomAggregates(draw: Draw): NamedAggregate[] {
  return Array.from({ length: 1 + draw.below(3) }, (_, i) => ({ name: `r${i}`, type: 'any', call: randomCall(draw) }))
}

function randomKeys(draw: Draw, atMost: number): SortKey[] {
  return Array.from({ length: draw.below(atMost + 1) }, () => ({
    expr: randomExpr(draw),
    direction: draw.pick(['asc', 'desc']),
  }))
}

function randomRange(draw: Draw): Interval {
  if (!draw.chance(3)) return always
  const from = startNs + BigInt(draw.below(40)) * 60_000_000_000n
  return { startNs: from, endNs: from + BigInt(draw.below(30)) * 60_000_000_000n + 1n }
}

function randomScan(draw: Draw, columns?: readonly string[]): LogicalPlan {
  return {
    kind: 'scan',
    table: 'logs',
    tableSchema: logsTable.schema,
    range: randomRange(draw),
    predicate: draw.chance(3) ? undefined : randomPredicate(draw),
    guard: draw.chance(4) ? randomPredicate(draw, 1) : undefined,
    columns,
    origin: nowhere,
  }
}

/** Draws a plan of up to `depth` nodes above its scans. */
export function randomPlan(draw: Draw, depth: number): LogicalPlan {
  if (depth === 0) return randomScan(draw)
  const origin = nowhere
  const input = randomPlan(draw, depth - 1)
  const arms: (() => LogicalPlan)[] = [
    () => ({ kind: 'filter', input, predicate: randomPredicate(draw), origin }),
    () => ({ kind: 'limit', input, offset: draw.below(4), limit: draw.chance(4) ? undefined : draw.below(30), origin }),
    () => ({
      kind: 'project',
      input,
      fields: [fieldPattern(draw.pick(fields)), fieldPattern('k', ''), fieldPattern(draw.pick(fields))],
      origin,
    }),
    () => ({ kind: 'drop', input, fields: [fieldPattern(draw.pick(fields)), fieldPattern('kube', '')], origin }),
    () => ({
      kind: 'rename',
      input,
      steps: [{ from: fieldPattern(draw.pick(fields)), to: fieldPattern(draw.pick(['z', 'a', 'level'])) }],
      isCopy: draw.chance(2),
      origin,
    }),
    () => ({
      kind: 'rename',
      input,
      steps: [{ from: fieldPattern('k', ''), to: fieldPattern(draw.pick(['q', 'a']), '') }],
      isCopy: draw.chance(2),
      origin,
    }),
    () => ({
      kind: 'extend',
      input,
      assignments: [
        { name: draw.pick(['z', 'a', 'level']), expr: randomExpr(draw), type: 'any' },
        { name: 'w', expr: randomExpr(draw), type: 'any' },
      ],
      origin,
    }),
    () => ({
      kind: 'aggregate',
      input,
      keys: Array.from({ length: draw.below(4) }, (_, i) => ({
        name: `k${i}`,
        expr: randomExpr(draw),
        type: 'any' as const,
      })),
      aggregates: randomAggregates(draw),
      origin,
    }),
    () => ({
      kind: 'aggregate',
      input,
      keys: draw
        .some(['level', 'pod', 'status', 'a', 'trace_id'], 3)
        .map((name, i) => ({ name: `k${i}`, expr: column(name), type: 'any' as const })),
      aggregates: randomAggregates(draw),
      origin,
    }),
    () => ({
      kind: 'sort',
      input,
      keys: randomKeys(draw, 3),
      offset: draw.below(3),
      limit: draw.chance(2) ? undefined : draw.below(20),
      partitionBy: draw.chance(3) ? [column(draw.pick(fields))] : [],
      rankName: draw.chance(4) ? 'rank' : undefined,
      origin,
    }),
    () => ({
      kind: 'sort',
      input,
      keys: [
        { expr: column(draw.pick(['duration_ms', 'status', '_time', 'a'])), direction: draw.pick(['asc', 'desc']) },
      ],
      offset: 0,
      limit: 1 + draw.below(20),
      partitionBy: [],
      rankName: undefined,
      origin,
    }),
    () => ({
      kind: 'limit-by',
      input,
      keys: [column(draw.pick(fields))],
      offset: draw.below(2),
      limit: 1 + draw.below(3),
      origin,
    }),
    () => ({
      kind: 'distinct',
      input,
      keys: ['level', draw.pick(fields)].slice(draw.below(2)),
      hitsName: draw.chance(2) ? 'hits' : undefined,
      limit: draw.chance(3) ? 3 : undefined,
      origin,
    }),
    () => ({ kind: 'sample', input, mode: draw.pick(['one-in', 'rows']), n: 1 + draw.below(5), origin }),
    () => ({ kind: 'union', inputsList: [input, randomPlan(draw, draw.below(2))], origin }),
    () => ({
      kind: 'join',
      left: { kind: 'limit', input, offset: 0, limit: 40, origin },
      right: { kind: 'limit', input: randomPlan(draw, draw.below(2)), offset: 0, limit: 20, origin },
      type: draw.pick(['inner', 'left', 'right', 'full', 'cross']),
      on: [{ left: draw.pick(['level', 'pod', 'a']), right: draw.pick(['level', 'pod', 'a']) }],
      prefix: draw.chance(2) ? 'r' : undefined,
      prefixMode: draw.pick(['collision', 'all']),
      origin,
    }),
    () => ({
      kind: 'window',
      input,
      partitionBy: draw.chance(2) ? [column(draw.pick(fields))] : [],
      orderBy: randomKeys(draw, 2),
      calls: [{ name: 'w', type: 'any', call: randomCall(draw), frame: draw.pick(['partition', 'running']) }],
      origin,
    }),
  ]
  return draw.pick(arms)()
}
