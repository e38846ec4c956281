// @module-tag slow
import { crc32 } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { SluiceError, noReads, present, seededRandom } from '../../../src/base/index.ts'
import type { DictionaryColumn } from '../../../src/data/index.ts'
import { RowGroupFile } from '../../../src/store/segments/index.ts'
import { TAIL_BYTES, decodeTail, encodeTail, type FieldContents } from '../../../src/store/segments/layout.ts'
import { unpacked } from '../../../src/store/segments/codings/packing.ts'
import { allOf, fileOf, manyKinds, opened, sealedTable, sourceOf } from './read-all.ts'

const words = ['request', 'user1', 'took', 'absent', 'wide', '3']

/** Returns everything read, or the code and file of an error. Other errors are rethrown. */
function outcome(read: () => unknown): unknown {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof SluiceError)) throw error
    const { code, message } = present(error.diagnostics[0])
    expect(message).toContain(code === 'durable/damaged' ? 'test.part' : 'version')
    return code
  }
}

const codes = ['durable/damaged', 'durable/newer-version']
const counts = noReads()

describe('a damaged file', () => {
  const table = sealedTable(manyKinds(40))
  const segment = present(table.view.snapshot()[0])
  const { file, summary } = fileOf(table, segment)
  const expected = allOf(segment, words)
  const check = (bytes: Buffer): unknown => outcome(() => new RowGroupFile(sourceOf(bytes), counts).check())
  const read = (bytes: Buffer): unknown => outcome(() => allOf(opened(table, sourceOf(bytes), summary), words))

  test('is refused, whichever of its bytes has changed', () => {
    for (let at = 0; at < file.length; at++) {
      const bytes = Buffer.from(file)
      bytes[at] = present(bytes[at]) ^ (1 << (at % 8))
      expect([at, codes.includes(String(check(bytes)))]).toEqual([at, true])
    }
  })

  test('never gives another answer', () => {
    for (let at = 0; at < file.length; at += 3) {
      const bytes = Buffer.from(file)
      bytes[at] = present(bytes[at]) ^ 0xff
      const found = read(bytes)
      if (typeof found === 'string') expect(codes).toContain(found)
      else expect(found).toEqual(expected)
    }
  })

  test('of many blocks is refused, too', () => {
    const large = sealedTable(manyKinds(3000))
    const { file: bytes } = fileOf(large, present(large.view.snapshot()[0]))
    const random = seededRandom(7)
    for (let i = 0; i < 300; i++) {
      const at = random.below(bytes.length)
      const changed = Buffer.from(bytes)
      changed[at] = present(changed[at]) ^ (1 << random.below(8))
      expect([at, codes.includes(String(check(changed)))]).toEqual([at, true])
    }
  })

  test('is refused at whichever byte it ends', () => {
    for (let length = 0; length < file.length; length++) {
      expect([length, check(file.subarray(0, length))]).toEqual([length, 'durable/damaged'])
      const cut = new RowGroupFile(sourceOf(file.subarray(0, length), file.length), counts)
      expect([length, outcome(() => cut.check())]).toEqual([length, 'durable/damaged'])
    }
    expect(outcome(() => new RowGroupFile(sourceOf(Buffer.concat([file, file]), file.length), counts).open())).toBe(
      'durable/damaged',
    )
  })

  test('is refused when its lengths are wrong and their checksums right', () => {
    const tail = present(decodeTail(file.subarray(-TAIL_BYTES)))
    const stored = file.subarray(tail.contentsAt, tail.contentsAt + tail.storedBytes)
    const contents = unpacked(stored, tail.packing, tail.plainBytes)
    const tableAt = 4 + contents.readUInt32LE(0)
    const blocks = contents.readUInt32LE(tableAt)
    for (let at = tableAt; at < tableAt + 4 + blocks * 8; at += 4) {
      for (const value of [0, 1, 0x7fffffff, 0xffffffff]) {
        const changed = Buffer.from(contents)
        changed.writeUInt32LE(value, at)
        const parts = [file.subarray(0, tail.contentsAt), changed]
        const forged = { ...tail, storedBytes: changed.length, plainBytes: changed.length, packing: 0 }
        const bytes = Buffer.concat([...parts, encodeTail({ ...forged, checksum: crc32(changed) }, tail.version)])
        const found = outcome(() => allOf(opened(table, sourceOf(bytes), { ...summary, bytes: bytes.length }), words))
        if (typeof found === 'string') expect(codes).toContain(found)
        else expect(found).toEqual(expected)
      }
    }
  })

  const tail = present(decodeTail(file.subarray(-TAIL_BYTES)))
  /** Returns the file with changed contents and correct checksums. */
  const withContents = (change: (contents: Record<string, unknown>) => object): Buffer => {
    const stored = file.subarray(tail.contentsAt, tail.contentsAt + tail.storedBytes)
    const contents = unpacked(stored, tail.packing, tail.plainBytes)
    const jsonEnd = 4 + contents.readUInt32LE(0)
    const json = Buffer.from(JSON.stringify(change(JSON.parse(contents.toString('utf8', 4, jsonEnd)))))
    const head = Buffer.alloc(4)
    head.writeUInt32LE(json.length)
    const changed = Buffer.concat([head, json, contents.subarray(jsonEnd)])
    const lengths = { storedBytes: changed.length, plainBytes: changed.length, packing: 0 }
    const newTail = encodeTail({ ...tail, ...lengths, checksum: crc32(changed) }, tail.version)
    return Buffer.concat([file.subarray(0, tail.contentsAt), changed, newTail])
  }
  const openAs = (bytes: Buffer, crc: number): unknown =>
    outcome(() => new RowGroupFile({ ...sourceOf(bytes), crc }, counts).open().contents.rowCount)

  test('is known by what its contents say of all before them', () => {
    expect(check(file)).toMatchObject({ contents: { rowCount: 40 } })
    expect(openAs(file, crc32(file))).toBe(40)
    expect(openAs(file, crc32(file) ^ 1)).toBe('durable/damaged')
    expect(check(withContents(({ before: _, ...contents }) => contents))).toBe('durable/damaged')
  })

  test.each(['x', -1, 0.5, 2 ** 32, null, {}, 7])('is refused when what they say is %j', (before) => {
    const bytes = withContents((contents) => ({ ...contents, before }))
    expect(check(bytes)).toBe('durable/damaged')
    expect(openAs(bytes, crc32(file))).toBe('durable/damaged')
  })

  test('is refused when rows have codes above the greatest that it names, read whole and row by row', () => {
    const isCoded = ({ column }: FieldContents): boolean => column.kind === 'dictionary' && column.maxCode > 0
    const names: string[] = []
    const bytes = withContents((contents) => {
      const columns = (contents['columns'] as FieldContents[]).map((field) => {
        if (!isCoded(field)) return field
        names.push(field.name)
        return { ...field, column: { ...field.column, maxCode: 0 } }
      })
      return { ...contents, columns }
    })
    expect(names.length).toBeGreaterThan(1)
    const readCodes = (name: string, read: (column: DictionaryColumn) => unknown): unknown =>
      outcome(() => {
        const { columns } = opened(table, sourceOf(bytes), { ...summary, bytes: bytes.length })
        return read(present(columns.get(name)).column as DictionaryColumn)
      })
    for (const name of names) {
      expect(readCodes(name, (column) => column.codes)).toBe('durable/damaged')
      const all = Uint32Array.from({ length: segment.rowCount }, (_, row) => row)
      const oneByOne = (column: DictionaryColumn): unknown =>
        Array.from(all, (row) => column.taken?.(all.subarray(row, row + 1)).codes[0])
      expect(readCodes(name, oneByOne)).toBe('durable/damaged')
    }
  })
})
