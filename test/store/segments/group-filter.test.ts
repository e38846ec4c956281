import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { SluiceError, atOnce, present } from '../../../src/base/index.ts'
import { encodeText, fold, type Value } from '../../../src/data/index.ts'
import {
  BlockCache,
  GroupFilter,
  NotedHashes,
  itemsOfMemory,
  itemsOfSegment,
  pieceSizes,
  sortedRun,
  writeGroup,
  writeSegment,
  type ItemRun,
  type SegmentSource,
} from '../../../src/store/segments/index.ts'
import { isUpdatingGolden } from '../../harness/golden.ts'
import { fileOf, opened, sealedTable, sourceOf } from './read-all.ts'

const LONG_WORD = 'w'.repeat(300)

/** Of segment `i`: a word and texts of its own, and values of kinds that have no hashes. */
function runsOfSegment(i: number, place: number): readonly ItemRun[] {
  const row = (own: readonly (readonly [string, Value])[]): readonly (readonly [string, Value])[] => [
    ['content', `shared Ünïcode own${i} ${i === 3 ? LONG_WORD : ''}`],
    ...own,
  ]
  const table = sealedTable([
    [1n, row([['id', `Key ÄÖ ${i}`], ...(i % 2 === 0 ? [['mixed', i] as const, ['rare', 'here'] as const] : [])])],
    [2n, row([['mixed', `text ${i}`]])],
    [3n, row([])],
  ])
  const segment = present(table.snapshot()[0])
  const { file, summary } = fileOf(table, segment)
  const stored = opened(table, sourceOf(file), summary)
  return atOnce(itemsOfSegment(stored)).map((hashes) => sortedRun(hashes, place))
}

function fileOfGroup(runs: readonly ItemRun[], segments: readonly string[]): Buffer {
  const pieces: Uint8Array[] = []
  const about = { table: 'logs', textField: 'content', segments }
  atOnce(writeGroup(runs, about, (bytes) => pieces.push(Buffer.from(bytes))))
  return Buffer.concat(pieces)
}

function openedGroup(file: Buffer, segments: readonly string[], damages: SluiceError[] = []): GroupFilter {
  const cache = new BlockCache(1 << 20)
  const onDamage = (error: SluiceError): unknown => damages.push(error)
  return new GroupFilter({ source: sourceOf(file), segments, textField: 'content', cache, onDamage })
}

const names = (count: number, from = 0): readonly string[] =>
  Array.from({ length: count }, (_, i) => `logs-${from + i}.segment`)

const bytesOf = (text: string): Uint8Array => encodeText(fold(text))
const bitsOf = (places: readonly number[]): Uint32Array => {
  const bits = new Uint32Array(1)
  for (const place of places) bits[0] = (bits[0] ?? 0) | (1 << place)
  return bits
}
const places = (count: number): readonly number[] => Array.from({ length: count }, (_, i) => i)

function expectAll(group: GroupFilter, count: number): void {
  const all = bitsOf(places(count))
  expect(group.withWord(bytesOf('shared'))).toEqual(all)
  expect(group.withWord(bytesOf('Ünïcode'))).toEqual(all)
  expect(group.withWord(bytesOf(LONG_WORD))).toEqual(bitsOf(count > 3 ? [3] : []))
  for (let i = 0; i < count; i++) {
    expect(group.withWord(bytesOf(`own${i}`))).toEqual(bitsOf([i]))
    expect(group.withTexts('id', [bytesOf(`KEY äö ${i}`)])).toEqual(bitsOf([i]))
    // What is a number somewhere may equal a text.
    const numbers = places(count).filter((place) => place % 2 === 0)
    expect(group.withTexts('mixed', [bytesOf(`text ${i}`)])).toEqual(bitsOf([...numbers, i]))
  }
  expect(group.withTexts('rare', [bytesOf('here')])).toEqual(bitsOf(places(count).filter((i) => i % 2 === 0)))
  const two = bitsOf(places(count).slice(0, 2))
  expect(group.withTexts('id', [bytesOf('key äö 0'), bytesOf('key äö 1')])).toEqual(count > 1 ? two : bitsOf([0]))
  expect(group.withWord(bytesOf('absent'))).toEqual(bitsOf([]))
  expect(group.withTexts('absent', [bytesOf('here')])).toEqual(bitsOf([]))
  expect(
    group.withTexts(
      'id',
      Array.from({ length: 65 }, (_, i) => bytesOf(`key ${i}`)),
    ),
  ).toBeUndefined()
}

