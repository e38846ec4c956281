import {
  columnOfValues,
  concatColumns,
  constantColumn,
  createBitmap,
  gather,
  Instant,
  JsonText,
  setBit,
  type Column,
  type Value,
} from '../../../src/data/index.ts'
import { createMemoryStore, standardCatalog } from '../../../src/store/index.ts'
import type { Draw } from './random-plans.ts'

const startNs = 1_767_225_600_000_000_000n
const numbers = [0, 1, -1, 2.5, -2.5, 1e300, -1e300, 5e-324, 0.1, 0.2, 0.3, 31.234, NaN, Infinity, -Infinity, 2 ** 53]
const others: readonly Value[] = ['', 'x', 'y', '1', '5s', true, 2n ** 60n, -(2n ** 63n), new JsonText('[1]'), null]
const texts = ['', 'x', 'y', 'naïve', '\ud800', '10', 'x y']

/** Creates a column of numbers in one array, with some values missing. */
export function numberColumn(draw: Draw, length: number, pick: () => number): Column {
  const values = Float64Array.from({ length }, pick)
  if (draw.chance(2)) return { kind: 'float64', length, values, validity: undefined }
  const validity = createBitmap(length)
  for (let row = 0; row < length; row++) {
    if (draw.chance(4)) values[row] = NaN
    else setBit(validity, row)
  }
  return { kind: 'float64', length, values, validity }
}

function timeColumn(draw: Draw, length: number): Column {
  const spread = draw.pick([3, 1000, 2 ** 40, 2 ** 52])
  const falling = draw.chance(2)
  const deltas = Float64Array.from({ length }, (_, row) => (falling ? (length - row) >> 2 : draw.below(spread)))
  const base = {
    kind: 'time',
    length,
    baseNs: startNs - BigInt(draw.below(3)) * 10n ** BigInt(draw.below(19)),
  } as const
  if (draw.chance(2)) return { ...base, deltas, validity: undefined }
  const validity = createBitmap(length)
  for (let row = 0; row < length; row++) if (draw.chance(3)) setBit(validity, row)
  return { ...base, deltas, validity }
}

/** Creates a column that is encoded with a store's dictionary. */
export function storedColumn(values: readonly Value[]): Column {
  const table = createMemoryStore(standardCatalog).table('logs')
  table.writer.appendRows(
    values.map((value, index) => ({
      timeNs: startNs + BigInt(index),
      row: new Map<string, Value>(value === null ? [] : [['level', value]]),
    })),
  )
  table.seal()
  return table.view.snapshot()[0]?.columns.get('level')?.column ?? constantColumn(null, values.length)
}

/** Creates a column of a random encoding, with many ties. */
export function randomColumn(draw: Draw, length: number, depth = 0): Column {
  const small = draw.pick([2, 40, 1_000_000])
  const kinds: (() => Column)[] = [
    () => constantColumn(draw.pick([null, '', 1, 'x', new Instant(startNs)]), length),
    () => numberColumn(draw, length, () => draw.below(small)),
    () => numberColumn(draw, length, () => draw.pick(numbers)),
    () => numberColumn(draw, length, () => (draw.below(small) - small / 2) / 1000 + 0),
    () => columnOfValues(Array.from({ length }, () => draw.pick(numbers))),
    () => columnOfValues(Array.from({ length }, () => draw.pick([...others, ...numbers, new Instant(startNs)]))),
    () => storedColumn(Array.from({ length }, () => draw.pick(draw.chance(9) ? others : texts))),
    () => timeColumn(draw, length),
    () => {
      const source = randomColumn(draw, length, depth + 1)
      return gather(
        source,
        Uint32Array.from({ length }, () => draw.below(length)),
      )
    },
    () => {
      const cut = draw.below(length + 1)
      const same = draw.chance(2) ? draw.below(kinds.length - 2) : -1
      const part = (size: number): Column => (same === -1 ? randomColumn(draw, size, depth + 1) : kindOf(same, size))
      return concatColumns([part(cut), part(length - cut)])
    },
  ]
  const kindOf = (kind: number, size: number): Column => {
    switch (kind) {
      case 7:
        return timeColumn(draw, size)
      case 6:
        return storedColumn(Array.from({ length: size }, () => draw.pick(texts)))
      default:
        return numberColumn(draw, size, () => draw.pick(numbers))
    }
  }
  return draw.pick(depth > 1 ? kinds.slice(0, -2) : kinds)()
}
