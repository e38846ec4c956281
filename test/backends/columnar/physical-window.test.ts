// @module-tag slow
import { describe, expect, test } from 'vitest'
import type { Backend, QueryContext } from '../../../src/backends/backend.ts'
import type { ExecContext } from '../../../src/backends/columnar/context.ts'
import { ExprCompiler } from '../../../src/backends/columnar/expr/compile.ts'
import { columnarBackend } from '../../../src/backends/columnar/index.ts'
import { again } from '../../../src/backends/columnar/operator.ts'
import { physicalOperators } from '../../../src/backends/columnar/physical/index.ts'
import { planOperators } from '../../../src/backends/columnar/planner.ts'
import { QueryEnd } from '../../../src/backends/columnar/query-end.ts'
import { PendingReads } from '../../../src/backends/columnar/pending-reads.ts'
import { rowsBackend } from '../../../src/backends/rows/index.ts'
import { nowhere, SluiceError, type JsonValue } from '../../../src/base/index.ts'
import { Instant, rowOf, toText, valueAt, type StoredRow, type Value } from '../../../src/data/index.ts'
import { standardFunctions, type WindowCall, type WindowParams } from '../../../src/functions/index.ts'
import {
  column,
  fieldPattern,
  printPlan,
  test as testExpr,
  inputs,
  type LogicalPlan,
  type Scan,
  type TableApply,
} from '../../../src/plan/index.ts'
import { createMemoryStore, standardCatalog, type MemoryStore } from '../../../src/store/index.ts'
import { answer, linesOf, newBudget, newContext } from './answer.ts'
import { Draw, fields, randomPlan, randomRows } from './random-plans.ts'
import { scanOf } from '../sql/random-plan.ts'

const callNames = ['lag', 'lead', 'row_number', 'rank', 'dense_rank'] as const
/** Fields to draw from: stored ones, ones that plans create, and one that does not exist. */
const someFields = [...fields, 'z', 'w', 'nowhere']

function windowOver(input: LogicalPlan, params: WindowParams, keepsInputFields = true): TableApply {
  const { partitionBy, orderBy, calls } = params
  const reads = [...partitionBy, ...orderBy.map(({ field }) => field), ...calls.flatMap(({ field }) => field ?? [])]
  return {
    kind: 'table-apply',
    input,
    fn: 'window',
    params: params as unknown as JsonValue,
    use: {
      reads: reads.map((name) => fieldPattern(name)),
      writes: calls.map(({ into }) => fieldPattern(into)),
      replaces: [],
    },
    outputs: calls.map(({ into }) => ({ name: into, type: 'any', presence: 'named' })),
    keepsInputFields,
    origin: nowhere,
  }
}

const neighbour = (fn: 'lag' | 'lead', field: string, rest: Partial<WindowCall> = {}): WindowCall => ({
  fn,
  field,
  offset: 1,
  default: null,
  into: `${fn}_${field}`,
  ...rest,
})
const place = (fn: 'row_number' | 'rank' | 'dense_rank'): WindowCall => ({
  fn,
  field: null,
  offset: 1,
  default: null,
  into: fn,
})
const places = [place('row_number'), place('rank'), place('dense_rank')]

function randomParams(draw: Draw): WindowParams {
  const call = (index: number): WindowCall => {
    const fn = draw.pick(callNames)
    const takesField = fn === 'lag' || fn === 'lead'
    return {
      fn,
      field: takesField ? draw.pick(someFields) : null,
      offset: takesField ? draw.pick([1, 1, 1, 0, 2, 3, 50, 2 ** 40]) : 1,
      default: takesField ? draw.pick([null, null, null, 0, 1.5, NaN, Infinity, '', 'none', 'error', '7', true]) : null,
      // The result overwrites a field, adds a new one, or has the same name as another call's result.
      into: draw.chance(3) ? draw.pick(someFields) : draw.chance(6) ? 'result' : `result${index}`,
    }
  }
  return {
    partitionBy: draw.some(someFields, 2),
    orderBy: draw.some(someFields, 3).map((field) => ({ field, direction: draw.pick(['asc', 'desc'] as const) })),
    calls: Array.from({ length: 1 + draw.below(3) }, (_, index) => call(index)),
  }
}

function columnarStore(rows: readonly StoredRow[], sealEvery: number, hasCodes: boolean): MemoryStore {
  const store = createMemoryStore(standardCatalog, { hasCodes })
  const table = store.table('logs')
  rows.forEach((row, index) => {
    table.writer.appendRows([row])
    if ((index + 1) % sealEvery === 0) table.seal()
  })
  return store
}

