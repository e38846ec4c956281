// @module-tag slow
import { describe, expect, test } from 'vitest'
import { always, nowhere } from '../../../src/base/index.ts'
import { columnarBackend } from '../../../src/backends/columnar/index.ts'
import { rowsBackend } from '../../../src/backends/rows/index.ts'
import { Instant, JsonText, type StoredRow, type Value } from '../../../src/data/index.ts'
import { standardFunctions } from '../../../src/functions/index.ts'
import {
  column,
  fieldPattern,
  not,
  printPlan,
  test as testExpr,
  type AggregateCall,
  type Expr,
  type Join,
  type LogicalPlan,
} from '../../../src/plan/index.ts'
import { createMemoryStore, logsTable, spansTable, standardCatalog } from '../../../src/store/index.ts'
import { answer } from './answer.ts'
import { Draw } from './random-plans.ts'

type Side = 'logs' | 'spans'

/**
 * Strings that nearly match: they differ in case, spelling or number format, contain non-ASCII characters, or are
 * truncated.
 */
const alike: readonly Value[] = [
  'a',
  'A',
  'k',
  '\u212a',
  'ß',
  'ẞ',
  '5',
  '05',
  'true',
  '\ud83d',
  '\ud83d\ude00',
  '[1]',
  '',
]
const others: readonly Value[] = [5, 0.5, true, 2n ** 60n, new JsonText('[1]')]

function keyOf(draw: Draw, spread: number, isText: boolean): Value | undefined {
  if (draw.chance(12)) return undefined
  if (draw.chance(6)) return draw.pick(alike)
  if (!isText && draw.chance(6)) return draw.pick(others)
  return `key ${draw.below(spread)}`
}

function makeRows(draw: Draw, side: Side, count: number, spread: number, from = 0): readonly StoredRow[] {
  return Array.from({ length: count }, (_, i) => {
    const timeNs = BigInt(1_000 + (((from + i) * 7919) % 5000))
    const row = new Map<string, Value>([['_time', new Instant(timeNs)]])
    const set = (name: string, value: Value | undefined): void => void (value !== undefined && row.set(name, value))
    set('trace_id', keyOf(draw, spread, true))
    set('peer', keyOf(draw, 5, side === 'logs'))
    set('both', draw.below(9) / 4)
    if (!draw.chance(5)) set(`${side}_size`, draw.pick([1, 0.1, 2 ** 52 + 1, 1e300, NaN, -7.25, draw.below(1000)]))
    if (!draw.chance(5)) set(`${side}_name`, draw.pick(['', 'x', 'y', `z${draw.below(50)}`, 12]))
    return { timeNs, sequence: from + i, row }
  })
}