test('the hashes of a segment come in ascending arrays, whole ones and what is left over', () => {
  const rows = Array.from({ length: 9000 }, (_, i): readonly [bigint, readonly (readonly [string, Value])[]] => [
    BigInt(i),
    [
      ['content', `word${i}`],
      ['id', `key ${i}`],
    ],
  ])
  const hashes = atOnce(itemsOfMemory(present(sealedTable(rows).snapshot()[0])))
  expect(hashes.length).toBeGreaterThan(1)
  for (const array of hashes) expect(array).toEqual(Uint32Array.from([...array].sort((a, b) => a - b)))
  expect(hashes.at(-1)?.at(-1)).toBeGreaterThan(2 ** 31)
})

describe('the filter of a group', () => {
  test.each([1, 2, 7, 16])('of %d segments knows which of them have a word or a text', (count) => {
    const runs = places(count).flatMap((i) => runsOfSegment(i, i))
    expectAll(openedGroup(fileOfGroup(runs, names(count)), names(count)), count)
  })

  test('made of smaller ones knows the same, without the segments that are gone', () => {
    const parts = [0, 4].map((from) => {
      const runs = places(4).flatMap((i) => runsOfSegment(from + i, i))
      return openedGroup(fileOfGroup(runs, names(4, from)), names(4, from))
    })
    const joined = parts.map((part, i) => part.run((place) => i * 4 + place))
    expectAll(openedGroup(fileOfGroup(joined, names(8)), names(8)), 8)
    const left = parts.map((part, i) => part.run((place) => (place === 1 ? undefined : i * 4 + place)))
    const group = openedGroup(fileOfGroup(left, names(8)), names(8))
    expect(group.withWord(bytesOf('own1'))).toEqual(bitsOf([]))
    expect(group.withWord(bytesOf('shared'))).toEqual(bitsOf([0, 2, 3, 4, 6, 7]))
  })

  test('that is damaged anywhere knows nothing, and says so once', () => {
    const segments = names(2)
    const file = fileOfGroup(
      places(2).flatMap((i) => runsOfSegment(i, i)),
      segments,
    )
    for (let at = 0; at < file.length; at++) {
      const changed = Buffer.from(file)
      changed[at] = present(changed[at]) ^ (1 << (at % 8))
      const damages: SluiceError[] = []
      const group = openedGroup(changed, segments, damages)
      expect([at, group.withWord(bytesOf('own1'))]).toEqual([at, undefined])
      expect([at, group.withTexts('id', [bytesOf('absent')])]).toEqual([at, undefined])
      expect([at, damages.length]).toEqual([at, 1])
    }
    for (let length = 0; length < file.length; length += 7) {
      const damages: SluiceError[] = []
      expect(openedGroup(file.subarray(0, length), segments, damages).withWord(bytesOf('own1'))).toBeUndefined()
      expect(damages).toHaveLength(1)
    }
  })

  test('asked ahead has the system read what it reads when it is asked, and nothing twice', () => {
    const segments = names(8)
    // So many others that pages are not read with the contents.
    const others = Uint32Array.from({ length: 400_000 }, (_, i) => i * 10_000 + ((i * 7919) % 9973))
    const runs = places(8).flatMap((i) => runsOfSegment(i, i))
    const file = fileOfGroup([...runs, sortedRun(others, 0)], segments)
    const asked: string[] = []
    const read: string[] = []
    const plain = sourceOf(file)
    const source: SegmentSource = {
      ...plain,
      crc: crc32(file),
      read: (into, at) => {
        read.push(`${at}+${into.length}`)
        return plain.read(into, at)
      },
      readAhead: (at, length) => void asked.push(`${at}+${length}`),
    }
    const options = { segments, textField: 'content', cache: new BlockCache(1 << 20), onDamage: () => undefined }
    const group = new GroupFilter({ source, ...options })
    group.readAhead()
    expect(asked.splice(0)).toHaveLength(1)
    const ahead = present(group.ahead)
    expect([ahead.withWord(bytesOf('own3')), ahead.withTexts('id', [bytesOf('key äö 5')])]).toEqual([
      undefined,
      undefined,
    ])
    const pages = asked.splice(0)
    // What the file says of itself.
    expect(read.splice(0)).toHaveLength(1)
    expect(present(group.withWord(bytesOf('own3')))[0]! & 8).toBe(8)
    expect(present(group.withTexts('id', [bytesOf('key äö 5')]))[0]! & 32).toBe(32)
    expect(read.length).toBeGreaterThan(1)
    expect(new Set(pages)).toEqual(new Set(read))
    group.readAhead()
    ahead.withWord(bytesOf('own3'))
    expect(asked).toEqual([])
  })

  test('of other segments is not taken for it', () => {
    const file = fileOfGroup(runsOfSegment(0, 0), names(1))
    for (const segments of [names(1, 1), names(2), []]) {
      const damages: SluiceError[] = []
      expect(openedGroup(file, segments, damages).withWord(bytesOf('own0'))).toBeUndefined()
      expect(String(damages[0])).toContain('other segments')
    }
  })
})

