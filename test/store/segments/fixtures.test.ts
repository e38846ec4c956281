import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { present } from '../../../src/base/index.ts'
import type { SegmentSummary } from '../../../src/store/durable/index.ts'
import { countBits, encodeText, fold, rowsOfBitmap, tagOf, toText, valueAt, wordsOf } from '../../../src/data/index.ts'
import {
  GrowingDictionary,
  addRowsOfWord,
  maxWordBytes,
  sequenceAt,
  timeNsAt,
  type Segment,
} from '../../../src/store/index.ts'
import {
  BlockCache,
  DICTIONARIES_VERSION,
  DictionariesFile,
  openDictionaries,
  SEGMENT_VERSION,
  SegmentFile,
  openSegment,
  remadeDictionary,
} from '../../../src/store/segments/index.ts'
import { isUpdatingGolden } from '../../harness/golden.ts'
import { fileOf, manyKinds, sealedTable, sourceOf } from './read-all.ts'

/** Files as releases wrote them. Those of a version that is out stay as they are; a new version adds its own. */
const folder = join(import.meta.dirname, 'fixtures')

interface Expected {
  readonly summary: SegmentSummary
  readonly rows: readonly string[]
}

function rowsOf(segment: Segment): readonly string[] {
  return Array.from({ length: segment.rowCount }, (_, row) => {
    const values = [...segment.columns].map(([name, { column }]) => {
      const value = valueAt(column, row)
      return `${name} ${tagOf(value)} ${JSON.stringify(toText(value))}`
    })
    return [timeNsAt(segment, row), sequenceAt(segment, row), ...values].join(' | ')
  })
}

/** The words of its texts as they are kept, in hexadecimal digits, each with the rows that have it. */
function wordsInTexts(segment: Segment): ReadonlyMap<string, readonly number[]> {
  const { column } = present(segment.columns.get('content'))
  const rows = new Map<string, Set<number>>()
  for (let row = 0; row < segment.rowCount; row++)
    for (const word of wordsOf(fold(toText(valueAt(column, row))))) {
      const cut = Buffer.from(encodeText(word).subarray(0, maxWordBytes)).toString('hex')
      rows.set(cut, (rows.get(cut) ?? new Set()).add(row))
    }
  return new Map(Array.from(rows, ([word, found]) => [word, [...found]]))
}

/** The same, as the index tells. */
function wordRows(segment: Segment): ReadonlyMap<string, readonly number[]> {
  const index = present(segment.words)
  const words = [...wordsInTexts(segment).keys()]
  return new Map(
    words.map((word) => {
      const found = index.find(Buffer.from(word, 'hex'), false)
      const bits = new Uint32Array((segment.rowCount + 31) >>> 5)
      for (const each of found) addRowsOfWord(index, each, bits)
      expect(found.map(({ count }) => count)).toEqual([countBits(bits)])
      return [word, [...rowsOfBitmap(bits)]]
    }),
  )
}

const versionFolders = (): readonly string[] => readdirSync(folder)

/** The newest of segments and of dictionaries. */
const NEWEST = `version-${SEGMENT_VERSION}-${DICTIONARIES_VERSION}`

test.runIf(isUpdatingGolden)('a folder for the newest version, where there is none', () => {
  const newest = join(folder, NEWEST)
  mkdirSync(folder, { recursive: true })
  if (versionFolders().includes(NEWEST)) return
  mkdirSync(newest)
  const table = sealedTable(manyKinds(300))
  const segment = present(table.snapshot()[0])
  const { file, summary } = fileOf(table, segment)
  const { pieces } = new DictionariesFile().changes(table.dictionaries(), { leastEntries: 10, pageEntries: 4 })
  writeFileSync(join(newest, 'segment'), file)
  writeFileSync(join(newest, 'dictionaries'), Buffer.concat(pieces))
  const expected: Expected = { summary, rows: rowsOf(segment) }
  writeFileSync(join(newest, 'rows.json'), `${JSON.stringify(expected, undefined, 1)}\n`)
})

test('there is one of the newest version', () => {
  expect(versionFolders()).toContain(NEWEST)
})

test.each(versionFolders())('files of %s are read', (version) => {
  const at = (name: string): Buffer => readFileSync(join(folder, version, name))
  const { summary, rows }: Expected = JSON.parse(at('rows.json').toString())
  const source = sourceOf(at('segment'))
  const stored = sourceOf(at('dictionaries'))
  // As a manifest of an earlier build has it, without a list of records.
  const { file: found, isListed } = openDictionaries(stored, [])
  expect(isListed).toBe(false)
  const dictionaries = new Map(Array.from(found.fields, (field) => [field, found.read(stored, field)] as const))
  const cache = new BlockCache(1 << 20)
  const read = (of: ReadonlyMap<string, GrowingDictionary>): Segment =>
    openSegment({ id: 0, source, summary, textField: 'content', dictionaryOf: (f) => present(of.get(f)), cache })
  expect(rowsOf(read(dictionaries))).toEqual(rows)
  expect(wordRows(read(dictionaries))).toEqual(wordsInTexts(read(dictionaries)))

  // The file alone has all values.
  const file = new SegmentFile(source, cache.counts)
  const own = new Map(
    Array.from(file.entries(file.check()), ([field, entries]) => {
      const size = Math.max(...entries.codes) + 1
      return [field, remadeDictionary(size, [entries])] as const
    }),
  )
  expect(rowsOf(read(own))).toEqual(rows)
})
