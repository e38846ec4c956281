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
  type RecordBatch,
  type Value,
} from '../../src/data/index.ts'
import { createMemoryStore, standardCatalog } from '../../src/store/index.ts'

function bytesOf(writer: RowWriter, batch: RecordBatch, separator: ',' | '\n', count = batch.rowCount): string {
  return Buffer.concat(Array.from(writer.bytes(batch, separator, count), (piece) => Buffer.from(piece))).toString()
}

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
      expect(bytesOf(new RowWriter(), batch, '\n')).toBe(expected.map((row) => `\n${row}`).join(''))
      for (const line of expected) JSON.parse(line)
    }
  }
})

test('bytes of rows come in pieces, as many rows as were asked for, in either dialect', () => {
  const values = Array.from({ length: 700 }, (_, i) => (i % 3 === 0 ? null : `${i} "${'y'.repeat(i)}" ä`))
  const batch = recordBatch(
    { fields: [field('a', 'any', 'dynamic'), field('b', 'any', 'dynamic')], isOpen: false },
    values.length,
    [columnOfValues(values), columnOfValues(values.map((_, i) => i))],
  )
  for (const dialect of ['native', 'logsql'] as const) {
    const writer = new RowWriter(dialect)
    const rows = [...writer.batch(batch)].slice(0, 600)
    expect(bytesOf(writer, batch, ',', 600)).toBe(rows.map((row) => `,${row}`).join(''))
    const lengths = Array.from(writer.bytes(batch, ',', 600), (piece) => piece.length)
    expect(lengths.length).toBeGreaterThan(2)
    expect(Math.max(...lengths)).toBeLessThan(66 * 1024)
    expect([...writer.bytes(batch, ',', 0)]).toEqual([])
    for (const _ of writer.bytes(batch, ',')) break
    expect(bytesOf(writer, batch, ',', 1)).toBe(`,${rows[0]}`)
  }
})

test('every character of a text is written as the runtime writes it', () => {
  const store = createMemoryStore(standardCatalog)
  const table = store.table('logs')
  const texts = Array.from({ length: 0x100 }, (_, code) => `before ${String.fromCharCode(code)} behind`)
  table.appendRows(
    texts.map((text, i) => ({
      timeNs: BigInt(i),
      row: new Map([
        ['content', text],
        ['level', text],
      ]),
    })),
  )
  table.seal()
  for (const { columns, rowCount } of table.snapshot()) {
    const names = ['content', 'level']
    const batch = recordBatch(
      { fields: names.map((name) => field(name, 'any', 'dynamic')), isOpen: false },
      rowCount,
      names.map((name) => columns.get(name)?.column ?? constantColumn(null, rowCount)),
    )
    // The second time entries of dictionaries are written from what was kept of the first.
    const writer = new RowWriter()
    for (let time = 0; time < 2; time++)
      expect(bytesOf(writer, batch, '\n')).toBe(
        texts.map((text) => `\n${JSON.stringify({ content: text, level: text })}`).join(''),
      )
  }
})
