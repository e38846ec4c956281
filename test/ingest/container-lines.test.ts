import { describe, expect, test } from 'vitest'
import { plainText, textRecords } from '../../src/ingest/index.ts'
import { createMemoryStore, standardCatalog } from '../../src/store/index.ts'

const reading = { nowNs: 1_767_225_600_000_000_000n }

/** Formats lines as a container runtime does. Lines that begin with ! belong to standard error. */
function wrapped(lines: readonly string[]): Buffer {
  const text = lines.map((line, i) => {
    const time = `2026-03-17T10:00:${String(i).padStart(2, '0')}.000000000Z`
    return line.startsWith('!') ? `${time} stderr F ${line.slice(1)}` : `${time} stdout F ${line}`
  })
  return Buffer.from(`${text.join('\n')}\n`)
}

function read(lines: readonly string[]): { readonly rows: number; readonly generalRecords: number } {
  const table = createMemoryStore(standardCatalog).table('logs')
  const reader = table.writer.reader(textRecords(plainText(reading)), reading)
  reader.append(wrapped(lines), reading)
  reader.flush()
  const { rows, generalRecords } = reader.take()
  return { rows, generalRecords }
}

const logfmt = (i: number): string => `level=info msg=m${i} n=${i}`
const java = (i: number): string => `2026-03-17 10:00:00,00${i} INFO message ${i}`

describe('the general reader reads no more lines of containers than it has to', () => {
  test.each([
    ['plain text among logfmt', [logfmt(1), 'plain', logfmt(2), logfmt(3), 'plain', logfmt(4)], 6, 0],
    ['text with a level, which has no template', ['plain', logfmt(1), 'ERROR: plain', logfmt(2), 'plain', logfmt(3)], 6, 1],
    ['text that goes on with a line with a time', [java(1), 'plain', logfmt(1), 'plain', logfmt(2)], 4, 2],
    ['text that goes on with text', [logfmt(1), 'plain', '\tat a.B', 'plain', 'plain', logfmt(2)], 5, 2],
    ['plain text of the other stream', [logfmt(1), '!plain', logfmt(2), logfmt(3), '!plain', logfmt(4)], 6, 1],
    ['objects', ['{"level":"info","n":1}', 'plain', '{"level":"info","n":2}'], 3, 0],
    ['lines with a time, as far as nothing goes on with them', [java(1), java(2), java(3), java(4)], 4, 1],
    ['none of which is known to be complete', [`!${java(1)}`, java(2), '!\tat a.B', java(3), `!${java(4)}`], 4, 5],
  ])('%s', (_, lines, rows, generalRecords) => {
    expect(read(lines)).toEqual({ rows, generalRecords })
  })
})
