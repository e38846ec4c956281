// @module-tag slow
import { describe, expect, test } from 'vitest'
import { present } from '../../../../src/base/index.ts'
import { Instant, JsonText, valueAt, type Value } from '../../../../src/data/index.ts'
import {
  createMemoryStore,
  sequenceAt,
  standardCatalog,
  timeNsAt,
  type AppendReport,
  type MemoryTable,
  type MemoryTableOptions,
} from '../../../../src/store/index.ts'

function newTable(options: MemoryTableOptions = {}): MemoryTable {
  return createMemoryStore(standardCatalog, options).table('logs')
}

function text(value: Value): string {
  if (value instanceof Instant) return `time ${value.ns}`
  if (value instanceof JsonText) return `json ${value.json}`
  return `${typeof value} ${String(value)}`
}

/** Formats every row with its time, its position in the input, and its fields. */
function rowsOf(table: MemoryTable): string[] {
  const rows = table.view.snapshot().flatMap((segment) =>
    Array.from({ length: segment.rowCount }, (_, row) => {
      const fields = [...segment.columns]
        .map(([name, { column }]) => [name, valueAt(column, row)] as const)
        .filter(([, value]) => value !== null)
        .map(([name, value]) => `${name}=${text(value)}`)
      return { sequence: sequenceAt(segment, row), line: `${timeNsAt(segment, row)} ${fields.join(' ')}` }
    }),
  )
  return rows.sort((a, b) => a.sequence - b.sequence).map(({ sequence, line }) => `${sequence} ${line}`)
}

function append(table: MemoryTable, bytes: Buffer): AppendReport {
  return table.writer.appendJsonLines(bytes, { nowNs: 7_000_000_000n })
}

/** Appends each line separately, because a single line is too short for the scanner. */
function appendOneByOne(table: MemoryTable, bytes: Buffer): { rows: number; badLines: number } {
  let rows = 0
  let badLines = 0
  for (let start = 0; start < bytes.length;) {
    const found = bytes.indexOf(10, start)
    const end = found === -1 ? bytes.length : found + 1
    const report = append(table, bytes.subarray(start, end))
    rows += report.rows
    badLines += report.badLines
    start = end
  }
  return { rows, badLines }
}

/** Places unusual lines among many regular ones, so that all of them go through the scanner. */
function withFiller(odd: readonly string[], repeat = 1500): Buffer {
  const lines: string[] = []
  for (let i = 0; i < repeat; i++) {
    const second = String(i % 60).padStart(2, '0')
    lines.push(
      `{"_time":"2026-03-17T00:00:${second}.${i}Z","level":"${i % 7 === 0 ? 'error' : 'info'}","n":${i},"content":"filler line number ${i} and ${'text '.repeat(150)}"}`,
      present(odd[i % odd.length]),
    )
  }
  return Buffer.from(lines.join('\n'))
}

function expectSame(bytes: Buffer, options: MemoryTableOptions = {}): void {
  expect(bytes.length).toBeGreaterThan(256 * 1024)
  const scanned = newTable(options)
  const plain = newTable(options)
  const report = append(scanned, bytes)
  const { rows, badLines } = appendOneByOne(plain, bytes)
  expect(report.rows).toBe(rows)
  expect(report.badLines).toBe(badLines)
  expect(rowsOf(scanned)).toEqual(rowsOf(plain))
}

const time = '"_time":"2026-03-17T10:00:00.5Z"'

const oddLines: readonly string[] = [
  `{${time},"content":"a \\"quoted\\" word and a \\\\ backslash"}`,
  `{${time},"content":"caf\\u00e9 \\ud83d\\ude00 \\ud83d lone \\/ \\n \\t"}`,
  `{${time},"content":"naïve ☃ 日本語 text 😀"}`,
  `{${time},"content":"wrong \\q escape"}`,
  `{${time},"content":"half \\u12 escape"}`,
  `{${time},"content":"ends in a backslash\\"}`,
  `{${time},"content":"a raw \u0001 control"}`,
  `{${time},"content":"a raw tab\there"}`,
  `{${time},"content":"never closed}`,
  `{${time},"content":""}`,
  `{${time},"content":"\u007f delete"}`,
  `{${time},"level":"error","level":"info","content":"twice"}`,
  `{${time},"level":"error","severity":"info","content":"alias beside its field"}`,
  `{${time},"a":{"b":{"c":1},"d":[1,2]},"content":"nested"}`,
  `{${time},"a":[1,"x",null],"content":"array"}`,
  `{${time},"n":9007199254740991,"content":"2^53-1"}`,
  `{${time},"n":9007199254740992,"content":"2^53"}`,
  `{${time},"n":9007199254740993,"content":"2^53+1"}`,
  `{${time},"n":-9007199254740993,"content":"-2^53-1"}`,
  `{${time},"n":123456789012345678901234567890,"content":"large"}`,
  `{${time},"n":0.1,"content":"fraction"}`,
  `{${time},"n":-0,"content":"minus zero"}`,
  `{${time},"n":-0.000,"content":"minus zero"}`,
  `{${time},"n":0.30000000000000004,"content":"17 digits"}`,
  `{${time},"n":1e5,"content":"exponent"}`,
  `{${time},"n":1E-400,"content":"exponent"}`,
  `{${time},"n":01,"content":"leading zero"}`,
  `{${time},"n":1.,"content":"no fraction"}`,
  `{${time},"n":.5,"content":"no integer"}`,
  `{${time},"n":-,"content":"no digits"}`,
  `{${time},"n":+1,"content":"plus"}`,
  `{${time},"n":1 ,"content":"blank behind"}`,
  `{ ${time} , "n" : 1 , "content" : "blanks" }`,
  `{${time}, "n": 1, "content": "blanks of another writer"}`,
  `  {${time},"n":2,"content":"blank in front"}  `,
  `{${time},"n":3,"content":"carriage return"}\r`,
  `{${time},"n":3,"content":"carriage return twice"}\r\r`,
  `{${time},"n":true,"ok":false,"content":"words"}`,
  `{${time},"n":null,"ok":null,"content":"nothing"}`,
  `{${time},"n":tru,"content":"no word"}`,
  `{${time},"n":truex,"content":"no word"}`,
  `{${time},"n":nul}`,
  `{"content":"no time"}`,
  `{"_time":null,"content":"null time"}`,
  `{"_time":1773741600,"content":"numeric time"}`,
  `{"_time":"yesterday","content":"no time at all"}`,
  `{"_time":"2026-03-17T10:00:00+02:00","content":"zone"}`,
  `{"_time":"2026-02-30T10:00:00Z","content":"no such day"}`,
  `{"time":"2026-03-17T11:00:00Z","message":"aliases","severity":"warn"}`,
  `{${time},"content":"trailing"} x`,
  `{${time},"content":"trailing comma",}`,
  `{${time} "content":"no comma"}`,
  `{${time},"content":"two"}{"content":"objects"}`,
  `{${time},"":"empty name","content":"x"}`,
  `{${time},"n\\u0061me":"escaped name","content":"x"}`,
  `{${time},"näme":"wide name","content":"x"}`,
  '{}',
  '{',
  '',
  '   ',
  'not json',
  '[1,2]',
  '"text"',
  ' \ufeff{"content":"mark of order inside"}',
]

