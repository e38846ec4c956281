import type { TableMapping, TimeUnit } from '../../../../src/backends/sql/index.ts'
import { Instant, type DataType, type StoredRow, type Value } from '../../../../src/data/index.ts'
import { oddValues, randomText, startNs } from '../random-data.ts'
import type { Random } from '../support.ts'

/** Logical type of a column. Each engine has its own name for it. */
export type ColumnShape = 'text' | 'level' | 'integer' | 'double' | 'bool' | 'map' | 'time'

export interface LayoutColumn {
  readonly name: string
  readonly shape: ColumnShape
  readonly isNullable: boolean
  readonly value: (random: Random) => Value
}

/** The columns of a table in a foreign engine, and the values that they can hold. */
export interface Layout {
  readonly name: string
  readonly unit: TimeUnit
  /** Resolution of the time column in nanoseconds. */
  readonly stepNs: bigint
  readonly columns: readonly LayoutColumn[]
  /** Field names stored in the column of undeclared fields; if empty, the table has no such column. */
  readonly attributes: readonly string[]
}

export const TIME = '_time'
export const SEQUENCE = 'seq'
export const ATTRIBUTES = 'attributes'
export const levelValues = ['info', 'warn', 'error', 'debug', 'ERROR', 'Warn', '10ms']

const oddTexts = oddValues.filter(
  (value): value is string => typeof value === 'string' && value.isWellFormed() && !value.includes('\0'),
)
const oddFloats = oddValues.filter((value): value is number => typeof value === 'number')
const oddIntegers: readonly (number | bigint)[] = [
  0,
  5,
  100,
  -3,
  2 ** 53,
  9007199254740993n,
  -9007199254740993n,
  2n ** 63n - 1n,
]

const maybe = (random: Random, value: Value): Value => (random.chance(0.15) ? null : value)
const anyText = (random: Random): string => (random.chance(0.3) ? random.pick(oddTexts) : randomText(random))

const columns: readonly LayoutColumn[] = [
  { name: 'level', shape: 'level', isNullable: false, value: (random) => random.pick(levelValues) },
  { name: 'workload', shape: 'text', isNullable: false, value: (random) => `w${random.below(6)}` },
  {
    name: 'pod',
    shape: 'text',
    isNullable: true,
    value: (random) => maybe(random, random.chance(0.2) ? random.pick(oddTexts) : `pod-${random.below(20)}`),
  },
  {
    name: 'status',
    shape: 'integer',
    isNullable: true,
    value: (random) => maybe(random, random.chance(0.1) ? random.pick(oddIntegers) : 200 + random.below(400)),
  },
  {
    name: 'duration_ms',
    shape: 'double',
    isNullable: true,
    value: (random) => maybe(random, random.chance(0.1) ? random.pick(oddFloats) : random.below(100_000) / 64),
  },
  { name: 'cached', shape: 'bool', isNullable: true, value: (random) => maybe(random, random.chance(0.5)) },
  { name: 'content', shape: 'text', isNullable: true, value: (random) => maybe(random, anyText(random)) },
]

export const layouts: readonly Layout[] = [
  { name: 'native', unit: 'timestamp', stepNs: 1n, columns, attributes: [] },
  {
    name: 'hard',
    unit: 'ms',
    stepNs: 1_000_000n,
    columns: columns.map((column) => ({
      ...column,
      isNullable: true,
      value: (random) => maybe(random, column.shape === 'text' ? anyText(random) : column.value(random)),
    })),
    attributes: ['user', 'path', 'Region', 'trace_id'],
  },
]

/** Draws rows that the layout can hold, oldest first. */
export function layoutRows(layout: Layout, random: Random, count: number): readonly StoredRow[] {
  let timeNs = startNs
  return Array.from({ length: count }, (_, sequence) => {
    timeNs += BigInt(random.below(3)) * layout.stepNs * BigInt(1 + random.below(1_000_000))
    const row = new Map<string, Value>([
      [TIME, new Instant(timeNs)],
      [SEQUENCE, sequence],
    ])
    for (const { name, value } of layout.columns) {
      const made = value(random)
      if (made !== null) row.set(name, made)
    }
    for (const name of layout.attributes) if (random.chance(0.6)) row.set(name, anyText(random))
    return { timeNs, sequence, row }
  })
}

const types: { readonly [S in ColumnShape]: DataType } = {
  text: 'string',
  level: 'string',
  integer: 'integer',
  double: 'number',
  bool: 'bool',
  map: 'any',
  time: 'time',
}

/** Returns the mapping of a layout's table, with an engine's type names. */
export function mappingOf(
  layout: Layout,
  source: TableMapping['source'],
  typeName: (shape: ColumnShape, layout: Layout) => string,
): TableMapping {
  const plain = { path: [], aliases: [] }
  return {
    name: 'logs',
    source,
    time: { field: TIME, column: 'ts', nativeType: typeName('time', layout), isNullable: false, unit: layout.unit },
    textField: 'content',
    streamFields: ['workload'],
    fields: [
      {
        ...plain,
        name: SEQUENCE,
        column: SEQUENCE,
        type: 'integer',
        nativeType: typeName('integer', layout),
        isNullable: false,
      },
      ...layout.columns.map(({ name, shape, isNullable }) => ({
        ...plain,
        name,
        column: name,
        type: types[shape],
        nativeType: typeName(shape, layout),
        isNullable,
      })),
    ],
    attributes: layout.attributes.length === 0 ? [] : [{ column: ATTRIBUTES, kind: 'map', prefix: '' }],
    tieBreak: [SEQUENCE],
    domain: undefined,
    words: undefined,
  }
}