function columnarOver(rows: readonly StoredRow[], sealEvery: number, hasCodes: boolean): Backend {
  return columnarBackend(columnarStore(rows, sealEvery, hasCodes), standardFunctions)
}

function scansOf(plan: LogicalPlan): readonly Scan[] {
  return plan.kind === 'scan' ? [plan] : inputs(plan).flatMap(scansOf)
}

function contextOf(store: MemoryStore, query: QueryContext, plan: LogicalPlan): ExecContext {
  return {
    tables: store.tables,
    scans: new Map(),
    segments: new Map(scansOf(plan).map((scan) => [scan, store.table(scan.table).view.snapshot()])),
    arriving: new Map(),
    shared: new Map(),
    waits: new PendingReads(),
    end: new QueryEnd(),
    functions: standardFunctions,
    query,
    compiler: new ExprCompiler(standardFunctions),
    parallelism: undefined,
    measures: new Map(),
  }
}

const wholeScan = scanOf()

describe('window over columns gives what the table function gives', () => {
  test('has an operator of its own', () => {
    const kernel = standardFunctions.tables.get('window')?.kernel
    expect(kernel === undefined ? undefined : physicalOperators[kernel]).toBeTypeOf('function')
  })

  test('is accepted where a scope hides rows', () => {
    const guard = testExpr(column('level'), { kind: 'equals', value: 'error', isFolded: true, isTyped: true })
    const plan = windowOver({ ...wholeScan, guard }, { partitionBy: [], orderBy: [], calls: places })
    expect(columnarOver([], 1, true).accept(plan)).toEqual({ kind: 'whole' })
  })

  for (let block = 1; block <= 100; block += 25) {
    test(`seeds ${block} to ${block + 24}`, async () => {
      for (let seed = block; seed < block + 25; seed++) {
        const draw = new Draw(seed)
        const rows = randomRows(draw, draw.pick([0, 1, 2, 40, 150]))
        const columnar = columnarOver(rows, draw.pick([1, 3, 40, 1000]), !draw.chance(3))
        const model = rowsBackend(new Map([['logs', rows]]), standardFunctions)
        for (let i = 0; i < 4; i++) {
          const window = windowOver(randomPlan(draw, draw.below(3)), randomParams(draw), !draw.chance(5))
          const plan: LogicalPlan = draw.chance(4)
            ? { kind: 'sample', input: window, mode: 'one-in', n: 2, origin: nowhere }
            : window
          const batchRows = draw.pick([1, 7, 1000])
          const expected = await answer(model, plan, 1000)
          const found = await answer(columnar, plan, batchRows)
          expect(found, `seed ${seed}, batches of ${batchRows}\n${printPlan(plan)}`).toEqual(expected)
        }
      }
    })
  }
})

/** Creates rows mostly in time order. Each field has one type and is missing only in some stretches. */
function typedRows(count: number): StoredRow[] {
  const draw = new Draw(7)
  return Array.from({ length: count }, (_, sequence) => {
    const timeNs = 1_767_225_600_000_000_000n + BigInt(sequence - (sequence % 3)) * 1000n
    const row = rowOf([
      ['_time', new Instant(timeNs)],
      ['pod', `p${draw.below(20)}`],
      ['duration_ms', draw.below(1000) / 8],
    ])
    if (sequence % 700 > 200) row.set('status', draw.below(5))
    if (sequence % 900 > 100 || draw.chance(2)) row.set('level', draw.pick(['error', 'warn', '', '10', '9']))
    if (sequence > count / 2) row.set('until', new Instant(timeNs + BigInt(draw.below(1000))))
    return { timeNs, sequence, row }
  })
}

