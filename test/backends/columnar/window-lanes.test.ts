import { describe, expect, test } from 'vitest'
import { present, valueMeter } from '../../../src/base/index.ts'
import { columnComparer, sortedOrder } from '../../../src/backends/columnar/keys/sort-keys.ts'
import { laneColumn, type WindowRows } from '../../../src/backends/columnar/window/call-lane.ts'
import { RunningSums } from '../../../src/backends/columnar/window/running-sums.ts'
import { topOfGroups } from '../../../src/backends/columnar/window/top-of-groups.ts'
import {
  columnOfValues,
  createBitmap,
  hasBit,
  setBit,
  valueAt,
  type Column,
  type Value,
} from '../../../src/data/index.ts'
import { standardFunctions } from '../../../src/functions/index.ts'
import { Draw } from './random-plans.ts'
import { numberColumn, randomColumn } from './window-columns.ts'

function stateOf(fn: string) {
  const found = standardFunctions.stats.get(fn)
  if (found === undefined) throw new Error(`no function ${fn}`)
  return found.accumulator({
    params: [],
    limit: undefined,
    argNames: fn === 'count' ? ['a', 'b'] : ['a'],
    orderDirections: [],
    context: { rangeSeconds: undefined },
    meter: valueMeter(),
  })
}

/** The same by the states of the function, row by row. */
function byStates(fn: string, args: readonly Column[], rows: WindowRows): Value[] {
  const states = Array.from({ length: rows.groupCount }, () => stateOf(fn))
  const values: Value[] = []
  for (const row of rows.order) {
    const state = states[present(rows.groups[row])]
    if (rows.mask === undefined || hasBit(rows.mask, row)) present(state).add(args.map((arg) => valueAt(arg, row)))
    values[row] = present(state).finish()
  }
  return rows.kind === 'running' ? values : Array.from(rows.groups, (group) => present(states[group]).finish())
}

function randomRows(draw: Draw, length: number): WindowRows {
  const groupCount = draw.pick([1, 3, 40])
  const mask = createBitmap(length)
  for (let row = 0; row < length; row++) if (!draw.chance(5)) setBit(mask, row)
  const order = columnComparer(
    numberColumn(draw, length, () => draw.below(20)),
    'asc',
    valueMeter(),
  )
  return {
    kind: draw.pick(['running', 'partition']),
    groups: Uint32Array.from({ length }, () => draw.below(groupCount)),
    groupCount,
    order: sortedOrder(length, [order]),
    mask: draw.chance(2) ? mask : undefined,
  }
}

function valuesOf(column: Column): Value[] {
  return Array.from({ length: column.length }, (_, row) => valueAt(column, row))
}

describe('window calls over plain columns', () => {
  for (const fn of ['count', 'count_empty', 'sum', 'avg', 'min', 'max']) {
    test(`${fn} is what its states give`, () => {
      let short = 0
      for (let seed = 0; seed < 80; seed++) {
        const draw = new Draw(seed * 7 + 1)
        const length = draw.pick([1, 30, 300])
        const args = Array.from({ length: fn === 'count' ? 2 : 1 }, () => randomColumn(draw, length))
        const rows = randomRows(draw, length)
        const column = laneColumn(standardFunctions.stats.get(fn)?.kernel, args, rows)
        if (column === undefined) continue
        short++
        expect(valuesOf(column), `seed ${seed}`).toEqual(byStates(fn, args, rows))
      }
      expect(short).toBeGreaterThan(20)
    })
  }

  test('a function or an argument without a short way is left to the states', () => {
    const rows = randomRows(new Draw(1), 3)
    const big = columnOfValues([1, 2n ** 60n, 3])
    expect(laneColumn('sum', [big], rows)).toBeUndefined()
    expect(laneColumn('greatest', [big], rows)).toBeUndefined()
    expect(laneColumn('median', [columnOfValues([1, 2, 3])], rows)).toBeUndefined()
  })
})

describe('running sums', () => {
  const hard: readonly (readonly number[])[] = [
    [2 ** 53, 1, 1, -3],
    [2 ** 53 - 1, 1, 5, 2 ** 53, -(2 ** 53)],
    [0.1, 2 ** 53, 1, 1, 1, -(2 ** 53), -0.1],
    [1e308, 1e308, -1e308, -1e308, 3],
    [1, 2 ** -80, 2 ** -160, -1, -(2 ** -80)],
    [5e-324, 5e-324, 1, -1],
    [Infinity, 1, -Infinity],
    [1, 1, 1 - 2 ** -52],
    [1, 2 ** -53, 2 ** -106, 2 ** -53],
    [0.5, -0.5, 0.25],
    [2 ** 54, 1, 1],
    [-7, 3, 4],
  ]

  test('are the exact sum and the nearest mean after every addition', () => {
    const draw = new Draw(99)
    const drawn = Array.from({ length: 300 }, () => {
      const scale = draw.below(120) - 60
      return Array.from({ length: 20 }, () => {
        const size = draw.chance(4) ? draw.below(2000) - 1000 : scale + draw.below(60) - 30
        const value = (draw.below(2 ** 31) - 2 ** 30) * 2 ** Math.max(-1000, Math.min(900, size))
        return value === 0 ? 0 : value
      })
    })
    for (const values of [...hard, ...drawn]) {
      const sums = new RunningSums(1)
      const [sum, mean] = [stateOf('sum'), stateOf('avg')]
      for (const value of values) {
        sums.add(0, value)
        sum.add([value])
        mean.add([value])
        expect([sums.sum(0), sums.mean(0)], String(values)).toEqual([sum.finish(), mean.finish()])
      }
    }
  })
})

describe('the first rows of groups', () => {
  test('are those of a stable sort', () => {
    for (let seed = 0; seed < 60; seed++) {
      const draw = new Draw(seed)
      const length = draw.pick([0, 1, 50, 400])
      const groupCount = draw.pick([1, 5, 100])
      const groups = Uint32Array.from({ length }, () => draw.below(groupCount))
      const keep = 1 + draw.below(5)
      const comparers = [
        columnComparer(
          numberColumn(draw, length, () => draw.below(9)),
          draw.pick(['asc', 'desc']),
          valueMeter(),
        ),
      ]
      const seen = new Map<number, number>()
      const expected: number[] = []
      for (const row of sortedOrder(length, comparers)) {
        const place = seen.get(present(groups[row])) ?? 0
        seen.set(present(groups[row]), place + 1)
        if (place < keep) expected.push(row)
      }
      expect([...topOfGroups(groups, groupCount, keep, comparers)]).toEqual(expected.toSorted((a, b) => a - b))
    }
  })
})
