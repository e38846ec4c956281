import { gzipSync } from 'node:zlib'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { NotText } from '../../../src/sources/files/content.ts'
import { loadFiles } from '../../../src/sources/files/index.ts'
import { gzipUnpacked } from '../../../src/sources/files/gzip.ts'
import { createMemoryStore, standardCatalog } from '../../../src/store/index.ts'
import { valueAt } from '../../../src/data/index.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-damaged-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const nowNs = 1_767_225_600_000_000_000n
let files = 0

/** Reads a file. Returns the sorted strings of its rows, and the messages about it. */
async function read(content: Uint8Array | string) {
  const path = join(folder, `${files++}.log`)
  writeFileSync(path, content)
  const table = createMemoryStore(standardCatalog).table('logs')
  const { passedOver, badLines, examples } = await loadFiles([path], table, { format: 'auto', nowNs })
  const texts = table.view.snapshot().flatMap((segment) => {
    const column = segment.columns.get('content')?.column
    return Array.from({ length: segment.rowCount }, (_, row) => (column === undefined ? null : valueAt(column, row)))
  })
  return {
    texts: texts.map(String).toSorted(),
    notices: passedOver.map(({ reason }) => reason.slice(path.length + 1)),
    badLines,
    reasons: examples.map(({ reason }) => reason),
  }
}

const json = (count: number): string =>
  Array.from(
    { length: count },
    (_, i) => `{"msg":"line ${i}","k":"${((i * 2_654_435_761) % 2 ** 32).toString(16)}"}\n`,
  ).join('')

describe('a gzip file', () => {
  const whole = gzipSync(json(4000))

  test.each([0.1, 0.5, 0.9, 0.999])('that is cut at %d of its length gives all that can be unpacked', async (share) => {
    const { texts, notices } = await read(whole.subarray(0, Math.floor(whole.length * share)))
    expect(notices).toEqual(['is not a complete gzip file: it is cut off'])
    expect(texts.length).toBeGreaterThan(4000 * share * 0.6)
    const known = new Set(texts)
    expect(Array.from({ length: texts.length - 1 }, (_, i) => known.has(`line ${i}`))).not.toContain(false)
  })

  test('that is cut within the checksum is read', async () => {
    const { texts, notices } = await read(whole.subarray(0, -3))
    expect([texts.length, notices]).toEqual([4000, ['is not a complete gzip file: it is cut off']])
  })

  test.each([
    ['other bytes', Buffer.from('garbage!!')],
    ['one byte', Buffer.from('x')],
    ['half of a mark', Buffer.from([0x1f])],
  ])('with %s behind its end is read, and they are told', async (_, garbage) => {
    expect(await read(Buffer.concat([gzipSync('{"msg":"one"}'), garbage]))).toEqual({
      texts: ['one'],
      notices: ['is not a complete gzip file: other bytes follow its end, which are ignored'],
      badLines: 0,
      reasons: [],
    })
  })

  test('with zero bytes behind its end, as tapes pad it, is whole', async () => {
    const { texts, notices } = await read(Buffer.concat([gzipSync('{"msg":"one"}\n'), Buffer.alloc(512)]))
    expect([texts, notices]).toEqual([['one'], []])
  })

  test('with a damaged byte gives what comes before it', async () => {
    const damaged = Buffer.from(gzipSync(json(40_000)))
    damaged.fill(0xff, damaged.length - 2000, damaged.length - 1900)
    const { texts, notices } = await read(damaged)
    expect(notices).toHaveLength(1)
    expect(texts.length).toBeGreaterThan(30_000)
  })

  test('of several members with names and comments comes in pieces of any length', async () => {
    // A gzip header with extra bytes, a name, a comment and a checksum.
    const plain = gzipSync('two\n')
    const head = Buffer.from([0x1f, 0x8b, 8, 30, 0, 0, 0, 0, 0, 3, 2, 0, 1, 2, 0x61, 0, 0x62, 0, 9, 9])
    const all = Buffer.concat([gzipSync('one\n'), head, plain.subarray(10), gzipSync(''), gzipSync('three\n')])
    for (const size of [1, 2, 7, 1000]) {
      const source = (async function* () {
        for (let at = 0; at < all.length; at += size) yield all.subarray(at, at + size)
      })()
      let text = ''
      for await (const piece of gzipUnpacked(source)) text += Buffer.from(piece).toString()
      expect(text).toBe('one\ntwo\nthree\n')
    }
  })

  test('of which nothing can be read is an error', async () => {
    await expect(read(whole.subarray(0, 12))).rejects.toThrow('is not a complete gzip file')
    const wrong = Buffer.from(gzipSync('x'))
    wrong[2] = 7
    await expect(read(wrong)).rejects.toThrow('unknown compression method')
  })
})

describe('zero bytes', () => {
  const first = '2026-01-02T03:04:05Z first'
  const second = '2026-01-02T03:04:09Z second'

  test.each([
    ['a line', `${first}\n${'\0'.repeat(512)}${second}\n`, 1],
    ['the file', `${'\0'.repeat(8192)}${first}\n${second}\n`, 1],
    ['the end', `${first}\n${second}\n${'\0'.repeat(512)}`, 1],
    ['a line end', `${first}\n${second}${'\0'.repeat(512)}\n`, 1],
    ['JSON', `{"msg":"${first}"}\n${'\0'.repeat(512)}{"msg":"${second}"}\n{"msg":"${first}"}\n`, 1],
  ])('before or behind %s are left out and told', async (_, content, told) => {
    const { texts, badLines, reasons } = await read(content)
    expect([...new Set(texts)]).toEqual([first, second])
    expect([badLines, reasons[0]]).toEqual([told, 'zero bytes, which are left out'])
  })

  test.each([Buffer.alloc(10_000), gzipSync(Buffer.alloc(10_000))])(
    'alone are no row, which is told',
    async (content) => {
      const { texts, badLines } = await read(content)
      expect([texts, badLines]).toEqual([[], 1])
    },
  )

  test('one within a line belongs to the text', async () => {
    const { texts, badLines } = await read(`${first}\0and more\n${second}\n`)
    expect([texts, badLines]).toEqual([[`${first}\0and more`, second], 0])
  })

  test.each([
    ['UTF-16 without its mark', Buffer.from('some text of a file\n'.repeat(20), 'utf16le')],
    ['numbers of four bytes', Buffer.from(Uint32Array.from({ length: 400 }, (_, i) => i).buffer)],
  ])('%s is no text', async (_, content) => {
    await expect(read(content)).rejects.toThrow(NotText)
  })
})