describe('columns of one type in many segments', () => {
  const rows = typedRows(3000)
  const columnar = columnarOver(rows, 800, true)
  const model = rowsBackend(new Map([['logs', rows]]), standardFunctions)
  const orders: readonly (readonly [string, 'asc' | 'desc'])[][] = [
    [],
    [['_time', 'asc']],
    [['_time', 'desc']],
    [['level', 'desc']],
    [
      ['status', 'asc'],
      ['_time', 'asc'],
    ],
    [['until', 'desc']],
    [
      ['duration_ms', 'desc'],
      ['level', 'asc'],
      ['pod', 'asc'],
    ],
  ]
  for (const order of orders) {
    test(`order by (${order.map((key) => key.join(' ')).join(', ')})`, async () => {
      const orderBy = order.map(([field, direction]) => ({ field, direction }))
      for (const partitionBy of [[], ['pod'], ['level', 'status']]) {
        const calls = [
          ...places,
          neighbour('lag', 'duration_ms'),
          neighbour('lead', 'status', { offset: 2, default: -1 }),
          neighbour('lag', 'level', { into: 'level' }),
          neighbour('lead', 'level', { default: 'none' }),
          neighbour('lead', '_time'),
          neighbour('lag', 'until', { offset: 3 }),
          neighbour('lag', 'nowhere', { default: true }),
        ]
        const plan = windowOver(wholeScan, { partitionBy, orderBy, calls })
        expect(await answer(columnar, plan, 500)).toEqual(await answer(model, plan, 4000))
      }
    })
  }

  test('times further apart than 2^53 ns', async () => {
    const far = [0n, 2n ** 53n + 1n, 2n ** 61n + 3n, 2n ** 62n + 1n].flatMap((firstNs, segment) =>
      Array.from({ length: 80 }, (_, index) => {
        const timeNs = firstNs + BigInt(index - (index % 2))
        return { timeNs, sequence: segment * 80 + index, row: rowOf([['_time', new Instant(timeNs)]]) }
      }),
    )
    const plan = windowOver(wholeScan, {
      partitionBy: [],
      orderBy: [{ field: '_time', direction: 'asc' }],
      calls: [...places, neighbour('lag', '_time')],
    })
    const expected = await answer(rowsBackend(new Map([['logs', far]]), standardFunctions), plan, 400)
    expect(await answer(columnarOver(far, 80, true), plan, 400)).toEqual(expected)
  })

  test('texts of several dictionaries', async () => {
    const { origin } = wholeScan
    const pods: LogicalPlan = {
      kind: 'rename',
      input: { kind: 'drop', input: wholeScan, fields: [fieldPattern('level')], origin },
      steps: [{ from: fieldPattern('pod'), to: fieldPattern('level') }],
      isCopy: true,
      origin,
    }
    const plan = windowOver(
      { kind: 'union', inputsList: [wholeScan, pods], origin },
      {
        partitionBy: ['pod'],
        orderBy: [{ field: 'level', direction: 'desc' }],
        calls: [...places, neighbour('lag', 'level'), neighbour('lead', 'level', { offset: 2 })],
      },
    )
    expect(await answer(columnar, plan, 500)).toEqual(await answer(model, plan, 10_000))
  })

  test('a part of a frame is asked for', async () => {
    const calls = [...places, neighbour('lag', 'duration_ms')]
    const window = windowOver(wholeScan, { partitionBy: ['pod'], orderBy: [], calls })
    const { operator } = planOperators(window, contextOf(columnarStore(rows, 800, true), newContext(500), window))
    const sizes: number[] = []
    const found: Value[] = []
    let want = 1
    for (;;) {
      const frame = operator.pull(want)
      if (frame === undefined) break
      // The number of yields depends on the time.
      if (frame === again) continue
      expect(frame.rowCount).toBeLessThanOrEqual(want)
      sizes.push(frame.rowCount)
      want = (want % 300) + 7
      for (let row = 0; row < frame.rowCount; row++) found.push(valueAt(frame.column('lag_duration_ms'), row))
    }
    const whole = await answer(model, window, 10_000)
    expect(sizes.length).toBeGreaterThan(20)
    expect(found.map((value) => (value === null ? undefined : toText(value)))).toEqual(
      whole.map((line) => / lag_duration_ms=2:(\S+)/.exec(line)?.[1]),
    )
  })

  test('holds no more than the budget allows', async () => {
    const over = (calls: readonly WindowCall[]): LogicalPlan =>
      windowOver(wholeScan, { partitionBy: ['pod'], orderBy: [], calls })
    const peakOf = async (plan: LogicalPlan): Promise<number> => {
      const budget = newBudget()
      expect(await linesOf(columnar.prepare(plan, newContext(500, budget)))).toHaveLength(3000)
      return budget.peakBytes
    }
    const peak = await peakOf(over(places))
    expect(peak - (await peakOf(over([])))).toBeGreaterThanOrEqual(places.length * 8 * 3000)
    const tight = columnar.prepare(over(places), newContext(500, newBudget({ memoryBytes: peak - 1 })))
    await expect(linesOf(tight)).rejects.toThrow(SluiceError)
  })
})
