import { describe, expect, test } from 'vitest'
import { present } from '../../../src/base/index.ts'
import { Instant, JsonText, valueAt, type Row, type Value } from '../../../src/data/index.ts'
import {
  createMemoryStore,
  flattenRecord,
  sequenceAt,
  standardCatalog,
  storedRow,
  timeNsAt,
  type MemoryTable,
  type Segment,
} from '../../../src/store/index.ts'
import { parseJsonExact, type ExactJson, type MutableRow } from '../../../src/data/index.ts'

const startNs = 1_767_225_600_000_000_000n

function newTable(): MemoryTable {
  return createMemoryStore(standardCatalog).table('logs')
}

/** Returns all rows of a segment as maps, oldest first. */
function rowsOfSegment(segment: Segment): Map<string, Value>[] {
  return Array.from({ length: segment.rowCount }, (_, row) => {
    const found = new Map<string, Value>()
    for (const [name, { column }] of segment.columns) {
      const value = valueAt(column, row)
      if (value !== null) found.set(name, value)
    }
    return found
  })
}

function rowsOfTable(table: MemoryTable): Map<string, Value>[] {
  return table.view.snapshot().flatMap(rowsOfSegment)
}

/** Returns the fields of a row as JSON, sorted by name. */
function sortedText(row: Row): string {
  return JSON.stringify([...row].sort(([a], [b]) => (a < b ? -1 : 1)))
}

