import { describe, expect, test } from 'vitest'
import { SluiceError, runToEnd, noReads, present, type StepwiseTask } from '../../../src/base/index.ts'
import { encodeText, fold, type Value } from '../../../src/data/index.ts'
import type { MemoryTable } from '../../../src/store/index.ts'
import type { PartSummary } from '../../../src/store/durable/index.ts'
import {
  BlockCache,
  PartFile,
  StoredPart,
  hashesInFile,
  mergeParts,
  writePart,
  type BlockSource,
  type MergeInput,
} from '../../../src/store/segments/index.ts'
import { hashesInMemory } from '../../../src/store/segments/value-hashes.ts'
import { allOf, partOf, rowGroupsOf, sealedTable, sourceOf } from './read-all.ts'

const LONG_WORD = 'w'.repeat(300)

interface Written {
  readonly file: Buffer
  readonly summary: PartSummary
  readonly source: BlockSource
}

function written(write: (take: (bytes: Uint8Array) => void) => StepwiseTask<PartSummary>): Written {
  const pieces: Uint8Array[] = []
  const summary = runToEnd(write((bytes) => void pieces.push(Buffer.from(bytes))))
  const file = Buffer.concat(pieces)
  return { file, summary, source: { ...sourceOf(file), crc: summary.crc } }
}

/** Returns the rows of row group `i`: with a word and strings of its own, and values of kinds that have no hashes. */
function rowsOf(i: number): readonly (readonly [bigint, readonly (readonly [string, Value])[]])[] {
  const row = (own: readonly (readonly [string, Value])[]): readonly (readonly [string, Value])[] => [
    ['content', `shared Ünïcode own${i} ${i === 3 ? LONG_WORD : ''}`],
    ...own,
  ]
  return [
    [1n, row([['id', `Key ÄÖ ${i}`], ...(i % 2 === 0 ? [['mixed', i] as const, ['rare', 'here'] as const] : [])])],
    [2n, row([['mixed', `text ${i}`]])],
    [3n, row([])],
  ]
}

const ROW_GROUPS = 9
/** Segments of one table, so that they share dictionaries. */
const table: MemoryTable = sealedTable([])
for (let i = 0; i < ROW_GROUPS; i++) {
  table.writer.appendRows(rowsOf(i).map(([timeNs, row]) => ({ timeNs, row: new Map(row) })))
  table.seal()
}
const segments = table.segments.all
const names = { table: 'logs', timeField: '_time' }
const single = segments.map((segment) => written((write) => writePart(segment, names, write)))

function inputOf({ source, summary }: Written, chosen = [...summary.rowGroups.keys()]): MergeInput {
  const part = new StoredPart({ source, textField: 'content', cache: new BlockCache(1 << 20) })
  return { part, rowGroups: summary.rowGroups, chosen }
}
const merge = (inputs: readonly MergeInput[]): Written => written((write) => mergeParts(inputs, 'logs', write))

function opened({ source }: Pick<Written, 'source'>, damages: SluiceError[] = []): StoredPart {
  const onDamage = (error: SluiceError): unknown => damages.push(error)
  return new StoredPart({ source, textField: 'content', cache: new BlockCache(1 << 20), onDamage })
}

const bytesOf = (text: string): Uint8Array => encodeText(fold(text))
const bitsOf = (places: readonly number[]): Uint32Array => {
  const bits = new Uint32Array(1)
  for (const place of places) bits[0] = (bits[0] ?? 0) | (1 << place)
  return bits
}
const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, i) => i)

