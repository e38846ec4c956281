import { always, nowhere } from '../../../src/base/index.ts'
import type { Bucket, Value, ValueTest } from '../../../src/data/index.ts'
import {
  and,
  call,
  column,
  literal,
  not,
  or,
  schemaOf,
  test,
  type AggregateCall,
  type Expr,
  type LogicalPlan,
  type Scan,
  type SortKey,
} from '../../../src/plan/index.ts'
import { logsTable } from '../../../src/store/index.ts'
import { fieldNames, levels, oddValues, randomText, startNs, words } from './random-data.ts'
import { functions, type Random } from './support.ts'

export function scanOf(change: Partial<Scan> = {}): Scan {
  return {
    kind: 'scan',
    table: 'logs',
    tableSchema: logsTable.schema,
    range: always,
    predicate: undefined,
    guard: undefined,
    columns: undefined,
    origin: nowhere,
    ...change,
  }
}

/** Values that a query can contain, so NaN is excluded. */
const wantedValues = oddValues.filter((value) => value === value && value !== 'nan')

function randomValue(random: Random): Value {
  const kind = random.below(5)
  if (kind === 0) return random.pick(wantedValues)
  if (kind === 1) return random.pick(levels)
  if (kind === 2) return random.pick(['200', '503', 'w1', 'W1', 'pod-3', 'u1', '/a', '1.5e2'])
  if (kind === 3) return random.below(600)
  return randomText(random)
}

function randomWord(random: Random): string {
  const text = random.chance(0.5) ? random.pick(words) : randomText(random)
  return random.chance(0.2) ? text.slice(random.below(3), 2 + random.below(text.length)) : text
}

export function randomTest(random: Random): ValueTest {
  const isFolded = random.chance(0.6)
  const isTyped = random.chance(0.8)
  const text = random.chance(0.7) ? randomWord(random) : random.pick(['', 'e', 'er', 'w', 'pod-1', '/', 'K', '20'])
  const phrases = random.some([...words, 'connection reset', '', 'by-peer'], random.below(4))
  switch (random.below(17)) {
    case 0:
      return { kind: 'empty' }
    case 1:
    case 2:
    case 3:
      return { kind: 'equals', value: randomValue(random), isFolded, isTyped }
    case 4:
      return {
        kind: 'in',
        values: Array.from({ length: random.below(5) }, () => randomValue(random)),
        isFolded,
        isTyped,
      }
    case 5:
    case 6:
      return { kind: 'phrase', text, isFolded }
    case 7:
      return { kind: 'phrase-prefix', text, isFolded }
    case 8:
      return { kind: 'starts-with', text, isFolded }
    case 9:
      return { kind: 'contains', text, isFolded }
    case 10:
      return { kind: 'glob', parts: random.some(['', 'e', 'pod', 'r', '5', text], 2 + random.below(2)), isFolded }
    case 11:
      return {
        kind: 'regexp',
        pattern: random.pick(['e.*r', '^w[0-3]$', 'reset by', '', '(?i)TIME', '[0-9]{3}', 'k$']),
        isFolded,
      }
    case 12: {
      const bounds = [
        -Infinity,
        0,
        100,
        200,
        250.5,
        503,
        Infinity,
        9007199254740993n,
        startNs,
        startNs + 300_000_000_000n,
      ]
      return {
        kind: 'range',
        min: random.pick(bounds),
        max: random.pick(bounds),
        isMinIncluded: random.chance(0.5),
        isMaxIncluded: random.chance(0.5),
      }
    }
    case 13:
      return { kind: 'compare-text', op: random.pick(['lt', 'le', 'gt', 'ge']), text }
    case 14:
      return random.chance(0.5)
        ? { kind: 'string-range', min: random.pick(['', 'a', 'p']), max: random.pick(['', 'pod-2', 'z', '😀']) }
        : { kind: 'time-range', range: { startNs, endNs: startNs + BigInt(random.below(400)) * 1_000_000_000n } }
    case 15:
      return { kind: 'sequence', phrases, isFolded }
    default:
      return { kind: random.pick(['contains-all', 'contains-any'] as const), phrases, isFolded }
  }
}

export function randomField(random: Random): string {
  return random.chance(0.4) ? random.pick(['content', 'level']) : random.pick(fieldNames)
}