describe('rows in, rows out', () => {
  const odd: readonly Value[] = [
    '',
    'text',
    'naïve',
    'lone \udc00!',
    0,
    1.5,
    NaN,
    -Infinity,
    true,
    false,
    2n ** 62n,
    -(2n ** 60n),
    2n ** 70n,
    new Instant(5n),
    new Instant(-(2n ** 63n)),
    new JsonText('{"a":1}'),
  ]
  test.each([
    ['one class', ['a', 'b', 'a']],
    ['numbers', [1, 2.5, 1]],
    ['big integers', [1, 2n ** 60n, -(2n ** 62n)]],
    ['beyond int64', [1, 2n ** 70n]],
    ['instants', [new Instant(7n), new Instant(startNs)]],
    ['bools', [true, false]],
    ['everything', odd],
  ] as const)('a field of %s', (_, values: readonly Value[]) => {
    for (const isSealed of [true, false]) {
      const table = newTable()
      const rows = values.map((value, i) => ({
        timeNs: startNs + BigInt(i),
        row: new Map<string, Value>(
          i % 4 === 3
            ? [['other', i]]
            : [
                ['field', value],
                ['other', i],
              ],
        ),
      }))
      table.writer.appendRows(rows)
      if (isSealed) table.seal()
      const found = rowsOfTable(table)
      found.forEach((row, i) => {
        expect(row.get('_time')).toEqual(new Instant(startNs + BigInt(i)))
        expect(row.get('field')).toEqual(rows[i]?.row.get('field'))
        expect(row.get('other')).toBe(i)
      })
      expect(found.length).toBe(values.length)
    }
  })

  test.each([1, 2, 1000, 70_000])('segments of %i rows', (count) => {
    const table = newTable()
    const rows = Array.from({ length: count }, (_, i) => ({
      timeNs: startNs + BigInt((i * 7919) % count),
      row: new Map<string, Value>([
        ['level', i % 2 === 0 ? 'info' : 'error'],
        ['n', i],
        ['content', `message ${i} of the day`],
        ...(i % 100 === 0 ? [['rare', i] as const] : []),
      ]),
    }))
    table.writer.appendRows(rows)
    expect(table.view.usage().rows).toBe(count)
    table.seal()
    const segments = table.view.snapshot()
    expect(segments.length).toBe(Math.ceil(count / 65_536))
    for (const segment of segments) {
      for (let row = 0; row < segment.rowCount; row += 97) {
        const sequence = sequenceAt(segment, row)
        expect(timeNsAt(segment, row)).toBe(rows[sequence]?.timeNs)
        expect(rowsOfSegmentAt(segment, row)).toEqual(
          new Map<string, Value>([
            ['_time', new Instant(present(rows[sequence]).timeNs)],
            ...present(rows[sequence]).row,
          ]),
        )
        if (row > 0) expect(segment.deltas[row]).toBeGreaterThanOrEqual(present(segment.deltas[row - 1]))
      }
    }
  })

  test('rows of one instant stay in order of ingestion', () => {
    const table = newTable()
    table.writer.appendRows(
      Array.from({ length: 50 }, (_, n) => ({ timeNs: startNs + BigInt(n % 2), row: new Map([['n', n]]) })),
    )
    table.seal()
    expect(rowsOfTable(table).map((row) => Number(row.get('n')))).toEqual([
      ...Array.from({ length: 25 }, (_, i) => i * 2),
      ...Array.from({ length: 25 }, (_, i) => i * 2 + 1),
    ])
  })

  test('times far apart go to segments of their own and stay exact', () => {
    const table = newTable()
    const times = [-(2n ** 63n), -1n, 0n, 1n, startNs, startNs + 1n, 2n ** 62n + 1n, 2n ** 63n - 1n]
    table.writer.appendRows(times.map((timeNs) => ({ timeNs, row: new Map<string, Value>([['t', String(timeNs)]]) })))
    table.seal()
    const found = rowsOfTable(table).map((row) => [row.get('_time'), row.get('t')])
    expect(found.toSorted((a, b) => Number(BigInt(a[1] as string) - BigInt(b[1] as string)))).toEqual(
      times.map((ns) => [new Instant(ns), String(ns)]),
    )
    expect(table.view.usage()).toMatchObject({ rows: 8, minTimeNs: times[0], maxTimeNs: times[7] })
  })

  test('a snapshot keeps its rows while the table grows', () => {
    const table = newTable()
    table.writer.appendRows([{ timeNs: startNs, row: new Map([['level', 'info']]) }])
    const before = table.view.snapshot()
    table.writer.appendRows(
      Array.from({ length: 5000 }, (_, i) => ({ timeNs: startNs + 1n, row: new Map([['level', `l${i}`]]) })),
    )
    table.seal()
    expect(before.flatMap(rowsOfSegment).map((row) => row.get('level'))).toEqual(['info'])
    expect(rowsOfTable(table).length).toBe(5001)
  })

  test('queries between appends see all rows, each once', () => {
    const table = newTable()
    const expected: string[] = []
    for (let i = 0; i < 9000; i++) {
      const row = new Map<string, Value>([['n', i]])
      if (i % 5 > 0) row.set('content', `text ${i}`)
      if (i % 700 === 0) row.set('rare', `r${i}`)
      if (i > 3000) row.set('late', i / 8)
      table.writer.appendRows([{ timeNs: startNs + BigInt((i * 37) % 1000), row }])
      expected.push(sortedText(row))
      if (i % 1500 === 0 || i === 8999) {
        const found = table.view.snapshot().flatMap((segment) =>
          rowsOfSegment(segment).map((one): readonly [number, string] => {
            one.delete('_time')
            return [Number(one.get('n')), sortedText(one)]
          }),
        )
        expect(found.sort((a, b) => a[0] - b[0]).map(([, text]) => text)).toEqual(expected)
      }
    }
    expect(table.view.snapshot().length).toBeGreaterThan(2)
    table.seal()
    expect(table.view.snapshot().length).toBe(1)
    expect(rowsOfTable(table).length).toBe(9000)
  })

  test('fields of many different values give up their codes', () => {
    const table = newTable()
    const rows = Array.from({ length: 9000 }, (_, i) => ({
      timeNs: startNs + BigInt(i),
      row: new Map<string, Value>([
        ['n', i + 0.5],
        ['url', `https://example.org/${'x'.repeat(150)}/${i}`],
        ['few', i % 3],
      ]),
    }))
    table.writer.appendRows(rows)
    table.seal()
    const [segment] = table.view.snapshot()
    expect(segment?.columns.get('n')?.column.kind).toBe('float64')
    expect(segment?.columns.get('url')?.column.kind).toBe('text')
    expect(segment?.columns.get('few')?.column.kind).toBe('dictionary')
    rowsOfSegment(present(segment)).forEach((row, i) =>
      expect([row.get('n'), row.get('url')]).toEqual([i + 0.5, rows[i]?.row.get('url')]),
    )
  })

  test('only buffers that threads can share', () => {
    const table = newTable()
    table.writer.appendRows(
      Array.from({ length: 3000 }, (_, i) => ({
        timeNs: startNs + BigInt(i),
        row: new Map<string, Value>([
          ['content', `word${i} x`],
          ['level', `l${i % 5}`],
          ['n', i / 7],
          ['mixed', i % 2 === 0 ? i : `${i}`],
        ]),
      })),
    )
    table.seal()
    const seen: string[] = []
    const visit = (value: unknown, path: string): void => {
      if (ArrayBuffer.isView(value)) {
        if (!(value.buffer instanceof SharedArrayBuffer)) seen.push(path)
      } else if (Array.isArray(value)) seen.push(path)
      else if (value instanceof Map) for (const [key, member] of value) visit(member, `${path}.${String(key)}`)
      else if (value !== null && typeof value === 'object' && !path.endsWith('dictionary')) {
        for (const [key, member] of Object.entries(value)) visit(member, `${path}.${key}`)
      }
    }
    visit(table.view.snapshot()[0], 'segment')
    expect(seen).toEqual([])
  })
})