/** Expects that lookups in a part find the right row groups. `numbers` lists the row groups of the part, in order. */
function expectAll(part: StoredPart, numbers: readonly number[]): void {
  const placesOf = (holds: (i: number) => boolean): Uint32Array =>
    bitsOf(upTo(numbers.length).filter((place) => holds(present(numbers[place]))))
  expect(part.withWord(bytesOf('shared'))).toEqual(placesOf(() => true))
  expect(part.withWord(bytesOf('Ünïcode'))).toEqual(placesOf(() => true))
  expect(part.withWord(bytesOf(LONG_WORD))).toEqual(placesOf((i) => i === 3))
  for (const number of upTo(ROW_GROUPS)) {
    expect(part.withWord(bytesOf(`own${number}`))).toEqual(placesOf((i) => i === number))
    expect(part.withTexts('id', [bytesOf(`KEY äö ${number}`)])).toEqual(placesOf((i) => i === number))
    // A string may equal a number, so row groups with numbers match too.
    expect(part.withTexts('mixed', [bytesOf(`text ${number}`)])).toEqual(placesOf((i) => i % 2 === 0 || i === number))
  }
  expect(part.withTexts('rare', [bytesOf('here')])).toEqual(placesOf((i) => i % 2 === 0))
  expect(part.withTexts('id', [bytesOf('key äö 0'), bytesOf('key äö 1')])).toEqual(placesOf((i) => i < 2))
  expect(part.withWord(bytesOf('absent'))).toEqual(bitsOf([]))
  expect(part.withTexts('absent', [bytesOf('here')])).toEqual(bitsOf([]))
  const many = Array.from({ length: 65 }, (_, i) => bytesOf(`key ${i}`))
  expect(part.withTexts('id', many)).toBeUndefined()
}

describe('a part', () => {
  test.each([1, 2, 7, ROW_GROUPS])(
    'merged of %d parts has their row groups as they were, and their values',
    (count) => {
      const part = merge(single.slice(0, count).map((each) => inputOf(each)))
      expectAll(opened(part), upTo(count))
      expect(part.summary.rowGroups).toHaveLength(count)
      for (const [i, { at, bytes }] of part.summary.rowGroups.entries()) {
        const { file, summary } = present(single[i])
        const before = present(summary.rowGroups[0])
        expect(part.file.subarray(at, at + bytes)).toEqual(file.subarray(before.at, before.at + before.bytes))
      }
      const words = ['shared', 'own1', 'absent', 'ünïcode']
      for (const [i, segment] of rowGroupsOf(table, part.source, part.summary).entries())
        expect(allOf(segment, words)).toEqual(allOf(present(segments[i]), words))
      new PartFile(part.source, noReads()).check()
    },
  )

  test('merged in steps is the one that is merged at once', () => {
    const all = merge(single.map((each) => inputOf(each)))
    const some = [single.slice(0, 4), single.slice(4, 5), single.slice(5)]
    const inSteps = merge(some.map((each) => inputOf(merge(each.map((one) => inputOf(one))))))
    expect(inSteps.file).toEqual(all.file)
  })

  test('has nothing of row groups that were not copied', () => {
    const all = merge(single.map((each) => inputOf(each)))
    const numbers = [0, 2, 3, 7]
    const part = merge([inputOf(all, numbers)])
    expectAll(opened(part), numbers)
    expect(part.file.includes('own1')).toBe(false)
  })

  test('has the same filter when it is made of the row groups', () => {
    const all = merge(single.map((each) => inputOf(each)))
    const { part, rowGroups, chosen } = inputOf(all)
    const hashes = new Map(
      rowGroupsOf(table, all.source, all.summary).map((segment, number) => [number, runToEnd(hashesInFile(segment))]),
    )
    expect(merge([{ part, rowGroups, chosen, hashes }]).file).toEqual(all.file)
  })
})

