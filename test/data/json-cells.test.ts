import { expect, test } from 'vitest'
import {
  columnOfValues,
  constantColumn,
  field,
  Instant,
  JsonText,
  recordBatch,
  RowWriter,
  rowToJson,
  rowsOf,
  type Column,
  type Value,
} from '../../src/data/index.ts'
import { createMemoryStore, standardCatalog } from '../../src/store/index.ts'

test('columns of any encoding are written as their values are', () => {
  const values: readonly Value[] = [
    null,
    '',
    'x"y\\z\n',
    'naïve',
    'lone \ud800',
    0,
    -1.5,
    1e21,
    NaN,
    Infinity,
    2n ** 63n,
    -(2n ** 60n),
    true,
    false,
    new Instant(0n),
    new Instant(-1n),
    new Instant(1_767_225_600_123_456_789n),
    new Instant(-1_000_000_001n),
    new JsonText('[1,"a"]'),
  ]
  const store = createMemoryStore(standardCatalog)
  const table = store.table('logs')
  const rows = values.map((value, i) => {
    const fields: [string, Value][] = [
      ['content', typeof value === 'string' ? value : null],
      ['number', typeof value === 'number' ? value : null],
      ['time', value instanceof Instant ? value : null],
      ['any', value],
      ['many', `distinct ${i}`],
    ]
    const timeNs = BigInt(i) * 333_333_333n - 2_000_000_000n
    return { timeNs, row: new Map(fields.filter(([, v]) => v !== null)) }
  })
  table.appendRows(rows)
  table.seal()
  for (const segment of table.snapshot()) {
    const stored = [...segment.columns].map(([name, s]): [string, Column] => [name, s.column])
    const columns: [string, Column][] = [
      ...stored,
      ['values', columnOfValues(Array.from({ length: segment.rowCount }, (_, i) => values[i] ?? null))],
      ['constant', constantColumn('c', segment.rowCount)],
      ['none', constantColumn(null, segment.rowCount)],
      ...stored.map(([name, source]): [string, Column] => [
        `${name}.back`,
        {
          kind: 'gathered',
          length: segment.rowCount,
          rows: Uint32Array.from({ length: segment.rowCount }, (_, i) => segment.rowCount - 1 - i),
          source,
        },
      ]),
    ]
    for (const presence of ['named', 'dynamic'] as const) {
      const fields = columns.map(([name]) => field(name, 'any', presence))
      const batch = recordBatch(
        { fields, isOpen: false },
        segment.rowCount,
        columns.map(([, column]) => column),
      )
      const expected = Array.from(rowsOf(batch), (row) => rowToJson(row))
      expect([...new RowWriter().batch(batch)]).toEqual(expected)
      for (const line of expected) JSON.parse(line)
    }
  }
})