function rowsOfSegmentAt(segment: Segment, row: number): Row {
  const found = new Map<string, Value>()
  for (const [name, { column }] of segment.columns) {
    const value = valueAt(column, row)
    if (value !== null) found.set(name, value)
  }
  // The order of fields is irrelevant here.
  return new Map(
    ['_time', 'level', 'n', 'content', 'rare'].flatMap((name) =>
      found.has(name) ? [[name, found.get(name) ?? null] as const] : [],
    ),
  )
}

describe('JSON lines', () => {
  const lines = [
    '{"_time":"2026-01-01T00:00:00.5Z","level":"info","content":"plain words"}',
    '{"_time":"2026-01-01T00:00:01Z","level":"info","content":"next, same shape"}',
    '{ "_time" : "2026-01-01T01:00:02+01:00" , "n" : -12.50e1, "content": "blanks \\"and\\" escapes \\u00e9" }',
    '{"timestamp":"2026-01-01T00:00:03.123456789Z","message":"aliases","severity":"warn"}',
    '{"message":"alias and field","content":"own name wins","_time":1767225604}',
    '{"a":{"b":{"c":1},"d":[1, 2,{"x":null}]},"e":null,"f":true,"g":false}',
    '{"big":9007199254740993,"bigger":123456789012345678901234567890,"neg":-9223372036854775808,"zero":-0,"f":0.1,"e":1e400}',
    '{"dup":1,"dup":2}',
    '{"naïve":"ключ","emoji":"😀","lone":"\\ud800"}',
    '{"_time":"yesterday","content":"a bad time stays beside"}',
    '{"_time":"2026-02-30T00:00:00Z","content":"no such day"}',
    '{"_time":"2016-12-31T23:59:60Z","content":"leap"}',
    '{"number as text":"12","empty":"","digits":0.123456789012345678,"int":123456789012345,"sixteen":1234567890123456}',
    '{"":"no name","__proto__":"own","constructor":1,"a.b":2}',
    '{"string_attributes":{"http.method":"GET"},"content":"typed maps"}',
  ]

  test('become the rows of the general reader', () => {
    const table = newTable()
    const nowNs = 42n
    const report = table.writer.appendJsonLines(Buffer.from(`${lines.join('\n')}\n`), { nowNs })
    expect(report).toMatchObject({ lines: lines.length, rows: lines.length, badLines: 0, examples: [] })
    expect(report).toMatchObject({ unreadableTimes: 2, unreadableTime: 'yesterday' })
    const expected = lines.map((line, sequence) => {
      const record: MutableRow = new Map()
      flattenRecord(record, parseJsonExact(line) as { readonly [key: string]: ExactJson })
      return storedRow(table.definition, record, { nowNs }, sequence)
    })
    const found = new Map<number, Map<string, Value>>()
    for (const segment of table.view.snapshot()) {
      rowsOfSegment(segment).forEach((row, i) => found.set(sequenceAt(segment, i), row))
    }
    for (const { sequence, row } of expected) {
      const present = new Map([...row].filter(([, value]) => value !== null))
      expect(Object.fromEntries(found.get(sequence) ?? [])).toEqual(Object.fromEntries(present))
    }
  })

  test('bad lines are reported and the others kept', () => {
    const table = newTable()
    const text = [
      '{"ok":1}',
      '',
      '   ',
      'not json',
      '{"a":1',
      '[1]',
      '"text"',
      '{}',
      '{"a":null}',
      '{"a":01}',
      '{"a":1.}',
      '{"a":+1}',
      '{"a":tru}',
      "{'a':1}",
      '{"a":1}{"b":2}',
      '{"a":"line\tbreak"}',
      '{"a":"\\x"}',
      '{"a":1,}',
      `{"a":${'['.repeat(200)}${']'.repeat(200)}}`,
      '{"ok":2}\r',
      '{"ok":3}',
    ]
    const report = table.writer.appendJsonLines(Buffer.from(text.join('\n')), { nowNs: 0n, firstLine: 10 })
    expect(report.lines).toBe(text.length)
    expect(report.rows).toBe(3)
    expect(report.badLines).toBe(text.length - 3 - 2)
    expect(report.examples[0]).toMatchObject({ lineNumber: 13, excerpt: 'not json' })
    expect(report.examples.map((example) => example.reason).every((reason) => reason !== '')).toBe(true)
    expect(rowsOfTable(table).map((row) => row.get('ok'))).toEqual([1, 2, 3])
  })

  test('broken UTF-8 is replaced, a byte order mark dropped', () => {
    const table = newTable()
    const bytes = Buffer.concat([Buffer.from('\ufeff{"a":"x'), Buffer.from([0xff, 0xc3]), Buffer.from('y"}\n')])
    expect(table.writer.appendJsonLines(bytes, { nowNs: 0n }).badLines).toBe(0)
    expect(rowsOfTable(table)[0]?.get('a')).toBe('x\ufffd\ufffdy')
  })
})

