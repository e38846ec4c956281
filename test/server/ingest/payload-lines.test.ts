import { describe, expect, test } from 'vitest'
import { runToEnd, runCooperatively, type StepwiseTask } from '../../../src/base/index.ts'
import { createMemoryStore, standardCatalog } from '../../../src/store/index.ts'
import type { IngestTarget } from '../../../src/server/ingest/decoder.ts'
import { decoderFor } from '../../../src/server/ingest/decoders/index.ts'
import { checkLineCount, linesOf, chunksOf } from '../../../src/server/ingest/payload-lines.ts'

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

function newTarget(): IngestTarget {
  return { store: createMemoryStore(standardCatalog) } as IngestTarget
}

/** Runs a task to its end. Returns the number of yields and the result. */
function turnsOf<T>(turns: StepwiseTask<T>): { readonly count: number; readonly value: T } {
  for (let count = 0; ; count++) {
    const next = turns.next()
    if (next.done === true) return { count, value: next.value }
  }
}

describe('a payload in pieces', () => {
  test.each([0, 1, 100_000, 262_143, 262_144, 262_145, 800_000])(
    'of lines of about %i bytes is the payload',
    (length) => {
      const lines = Array.from({ length: 5 }, (_, i) => `${'x'.repeat(length)}${i}`)
      const payload = bytesOf(`\uFEFF${lines.join('\r\n')}`)
      const pieces = [...chunksOf(payload)]
      expect(pieces.flatMap((piece) => linesOf(piece))).toEqual(lines)
      expect(Buffer.concat(pieces.map(({ bytes }) => bytes)).equals(Buffer.from(payload))).toBe(true)
    },
  )

  test('has no more lines than are taken at once', () => {
    expect(() => runToEnd(checkLineCount(new Uint8Array(2_000_001).fill(10)))).toThrow('more than 2000000 lines')
    expect(() => runToEnd(checkLineCount(new Uint8Array(2_000_000).fill(10)))).not.toThrow()
  })
})

describe('lines of all kinds are ingested piece by piece', () => {
  const record = '{"_time":"2026-03-17T10:00:00Z","content":"a line with some words in it","level":"info"}'
  test.each([
    ['ndjson', `${record}\n`.repeat(10_000), 3],
    ['text', '2026-03-17T10:00:00Z info a line with some words in it\n'.repeat(10_000), 5],
    ['json', `[${`${record},`.repeat(9_999)}${record}]`, 15],
  ])('%s', (format, text, least) => {
    const decoded = turnsOf(decoderFor('logs', format).decode(bytesOf(text), 0n))
    const target = newTarget()
    const { count, value } = turnsOf(decoded.value.apply(target))
    expect(value).toEqual({ accepted: 10_000, rejected: 0, errors: [] })
    expect(decoded.count + count).toBeGreaterThan(least)
    expect(target.store.table('logs').view.usage().rows).toBe(10_000)
  })

  test.each(['ndjson', 'text'])('a line of %s that is too long is refused, and those around it are not', (format) => {
    const text = `${record}\n${record.replace('words', 'w'.repeat(9 * 2 ** 20))}\n${record}\n`
    const decoded = runToEnd(decoderFor('logs', format).decode(bytesOf(text), 0n))
    expect(runToEnd(decoded.apply(newTarget()))).toEqual({
      accepted: 2,
      rejected: 1,
      errors: [{ line: 2, reason: 'longer than 8 MiB', excerpt: '' }],
    })
  })

  test('lines that are no records are reported once they are counted', () => {
    const decoded = runToEnd(decoderFor('logs', 'ndjson').decode(bytesOf('{}\n'.repeat(20_000)), 0n))
    const report = runToEnd(decoded.apply(newTarget()))
    expect([report.accepted, report.rejected, report.errors.length]).toEqual([0, 20_000, 5])
  })

  test('the event loop runs meanwhile', async () => {
    const decoded = runToEnd(decoderFor('logs', 'ndjson').decode(bytesOf(`${record}\n`.repeat(50_000)), 0n))
    let ticks = 0
    const timer = setInterval(() => ticks++, 0)
    await runCooperatively(decoded.apply(newTarget()), 0)
    clearInterval(timer)
    expect(ticks).toBeGreaterThan(2)
  })
})
