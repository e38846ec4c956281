import { expect, test } from 'vitest'
import { Bytes } from '../../src/base/index.ts'
import {
  columnOfValues,
  constantColumn,
  field,
  hasBit,
  Instant,
  JsonText,
  recordBatch,
  RowWriter,
  rowToJson,
  rowsOf,
  type Column,
  type RecordBatch,
  type RowSeparator,
  type Value,
} from '../../src/data/index.ts'
import { createMemoryStore, standardCatalog } from '../../src/store/index.ts'

function bytesOf(writer: RowWriter, batch: RecordBatch, separator: RowSeparator, count = batch.rowCount): string {
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
  table.writer.appendRows(rows)
  table.seal()
  for (const segment of table.view.snapshot()) {
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
      for (const dialect of ['native', 'logsql'] as const) {
        const expected = Array.from(rowsOf(batch), (row) => rowToJson(row, dialect))
        expect([...new RowWriter(dialect).batch(batch)]).toEqual(expected)
        // In the second round dictionary entries are written from the cache of the first.
        for (let time = 0; time < 2; time++)
          expect(bytesOf(new RowWriter(dialect), batch, ',\n')).toBe(expected.map((row) => `,\n${row}`).join(''))
        for (const line of expected) JSON.parse(line)
      }
    }
  }
})

test('bytes of rows come in pieces, as many rows as were asked for, in either dialect', () => {
  const values = Array.from({ length: 700 }, (_, i) => (i % 3 === 0 ? null : `${i} "${'y'.repeat(2 * i)}" ä`))
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
    expect(Math.max(...lengths)).toBeLessThan(140 * 1024)
    expect([...writer.bytes(batch, ',', 0)]).toEqual([])
    for (const _ of writer.bytes(batch, ',')) break
    expect(bytesOf(writer, batch, ',', 1)).toBe(`,${rows[0]}`)
  }
})

test('every character of a text is written as the runtime writes it', () => {
  const store = createMemoryStore(standardCatalog)
  const table = store.table('logs')
  const texts = Array.from({ length: 0x100 }, (_, code) => `before ${String.fromCharCode(code)} behind`)
  table.writer.appendRows(
    texts.map((text, i) => ({
      timeNs: BigInt(i),
      row: new Map([
        ['content', text],
        ['level', text],
      ]),
    })),
  )
  table.seal()
  for (const { columns, rowCount } of table.view.snapshot()) {
    const names = ['content', 'level']
    const batch = recordBatch(
      { fields: names.map((name) => field(name, 'any', 'dynamic')), isOpen: false },
      rowCount,
      names.map((name) => columns.get(name)?.column ?? constantColumn(null, rowCount)),
    )
    // In the second round dictionary entries are written from the cache of the first.
    const writer = new RowWriter()
    for (let time = 0; time < 2; time++)
      expect(bytesOf(writer, batch, '\n')).toBe(
        texts.map((text) => `\n${JSON.stringify({ content: text, level: text })}`).join(''),
      )
  }
})

/** Returns batches of one string column of a memory store. Fields with many values use a dictionary. */
function columnsOfTexts(texts: readonly (Value | undefined)[], name: string): readonly RecordBatch[] {
  const store = createMemoryStore(standardCatalog)
  const table = store.table('logs')
  table.writer.appendRows(
    texts.map((text, i) => ({ timeNs: BigInt(i), row: new Map(text === undefined ? [] : [[name, text]]) })),
  )
  table.seal()
  return Array.from(table.view.snapshot(), ({ columns, rowCount }) =>
    recordBatch({ fields: [field(name, 'any', 'dynamic')], isOpen: false }, rowCount, [
      columns.get(name)?.column ?? constantColumn(null, rowCount),
    ]),
  )
}

const writerOfEach = (): readonly RowWriter[] => [new RowWriter('native'), new RowWriter('logsql')]