const manyRows = (from: number, count: number): { timeNs: bigint; row: Row }[] =>
  Array.from({ length: count }, (_, i) => ({
    // The times are out of order, so that sealing must sort the rows; some rows contain a wide character.
    timeNs: startNs + BigInt(((from + i) * 7919) % 1_000_003),
    row: new Map<string, Value>([
      ['content', `line ${from + i} of ${i % 50} ${i % 1000 === 0 ? 'é' : 'e'}`],
      ['level', i % 3 === 0 ? 'error' : 'info'],
      ['size', i % 700],
    ]),
  }))

test('a full tail is sealed in many steps, and all rows are visible after each step', () => {
  const plain = newTable()
  plain.writer.appendRows(manyRows(0, 70_000))
  plain.writer.appendRows(manyRows(70_000, 70_000))
  const table = newTable()
  table.sealer.sealingLater(() => table.writer.appendRows(manyRows(0, 70_000)))
  expect(table.view.usage()).toMatchObject({ rows: 70_000, segments: 0 })
  let steps = 0
  for (const _ of table.sealer.sealFull()) {
    if (steps++ % 25 === 0) expect(table.view.snapshot().reduce((sum, { rowCount }) => sum + rowCount, 0)).toBe(70_000)
  }
  expect(steps).toBeGreaterThan(100)
  expect(table.view.usage()).toMatchObject({ rows: 70_000, segments: 1 })
  table.sealer.sealingLater(() => table.writer.appendRows(manyRows(70_000, 70_000)))
  const begun = table.sealer.sealFull()
  for (let i = 0; i < 20; i++) begun.next()
  // Sealing synchronously completes a seal in progress; the stepwise call then has nothing left to do.
  table.seal()
  expect(begun.next().done).toBe(true)
  plain.seal()
  const shown = (each: MemoryTable): unknown =>
    each.view.snapshot().map(({ id: _, columns, words, ...segment }) => ({
      ...segment,
      columns: [...columns].map(([name, { column, counts }]) => [name, column.kind, column.length, counts]),
      words: words === undefined ? undefined : { ...words },
    }))
  expect(shown(table)).toEqual(shown(plain))
  expect(rowsOfTable(table).slice(0, 100)).toEqual(rowsOfTable(plain).slice(0, 100))
})

test('a full tail that a query has read is not copied again when it is sealed', () => {
  const table = newTable()
  table.sealer.sealingLater(() => table.writer.appendRows(manyRows(0, 70_000)))
  const [before] = table.view.snapshot()
  table.seal()
  const [after] = table.view.snapshot()
  expect(before?.words).toBeUndefined()
  expect(after?.words).toBeDefined()
  expect(after?.deltas).toBe(before?.deltas)
  expect(after?.columns).toBe(before?.columns)
})
