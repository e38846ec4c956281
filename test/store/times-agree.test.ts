import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  Instant,
  exampleContext,
  parseJsonExact,
  rowsOf,
  timeFormats,
  type ExactJsonObject,
  type MutableRow,
  type Value,
} from '../../src/data/index.ts'
import { decoderFor, newTenant } from '../../src/server/index.ts'
import { runToEnd } from '../../src/base/index.ts'
import { loadFiles } from '../../src/sources/files/index.ts'
import { PartThread } from '../../src/sources/files/parts/part-thread.ts'
import { MemoryTable, flattenRecord, logsTable, storedRow, type RecordOptions } from '../../src/store/index.ts'
import { emptyReport } from '../../src/ingest/index.ts'

const { nowNs } = exampleContext

/** Values of record members that may be times, as JSON. */
const written = [
  ...timeFormats.flatMap(({ examples }) => examples.map(([text]) => JSON.stringify(text))),
  ...timeFormats.flatMap(({ examples }) =>
    examples.flatMap(([text]) => (/^[\d.]+(e\+?\d+)?$/i.test(text) ? [text] : [])),
  ),
  ...`42 0 -1 20 1e9 1.5E9 1e400 true null "" "yesterday" [1] {"a":1} 123456789012 1562529662.6781234567891
    1562529662678.1234567 1562529662678123456.9 -1562529662.5 1562529662.000000`.split(/\s+/),
  '"2006-01-02T15:04:05.123456789012Z"',
  '"2006-01-02 15:04:05 CST"',
  '"2006-01-02T15:04:05\\u005a"',
  '"0001-01-01T00:00:00Z"',
  '"2025-10-26 02:30:00"',
  '"2025-03-30 02:30:00"',
  '"2300-01-01T00:00:00Z"',
  '"1700-01-01 00:00:00"',
]

const lines = written.map((time, i) => `{"n":${i},"when":${time},"content":"line ${i}"}`)

type Times = readonly (readonly [n: unknown, ns: bigint, text: Value])[]

function timesOf(rows: Iterable<ReadonlyMap<string, Value>>): Times {
  return [...rows]
    .map((row) => {
      const time = row.get('_time')
      return [
        Number(row.get('n') ?? -1),
        time instanceof Instant ? time.ns : -1n,
        row.get('_time.text') ?? null,
      ] as const
    })
    .sort(([a], [b]) => a - b)
}

async function tableTimes(table: MemoryTable): Promise<Times> {
  const rows: ReadonlyMap<string, Value>[] = []
  for await (const batch of table.view.scan().batches) rows.push(...rowsOf(batch))
  return timesOf(rows)
}

function model(options: RecordOptions): Times {
  return timesOf(
    lines.map((line) => {
      const record: MutableRow = new Map()
      flattenRecord(record, parseJsonExact(line) as ExactJsonObject)
      return storedRow(logsTable, record, { nowNs, options }).row
    }),
  )
}

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-times-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function file(text: string, options: RecordOptions): Promise<Times> {
  const path = join(folder, 'lines.jsonl')
  writeFileSync(path, text)
  const thread = new PartThread()
  try {
    const table = new MemoryTable(logsTable)
    await loadFiles([path], table, { format: 'json', nowNs, options, thread: async () => thread })
    return await tableTimes(table)
  } finally {
    await thread.close()
  }
}

async function decoded(format: string, text: string, options: RecordOptions): Promise<Times> {
  const tenant = newTenant()
  runToEnd(runToEnd(decoderFor('logs', format).decode(Buffer.from(text), nowNs, options)).apply(tenant))
  return tableTimes(tenant.store.table('logs'))
}

const FILLER = `{"when":"2020-01-01T00:00:00Z","content":"${'x'.repeat(200)}"}\n`

const ways: readonly [string, (options: RecordOptions) => Promise<Times>][] = [
  ['lines, one by one', (options) => decoded('ndjson', lines.join('\n'), options)],
  ['a list', (options) => decoded('json', `[${lines.join(',')}]`, options)],
  [
    'many lines, by the scanner',
    async (options) => {
      const times = await decoded('ndjson', `${FILLER.repeat(2000)}${lines.join('\n')}\n`, options)
      return times.filter(([n]) => n !== -1)
    },
  ],
  [
    'a large file, in parts by two threads',
    async (options) => {
      const times = await file(`${FILLER.repeat(40_000)}${lines.join('\n')}\n`, options)
      return times.filter(([n]) => n !== -1)
    },
  ],
]

const zones: readonly RecordOptions[] = [
  { timeFields: ['when'] },
  { timeFields: ['when'], zone: 'Europe/Berlin' },
  { timeFields: ['when'], zone: '-07:00' },
]

for (const options of zones) {
  test.each(ways)(`%s, give the times of the row model in ${options.zone ?? 'UTC'}`, async (_, way) => {
    expect(await way(options)).toEqual(model(options))
  })
}

test('the model itself: fractions of numbers are exact, what is not a time stays beside', () => {
  const byText = new Map(model({ timeFields: ['when'] }).map(([n, ns, text]) => [written[Number(n)], { ns, text }]))
  expect(byText.get('1562529662.678123456')).toEqual({ ns: 1562529662678123456n, text: null })
  expect(byText.get('1562529662.6781234567891')).toEqual({ ns: 1562529662678123456n, text: null })
  expect(byText.get('1e9')).toEqual({ ns: 10n ** 18n, text: null })
  expect(byText.get('42')).toEqual({ ns: nowNs, text: 42 })
  expect(byText.get('"yesterday"')).toEqual({ ns: nowNs, text: 'yesterday' })
  expect(byText.get('null')).toEqual({ ns: nowNs, text: null })
  expect(byText.get('""')).toEqual({ ns: nowNs, text: null })
})

test('a million rows whose times cannot be read are counted, with the first as an example', { tags: ['slow'] }, () => {
  const table = new MemoryTable(logsTable)
  const chunk = Buffer.from(`{"ts":"not yet","content":"x"}\n`.repeat(100_000))
  const report = emptyReport()
  for (let i = 0; i < 10; i++) report.addAll(table.writer.appendJsonLines(chunk, { nowNs }))
  expect(report.found()).toEqual({ unreadableTimes: 1_000_000, unreadableTime: 'not yet' })
})