describe('scanned lines', () => {
  test('give the rows of the general reader, whatever is in them', () => {
    expectSame(withFiller(oddLines))
  })

  test('each oddity alone between plain lines', () => {
    for (const line of oddLines) expectSame(withFiller([line], 340))
  })

  test('with a mark of order, line breaks of another system and a last line without one', () => {
    const crlf = Buffer.from(withFiller(oddLines).toString().replaceAll('\n', '\r\n'))
    expectSame(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), crlf]))
  })

  test('bytes that are no UTF-8', () => {
    const line = Buffer.from(`{${time},"content":"broken XY bytes","n":5}`)
    line[line.indexOf('X')] = 0xff
    line[line.indexOf('Y')] = 0xc3
    const parts = Array.from({ length: 8000 }, (_, i) => [line, Buffer.from(i === 7999 ? '' : '\n')]).flat()
    expectSame(Buffer.concat(parts))
  })

  test('more forms of lines than there are templates', () => {
    const odd = Array.from({ length: 60 }, (_, i) => `{${time},"field_${i}":${i},"content":"form ${i}"}`)
    expectSame(withFiller(odd))
  })

  test('fields that are not stored are still checked', () => {
    expectSame(withFiller(oddLines), { keptFields: new Set(['level']) })
  })

  test('a line longer than what is scanned at once', () => {
    const long = `{${time},"content":"${'long '.repeat(500_000)}"}`
    expectSame(withFiller(['{"content":"short"}', long], 4))
  })
})

describe('rows that cannot pass', () => {
  const words = new Map([['content', ['needle']]])

  function kept(options: MemoryTableOptions, bytes: Buffer): string[] {
    const table = newTable(options)
    append(table, bytes)
    return rowsOf(table)
  }

  test('only lines that plainly lack the word are left out, and places stay', () => {
    const odd = [
      `{${time},"content":"a Needle in it"}`,
      `{${time},"content":"NEEDLE"}`,
      `{${time},"content":"n\\u0065edle by escape"}`,
      `{${time},"content":"beyond ASCII: ıİK needle"}`,
      `{${time},"content":"needl"}`,
      `{${time},"content":"eedle"}`,
      `{${time},"content":"${'x'.repeat(40)}needle"}`,
      `{${time},"content":"${'needl'.repeat(9)}"}`,
      `{${time},"content":5}`,
      `{${time},"level":"needle"}`,
      `{${time},"message":"the needle by another name"}`,
    ]
    const bytes = withFiller(odd)
    const all = kept({}, bytes)
    const some = kept({ keptRows: { words } }, bytes)
    const left = new Set(some)
    expect(some.every((row) => all.includes(row))).toBe(true)
    const without = all.filter((row) => !left.has(row))
    expect(without.length).toBeGreaterThan(1500)
    expect(without.filter((row) => /needle/i.test(row))).toEqual([])
  })

  test('rows outside the range are left out', () => {
    const bytes = Buffer.concat([withFiller([`{${time},"content":"inside"}`]), Buffer.from('\n')])
    const startNs = BigInt(Date.UTC(2026, 2, 17, 10)) * 1_000_000n
    const rows = kept({ keptRows: { range: { startNs, endNs: startNs + 500_000_001n } } }, bytes)
    expect(rows.length).toBe(1500)
    expect(kept({ keptRows: { range: { startNs, endNs: startNs + 500_000_000n } } }, bytes).length).toBe(0)
  })
})