function expectBytesOfTexts(batches: readonly RecordBatch[], writers = writerOfEach()): void {
  for (const batch of batches) {
    for (const writer of writers) {
      const texts = Array.from(rowsOf(batch), (row) => rowToJson(row, writer.dialect))
      expect([...writer.batch(batch)]).toEqual(texts)
      expect(bytesOf(writer, batch, '\n')).toBe(texts.map((text) => `\n${text}`).join(''))
    }
  }
}

/** Strings of every length up to twice the scan width, some with a character to escape at each position. */
const awkward = Array.from({ length: 140 }, (_, length) => {
  const plain = 'abcdefghij'.repeat(14).slice(0, length)
  const at = (length * 7) % Math.max(length, 1)
  const odd = ['"', '\\', '\n', '\u0001', '\u007f', 'ä', '\ud83d\ude00', '\ud800'][length % 8]
  return [plain, `${plain.slice(0, at)}${odd}${plain.slice(at)}`, `${odd}${plain}`, `${plain}${odd}`]
}).flat()

test.each(['content', 'many'])('texts of any length with anything in them, in %s', (name) => {
  expectBytesOfTexts(columnsOfTexts([...awkward, undefined, ''], name))
})

test('texts at the end of the memory that they are stored in', () => {
  for (const [text, length] of [
    ['abcdefg', 3],
    ['a"bcdefghi', 1],
    ['x'.repeat(70), 66],
  ] as const) {
    const bytes = Bytes.from(Uint8Array.from(Buffer.from(text)).buffer)
    const offsets = Uint32Array.of(0, length, text.length)
    const column: Column = { kind: 'text', length: 2, bytes, offsets, validity: undefined, wide: undefined }
    expectBytesOfTexts([recordBatch({ fields: [field('a')], isOpen: false }, 2, [column])])
  }
})

test('entries of a dictionary that is too large to be kept, of any kind', () => {
  const ids = Array.from({ length: 17_000 }, (_, i) => `${i} ${'0123456789abcdef'.repeat(1 + (i % 5))}`)
  const values: (Value | undefined)[] = [undefined, 1.5, 2n ** 70n, true, new JsonText('{"a":[1]}'), new Instant(5n)]
  const batches = columnsOfTexts([...ids, ...awkward, ...values], 'many')
  const kinds = new Set(batches.flatMap(({ columns }) => columns.map(({ kind }) => kind)))
  expect(kinds).toContain('dictionary')
  expectBytesOfTexts(batches)
})

test('more entries than there is room to keep, and texts that are longer than any piece', () => {
  const pieces = Array.from({ length: 12_000 }, (_, i) => `${'entry '.repeat(15)}${i}`)
  const long = [4, 8, 16, 64, 100, 200].map((kib) => `"${'z'.repeat(kib * 1024)}`)
  const writers = writerOfEach()
  for (let time = 0; time < 2; time++)
    expectBytesOfTexts(columnsOfTexts([...pieces, ...long, ...pieces.slice(0, 300)], 'many'), writers)
  expectBytesOfTexts(
    columnsOfTexts(
      long.flatMap((text) => ['short', text, text.slice(1)]),
      'content',
    ),
    writers,
  )
})

test('entries that come to a dictionary after some were written', () => {
  const store = createMemoryStore(standardCatalog)
  const table = store.table('logs')
  const writers = writerOfEach()
  for (let round = 0; round < 6; round++) {
    const rows = Array.from({ length: 4 ** round }, (_, i) => ({
      timeNs: BigInt(round * 10_000 + i),
      row: new Map([['level', `level ${round} ${i % 900}`]]),
    }))
    table.writer.appendRows(rows)
    table.seal()
    for (const { columns, rowCount } of table.view.snapshot())
      expectBytesOfTexts(
        [
          recordBatch({ fields: [field('level', 'any', 'dynamic')], isOpen: false }, rowCount, [
            columns.get('level')?.column ?? constantColumn(null, rowCount),
          ]),
        ],
        writers,
      )
  }
})