test('a segment in memory has the hashes of its row group in a file', () => {
  for (const hasCodes of [true, false]) {
    const rows = Array.from({ length: 40 }, (_, i): readonly [bigint, readonly (readonly [string, Value])[]] => [
      BigInt(i),
      [
        ['content', `Shared ÜNÏCODE own${i} ${i === 3 ? LONG_WORD : ''}`],
        ['level', i % 3 === 0 ? 'Info' : 'warn'],
        ['id', `Key ${i % 3 === 0 ? 'Ä' : 'A'}${i}`],
        ['count', i],
        ['mixed', i % 2 === 0 ? i : `Text ${i}`],
        ...(i === 7 ? ([['rare', 'HERE']] as const) : []),
        ...(i === 9 ? ([['rare number', 9]] as const) : []),
      ],
    ])
    const own = sealedTable(rows, { hasCodes })
    const segment = present(own.view.snapshot()[0])
    const { file, summary } = partOf(own, segment)
    const inMemory = runToEnd(hashesInMemory(segment))
    const [rowGroup] = rowGroupsOf(own, sourceOf(file), summary)
    expect(inMemory).toEqual(runToEnd(hashesInFile(present(rowGroup))))
    expect(inMemory.length).toBeGreaterThan(rows.length)
    expect(inMemory).toEqual(inMemory.toSorted())
  }
})

describe('the filter of a part', () => {
  const part = merge(single.slice(0, 2).map((each) => inputOf(each)))
  const { rowGroups } = part.summary
  const last = present(rowGroups.at(-1))

  test('of many pages knows all values of each', () => {
    const ids = Array.from({ length: 30_000 }, (_, i): readonly [bigint, readonly (readonly [string, Value])[]] => [
      BigInt(i),
      [['content', `word${i}`]],
    ])
    const many = sealedTable(ids)
    const { file, summary } = partOf(many, present(many.view.snapshot()[0]))
    const read = opened({ source: { ...sourceOf(file), crc: summary.crc } })
    let absent = 0
    for (let i = 0; i < ids.length; i++) {
      expect(read.withWord(bytesOf(`word${i}`))).toEqual(bitsOf([0]))
      if (read.withWord(bytesOf(`other${i}`))?.[0] !== 0) absent++
    }
    expect(absent).toBeLessThan(ids.length / 1000)
  })

  test('that is damaged anywhere tells nothing, and says so once', () => {
    for (let at = last.at + last.bytes; at < part.file.length; at++) {
      const changed = Buffer.from(part.file)
      changed[at] = present(changed[at]) ^ (1 << (at % 8))
      const damages: SluiceError[] = []
      const read = opened({ source: { ...sourceOf(changed), crc: part.summary.crc } }, damages)
      const words = ['own1', 'shared', 'absent'].map((word) => read.withWord(bytesOf(word)))
      if (damages.length === 0) expect([at, ...words]).toEqual([at, bitsOf([1]), bitsOf([0, 1]), bitsOf([])])
      else expect([at, words.at(-1), damages.length]).toEqual([at, undefined, 1])
      expect([at, read.withTexts('id', [bytesOf('absent')])]).toEqual([
        at,
        damages.length === 0 ? bitsOf([]) : undefined,
      ])
      expect(() => new PartFile({ ...sourceOf(changed), crc: part.summary.crc }, noReads()).check()).toThrow(
        SluiceError,
      )
    }
  })

  test('of a file that ends too soon tells nothing', () => {
    for (let length = 0; length < part.file.length; length += 7) {
      const damages: SluiceError[] = []
      const source = sourceOf(part.file.subarray(0, length), part.file.length)
      expect(opened({ source }, damages).withWord(bytesOf('own1'))).toBeUndefined()
      expect(damages).toHaveLength(1)
    }
  })

  test('of another part is not taken for it', () => {
    const damages: SluiceError[] = []
    const read = opened({ source: { ...part.source, crc: present(single[0]).summary.crc } }, damages)
    expect(read.withWord(bytesOf('own0'))).toBeUndefined()
    expect(String(damages[0])).toContain('another than the manifest says')
  })
})

test('a row group that is damaged is not copied', () => {
  const whole = present(single[0])
  const { at, bytes } = present(whole.summary.rowGroups[0])
  for (let byte = at; byte < at + bytes; byte += 13) {
    const file = Buffer.from(whole.file)
    file[byte] = present(file[byte]) ^ 1
    expect(() => merge([inputOf({ ...whole, source: { ...sourceOf(file), crc: whole.summary.crc } })])).toThrow(
      'row group 0 does not match its checksum',
    )
  }
})