/** The two tables of a join in several segments, loaded into both backends. */
class Tables {
  readonly #store = createMemoryStore(standardCatalog)
  readonly #rows = { logs: [] as StoredRow[], spans: [] as StoredRow[] }
  readonly columnar = columnarBackend(this.#store, standardFunctions)

  add(side: Side, rows: readonly StoredRow[], isSealed: boolean): void {
    this.#store.table(side).writer.appendRows([...rows])
    if (isSealed) this.#store.table(side).seal()
    this.#rows[side].push(...rows)
  }

  async agree(plan: LogicalPlan, batchRows: number): Promise<void> {
    const model = rowsBackend(new Map(Object.entries(this.#rows)), standardFunctions)
    expect(await answer(this.columnar, plan, batchRows), printPlan(plan)).toEqual(await answer(model, plan, 1000))
  }
}

function scan(side: Side, predicate?: Expr, columns?: readonly string[]): LogicalPlan {
  const tableSchema = (side === 'logs' ? logsTable : spansTable).schema
  return {
    kind: 'scan',
    table: side,
    tableSchema,
    range: always,
    predicate,
    guard: undefined,
    columns,
    origin: nowhere,
  }
}

function randomSide(draw: Draw, side: Side): LogicalPlan {
  const hasName = not(testExpr(column(`${side}_name`), { kind: 'empty' }))
  const input = scan(side, draw.chance(3) ? hasName : undefined)
  // After a drop, the key is missing in all rows, even if the scan has it.
  if (draw.chance(5)) return { kind: 'drop', input, fields: [fieldPattern('peer')], origin: nowhere }
  if (!draw.chance(2)) return input
  return {
    kind: 'project',
    input,
    fields: ['trace_id', 'peer', 'both', `${side}_size`].map((name) => fieldPattern(name)),
    origin: nowhere,
  }
}

function randomJoin(draw: Draw): Join {
  const sides = draw.pick<readonly [Side, Side]>([
    ['logs', 'spans'],
    ['spans', 'logs'],
    ['logs', 'logs'],
  ])
  const keys = draw.pick([['trace_id'], ['peer'], ['trace_id', 'peer']])
  return {
    kind: 'join',
    left: randomSide(draw, sides[0]),
    right: randomSide(draw, sides[1]),
    type: draw.pick(['inner', 'left', 'right', 'full']),
    on: keys.map((name) => ({ left: name, right: name })),
    prefix: draw.chance(2) ? 'r' : undefined,
    prefixMode: draw.pick(['collision', 'all']),
    origin: nowhere,
  }
}

/** Adds a grouping by a key. With `isExact` it only uses aggregates that do not depend on the order of rows. */
function grouped(input: LogicalPlan, key: string, isExact: boolean): LogicalPlan {
  const call = (fn: string, ...args: readonly string[]): AggregateCall => ({
    fn,
    args: args.map((arg) => column(arg)),
    params: [],
    limit: undefined,
    orderBy: [],
    filter: undefined,
    origin: nowhere,
  })
  const calls = [
    call('count'),
    call('count', 'spans_name'),
    call('count', 'logs_size', 'logs_name'),
    call('sum', 'logs_size'),
    call('sum', 'spans_size', 'both'),
    call('avg', 'logs_size'),
    call('avg', 'spans_name'),
    ...(isExact ? [] : [call('max', 'spans_size')]),
  ]
  return {
    kind: 'aggregate',
    input,
    keys: [{ name: 'k', expr: column(key), type: 'any' }],
    aggregates: calls.map((one, i) => ({ name: `r${i}`, type: 'any', call: one })),
    origin: nowhere,
  }
}

describe('joins give the rows of the model', () => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8])('seed %i', async (seed) => {
    const draw = new Draw(seed)
    const tables = new Tables()
    const counts = { logs: 20 + draw.below(120), spans: 20 + draw.below(120) }
    for (const side of ['logs', 'spans'] as const) {
      tables.add(side, makeRows(draw, side, counts[side], 60), true)
      tables.add(side, makeRows(draw, side, 40, 90, counts[side]), draw.chance(2))
    }
    for (let round = 0; round < 2; round++) {
      for (let i = 0; i < 8; i++) {
        const join = randomJoin(draw)
        await tables.agree(join, draw.pick([1, 7, 64, 4096]))
        const key = draw.pick(['logs_name', 'peer', 'trace_id', 'spans_name'])
        await tables.agree(grouped(join, key, draw.chance(2)), draw.pick([1, 7, 64, 4096]))
      }
      // Each round adds entries to each dictionary that only the other one had.
      for (const side of ['logs', 'spans'] as const) {
        tables.add(side, makeRows(draw, side, 30, 120, 1000 + round * 30), draw.chance(2))
      }
    }
  })

  test('a pair of names is one key', async () => {
    const tables = new Tables()
    const row = (timeNs: bigint, sequence: number, trace: Value, peer: Value): StoredRow => ({
      timeNs,
      sequence,
      row: new Map<string, Value>([
        ['_time', new Instant(timeNs)],
        ['trace_id', trace],
        ['peer', peer],
      ]),
    })
    tables.add('logs', [row(1n, 0, 'a', 'b'), row(2n, 1, 'b', 'a'), row(3n, 2, 'a', 'a')], true)
    tables.add('spans', [row(1n, 0, 'a', 'b'), row(2n, 1, 'b', 'b')], true)
    for (const type of ['inner', 'left', 'right', 'full'] as const) {
      await tables.agree(
        {
          kind: 'join',
          left: scan('logs'),
          right: scan('spans'),
          type,
          on: ['trace_id', 'peer'].map((name) => ({ left: name, right: name })),
          prefix: undefined,
          prefixMode: 'collision',
          origin: nowhere,
        },
        4096,
      )
    }
  })
})