test('numbers of every form, some of them missing', () => {
  const numbers = [
    0,
    -0,
    1,
    -1,
    0.1,
    1 / 3,
    12_345.678,
    1e-6,
    9.9e-7,
    1e-300,
    1e20,
    1e21,
    2 ** 53,
    -(2 ** 63),
    NaN,
    -Infinity,
  ]
  const values = Float64Array.from({ length: 2000 }, (_, i) => {
    const number = numbers[i % numbers.length] ?? 0
    return i < 900 ? number : number * (1 + i / 7)
  })
  const validity = Uint32Array.from({ length: 63 }, (_, i) => (i % 3 === 0 ? 0x5555_5555 : 0xffff_ffff))
  for (const presence of ['named', 'dynamic'] as const) {
    const fields = [field('a', 'number', presence), field('b', 'number', presence)]
    const columns: Column[] = [
      { kind: 'float64', length: values.length, values, validity: undefined },
      {
        kind: 'float64',
        length: values.length,
        values: values.map((n, i) => (hasBit(validity, i) ? n : NaN)),
        validity,
      },
    ]
    expectBytesOfTexts([recordBatch({ fields, isOpen: false }, values.length, columns)])
  }
})

test('times in any order, some of them missing', () => {
  const deltas = Float64Array.from({ length: 1500 }, (_, i) => {
    if (i < 500) return i * 1_234_567_891
    return i < 1000 ? ((i * 7919) % 500) * 86_400_000_000_017 : -i * 59_999_999_999
  })
  const validity = Uint32Array.from({ length: 47 }, (_, i) => (i % 4 === 0 ? 0 : 0x7fff_fffe))
  for (const baseNs of [0n, -1n, 1_767_225_600_123_456_789n, -(10n ** 19n), 10n ** 21n]) {
    const fields = [field('a', 'time', 'dynamic'), field('b', 'time', 'named')]
    const columns: Column[] = [
      { kind: 'time', length: deltas.length, baseNs, deltas, validity: undefined },
      { kind: 'time', length: deltas.length, baseNs, deltas, validity },
    ]
    expectBytesOfTexts([recordBatch({ fields, isOpen: false }, deltas.length, columns)])
  }
})

test('any number of columns, with names of any length', () => {
  for (const count of [0, 1, 15, 17, 300, 1023, 1025, 5000]) {
    const fields = Array.from({ length: count }, (_, c) => field(`${c} "é"`, 'any', c % 2 === 0 ? 'named' : 'dynamic'))
    const columns = fields.map((_, c) =>
      columnOfValues(Array.from({ length: 20 }, (__, i) => ((c + i) % 3 === 0 ? null : c))),
    )
    expectBytesOfTexts([recordBatch({ fields, isOpen: false }, 20, columns)])
  }
  for (const length of [100, 124, 125, 126, 5000]) {
    const fields = [field('n'.repeat(length), 'any', 'named'), field('short', 'any', 'dynamic')]
    const columns = [columnOfValues([1, null]), columnOfValues([null, 'x'])]
    expectBytesOfTexts([recordBatch({ fields, isOpen: false }, 2, columns)])
  }
})

test('two answers that are written by turns', () => {
  const of = (name: string): RecordBatch =>
    recordBatch({ fields: [field(name, 'any', 'named')], isOpen: false }, 2000, [
      columnOfValues(Array.from({ length: 2000 }, (_, i) => `${name} ${i}`)),
    ])
  const batches = [of('first'), of('second')]
  const turns = batches.map((batch) => new RowWriter().bytes(batch, ','))
  const written = ['', '']
  for (let left = 2; left > 0;) {
    left = 2
    for (const [i, turn] of turns.entries()) {
      const { done, value } = turn.next()
      if (done === true) left--
      else written[i] += Buffer.from(value).toString()
    }
  }
  expect(written).toEqual(batches.map((batch) => [...new RowWriter().batch(batch)].map((row) => `,${row}`).join('')))
})