/** A file of the format as it was written once: a change of the format cannot go unnoticed. */
const fixture = join(import.meta.dirname, 'fixtures', 'group-filter')
const FIXTURE_SEGMENTS = 5

test.runIf(isUpdatingGolden)('the file is written where there is none', () => {
  if (existsSync(fixture)) return
  const runs = places(FIXTURE_SEGMENTS).flatMap((i) => runsOfSegment(i, i))
  writeFileSync(fixture, fileOfGroup(runs, names(FIXTURE_SEGMENTS)))
})

test('a file of the format is read', () => {
  expectAll(openedGroup(readFileSync(fixture), names(FIXTURE_SEGMENTS)), FIXTURE_SEGMENTS)
})

test('what was noted while a file was written is what its segment has', () => {
  const rows = Array.from(
    { length: 40 },
    (_, i) =>
      [
        BigInt(i),
        [
          ['content', `Shared own${i}`],
          ['id', `Key ${i % 3 === 0 ? 'Ä' : 'A'}${i}`],
          ...(i % 2 === 0 ? ([['other', `Text ${i}`]] as const) : []),
        ],
      ] as readonly [bigint, readonly (readonly [string, Value])[]],
  )
  const segment = present(sealedTable(rows, { hasCodes: false }).snapshot()[0])
  const noted = new NotedHashes()
  atOnce(writeSegment(segment, { table: 'logs', timeField: '_time' }, () => {}, pieceSizes, noted))
  expect(noted.words).toHaveLength(41)
  expect([...noted.texts.keys()]).toContain('id')
  expect(atOnce(itemsOfMemory(segment, noted))).toEqual(atOnce(itemsOfMemory(segment)))
})

test('a segment in memory has the hashes of its file', () => {
  const rows = Array.from(
    { length: 40 },
    (_, i) =>
      [
        BigInt(i),
        [
          ['content', `Shared ÜNÏCODE own${i} ${i === 3 ? LONG_WORD : ''}`],
          ['level', i % 3 === 0 ? 'Info' : 'warn'],
          ['count', i],
          ['mixed', i % 2 === 0 ? i : `Text ${i}`],
          ...(i === 7 ? ([['rare', 'HERE']] as const) : []),
          ...(i === 9 ? ([['rare number', 9]] as const) : []),
        ],
      ] as readonly [bigint, readonly (readonly [string, Value])[]],
  )
  for (const some of [rows, rows.slice(0, 1)]) {
    const table = sealedTable(some)
    const segment = present(table.snapshot()[0])
    const { file, summary } = fileOf(table, segment)
    const all = (arrays: readonly Uint32Array[]): readonly number[] =>
      arrays.flatMap((array) => [...array]).toSorted((a, b) => a - b)
    const inMemory = atOnce(itemsOfMemory(segment))
    expect(all(inMemory)).toEqual(all(atOnce(itemsOfSegment(opened(table, sourceOf(file), summary)))))
    expect(all(inMemory).length).toBeGreaterThan(some.length)
    for (const array of inMemory) expect(array).toEqual(array.toSorted())
  }
})