function randomBucket(random: Random): Bucket {
  const minute = 60_000_000_000n
  switch (random.below(4)) {
    case 0:
      return { kind: 'number', step: random.pick([10, 0.5, 100]), offset: random.pick([0, 3]) }
    case 1:
      return { kind: 'calendar', unit: random.pick(['week', 'month', 'year']), offsetNs: 0n, zone: undefined }
    default:
      return {
        kind: 'time',
        widthNs: random.pick([minute, 7n * minute]),
        offsetNs: random.pick([0n, 5n, -90n]),
        zone: undefined,
      }
  }
}

/** Draws a value expression from columns, literals, buckets and all scalar functions. */
export function randomValueExpr(random: Random, depth = 2): Expr {
  const kind = depth === 0 ? 0 : random.below(8)
  if (kind < 3) return column(randomField(random))
  if (kind === 3) return literal(randomValue(random))
  if (kind === 4)
    return {
      kind: 'bucket',
      arg: column(random.chance(0.6) ? '_time' : randomField(random)),
      bucket: randomBucket(random),
      origin: nowhere,
    }
  if (kind === 5) return randomPredicate(random, depth - 1)
  const scalars = functions.scalar.all.filter((f) => f.signature.minArgs <= 3 && f.signature.params.length === 0)
  if (kind === 6 && scalars.length > 0) {
    const f = random.pick(scalars)
    const count = Math.max(1, f.signature.minArgs)
    return call(
      f.name,
      Array.from({ length: count }, () => randomValueExpr(random, depth - 1)),
    )
  }
  return {
    kind: 'case',
    branches: [{ when: randomPredicate(random, depth - 1), value: randomValueExpr(random, depth - 1) }],
    otherwise: randomValueExpr(random, 0),
    origin: nowhere,
  }
}

export function randomPredicate(random: Random, depth = 3): Expr {
  const kind = depth === 0 ? 0 : random.below(10)
  if (kind < 5) return test(column(randomField(random)), randomTest(random))
  if (kind === 5) return not(randomPredicate(random, depth - 1))
  if (kind === 6) return or(Array.from({ length: random.below(4) }, () => randomPredicate(random, depth - 1)))
  if (kind === 7) return and(Array.from({ length: random.below(4) }, () => randomPredicate(random, depth - 1)))
  if (kind === 8) {
    const parts = random.pick([
      ['', ''],
      ['http.', ''],
      ['', 'd'],
      ['u', 'r'],
    ])
    const except = random.pick([[], ['url', 'http.code'], ['undeclared', '_time']])
    return { kind: 'any-field', fields: { parts }, except, test: randomTest(random), origin: nowhere }
  }
  return test(randomValueExpr(random, 1), randomTest(random))
}

function randomKeys(random: Random, count: number): SortKey[] {
  return Array.from({ length: count }, () => ({
    expr: random.chance(0.8) ? column(randomField(random)) : randomValueExpr(random, 1),
    direction: random.pick(['asc', 'desc'] as const),
  }))
}

export function randomCall(random: Random): AggregateCall {
  const all = functions.stats.all.filter((f) => f.signature.params.every((p) => p.type === 'number'))
  const f = random.chance(0.4)
    ? functions.stats.get(random.pick(['count', 'count_uniq', 'min', 'max']))
    : random.pick(all)
  if (f === undefined) throw new Error('no such function')
  const most = Math.min(f.signature.maxArgs, f.signature.minArgs + 1)
  const count = f.signature.minArgs + random.below(most - f.signature.minArgs + 1)
  return {
    fn: f.name,
    args: Array.from({ length: count }, () => column(randomField(random))),
    params: f.signature.params.map(() => random.pick([0.5, 0.99, 0])),
    limit: random.chance(0.1) ? random.below(3) + 1 : undefined,
    orderBy: [],
    filter: random.chance(0.3) ? randomPredicate(random, 1) : undefined,
    origin: nowhere,
  }
}

