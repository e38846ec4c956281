import { expect, test } from 'vitest'
import { emptyReport, readRecords } from '../../src/ingest/index.ts'

const nowNs = 1_767_225_600_000_000_000n

/** What is read of a file: content, level and time of each record, and how many lines could not be read. */
async function read(text: string) {
  const report = emptyReport()
  const records: unknown[][] = []
  const chunks = (async function* () {
    yield Buffer.from(text)
  })()
  for await (const some of readRecords(chunks, { format: 'auto', nowNs, report }))
    for (const row of some) records.push(['content', 'level', '_time'].map((name) => row.get(name)))
  return { records, badLines: report.badLines }
}

const DIM = '\u001b[2m'
const RED = '\u001b[1;31m'
const OFF = '\u001b[0m'

test('colours of a terminal hide neither time nor level, and are no part of the text', async () => {
  const plain = await read('2026-01-02T03:04:05Z ERROR my_app: no\n2026-01-02T03:04:06Z INFO my_app: yes\n')
  const colored = `${DIM}2026-01-02T03:04:05Z${OFF} ${RED}ERROR${OFF} my_app: no\r\n2026-01-02T03:04:06Z ${RED}INFO${OFF} my_app: yes\n`
  expect(plain.records).toHaveLength(2)
  expect(plain.records.map(([, level]) => level)).toEqual(['error', 'info'])
  expect(await read(colored)).toEqual(plain)
  const logfmt = 'level=error msg="one two"\nlevel=info msg=three\n'
  expect(await read(logfmt.replaceAll('level', `${DIM}level${OFF}`))).toEqual(await read(logfmt))
})

test('a text with some lines of JSON is read line by line', async () => {
  const lines = ['2026-01-02T03:04:05Z ERROR one', '{"time":"2026-01-02T03:04:06Z","msg":"two"}', 'three', 'four']
  const { records, badLines } = await read(lines.join('\n'))
  expect(badLines).toBe(0)
  expect(records).toHaveLength(4)
})

test('JSON lines with some that are cut are told of these', async () => {
  const { records, badLines } = await read('{"msg":"one"}\n{"msg":\n{"msg":"three"}\n')
  expect([records.length, badLines]).toEqual([2, 1])
})