/** Adds one random node on top of a plan. */
export function grow(random: Random, input: LogicalPlan): LogicalPlan {
  const origin = nowhere
  const isOpen = schemaOf(input).isOpen
  switch (random.below(12)) {
    case 0:
    case 1:
    case 2:
      return { kind: 'filter', input, predicate: randomPredicate(random), origin }
    case 3:
      return {
        kind: 'project',
        input,
        fields: random.some(fieldNames, 1 + random.below(4)).map((name) => ({ parts: [name] })),
        origin,
      }
    case 4:
      return {
        kind: 'drop',
        input,
        fields: random
          .some([['level'], ['user'], ['http.', ''], ['n']], 1 + random.below(2))
          .map((parts) => ({ parts })),
        origin,
      }
    case 5:
      return {
        kind: 'rename',
        input,
        steps: [{ from: { parts: [random.pick(fieldNames)] }, to: { parts: [random.pick([...fieldNames, 'new'])] } }],
        isCopy: random.chance(0.5),
        origin,
      }
    case 6:
      return {
        kind: 'extend',
        input,
        assignments: [
          { name: random.pick(['x', 'level', 'user', 'status']), expr: randomValueExpr(random), type: 'any' },
          { name: 'y', expr: random.chance(0.5) ? column('x') : randomValueExpr(random, 1), type: 'any' },
        ],
        origin,
      }
    case 7:
      return {
        kind: 'limit',
        input,
        offset: random.below(3),
        limit: random.chance(0.8) ? random.below(40) : undefined,
        origin,
      }
    case 8:
      return {
        kind: 'sort',
        input,
        keys: randomKeys(random, isOpen || random.chance(0.8) ? 1 + random.below(2) : 0),
        offset: random.below(2),
        limit: random.chance(0.5) ? random.below(30) : undefined,
        partitionBy: random.chance(0.2) ? [column(randomField(random))] : [],
        rankName: random.chance(0.2) ? 'rank' : undefined,
        origin,
      }
    case 9: {
      const names = [...new Set(random.some(fieldNames, random.below(3)))]
      return {
        kind: 'aggregate',
        input,
        keys: names.map((name, i) => ({
          name,
          expr: i === 0 && random.chance(0.3) ? randomValueExpr(random, 1) : column(name),
          type: 'any',
        })),
        aggregates: Array.from({ length: 1 + random.below(3) }, (_, i) => ({
          name: `s${i}`,
          type: 'any',
          call: randomCall(random),
        })),
        origin,
      }
    }
    case 10:
      return {
        kind: 'distinct',
        input,
        keys: [...new Set(random.some(fieldNames, 1 + random.below(2)))],
        hitsName: random.chance(0.5) ? 'hits' : undefined,
        limit: random.chance(0.3) ? random.below(5) : undefined,
        origin,
      }
    default:
      return growRarely(random, input)
  }
}

function growRarely(random: Random, input: LogicalPlan): LogicalPlan {
  const origin = nowhere
  switch (random.below(5)) {
    case 0:
      return {
        kind: 'limit-by',
        input,
        keys: [column(randomField(random))],
        offset: random.below(2),
        limit: 1 + random.below(3),
        origin,
      }
    case 1:
      return { kind: 'sample', input, mode: random.pick(['one-in', 'rows'] as const), n: 1 + random.below(6), origin }
    case 2: {
      const other = random.chance(0.5) ? input : randomPlan(random, 2)
      return { kind: 'union', inputsList: random.chance(0.5) ? [input, other] : [other, input], origin }
    }
    case 3: {
      const key = random.pick(['level', 'workload', 'pod', 'user'])
      return {
        kind: 'join',
        left: input,
        right: random.chance(0.6)
          ? {
              kind: 'distinct',
              input: randomPlan(random, 1),
              keys: [key, 'status'],
              hitsName: 'hits',
              limit: undefined,
              origin,
            }
          : randomPlan(random, 2),
        type: random.pick(['inner', 'left', 'right', 'full'] as const),
        on: [{ left: key, right: key }],
        prefix: random.chance(0.5) ? 'r' : undefined,
        prefixMode: random.pick(['collision', 'all'] as const),
        origin,
      }
    }
    default:
      return {
        kind: 'window',
        input,
        partitionBy: random.chance(0.7) ? [column(randomField(random))] : [],
        orderBy: randomKeys(random, random.below(2)),
        calls: [
          {
            name: 'win',
            type: 'any',
            call: { ...randomCall(random), limit: undefined },
            frame: random.pick(['partition', 'running'] as const),
          },
        ],
        origin,
      }
  }
}

export function randomPlan(random: Random, depth: number): LogicalPlan {
  const range = random.chance(0.7) ? always : { startNs: startNs + 20_000_000_000n, endNs: startNs + 400_000_000_000n }
  let plan: LogicalPlan = scanOf({
    range,
    predicate: random.chance(0.6) ? randomPredicate(random) : undefined,
    guard: random.chance(0.2) ? randomPredicate(random, 1) : undefined,
    columns: random.chance(0.2) ? [...new Set(random.some(fieldNames, 6))] : undefined,
  })
  const nodes = random.below(depth + 1)
  for (let i = 0; i < nodes; i++) plan = grow(random, plan)
  return plan
}
