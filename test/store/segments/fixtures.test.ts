import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { present } from '../../../src/base/index.ts'
import type { DictionaryRecord, PartSummary } from '../../../src/store/durable/index.ts'
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
  DictionariesFile,
  openDictionaries,
  RowGroupFile,
  StoredPart,
  remadeDictionary,
  rowGroupSource,
} from '../../../src/store/segments/index.ts'
import { isUpdatingGolden } from '../../harness/golden.ts'
import { manyKinds, partOf, sealedTable, sourceOf } from './read-all.ts'

/** The folder has files written by an earlier version of the code, so that a format change is noticed. */
const folder = join(import.meta.dirname, 'fixtures')

interface Expected {
  readonly summary: PartSummary
  readonly records: readonly DictionaryRecord[]
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

/** Returns the words in the segment's strings as the index stores them, in hexadecimal, each with its rows. */
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

/** Returns the same words with the rows that the index finds. */
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

test.runIf(isUpdatingGolden)('the files are written where there are none', () => {
  if (existsSync(folder)) return
  mkdirSync(folder)
  const table = sealedTable(manyKinds(300))
  const segment = present(table.view.snapshot()[0])
  const { file, summary } = partOf(table, segment)
  const changes = new DictionariesFile().changes(table.fields.dictionaries(), { leastEntries: 10, pageEntries: 4 })
  writeFileSync(join(folder, 'part'), file)
  writeFileSync(join(folder, 'dictionaries'), Buffer.concat(changes.chunks))
  const expected: Expected = { summary, records: changes.records, rows: rowsOf(segment) }
  writeFileSync(join(folder, 'rows.json'), `${JSON.stringify(expected, undefined, 1)}\n`)
})

test('files of the format are read', () => {
  const at = (name: string): Buffer => readFileSync(join(folder, name))
  const { summary, records, rows }: Expected = JSON.parse(at('rows.json').toString())
  const source = { ...sourceOf(at('part')), crc: summary.crc }
  const stored = sourceOf(at('dictionaries'))
  const found = openDictionaries(stored, records)
  const dictionaries = new Map(Array.from(found.fields, (field) => [field, found.read(stored, field)] as const))
  const cache = new BlockCache(1 << 20)
  const part = new StoredPart({ source, textField: 'content', cache })
  const [rowGroup] = summary.rowGroups
  const read = (of: ReadonlyMap<string, GrowingDictionary>): Segment =>
    part.rowGroup(0, present(rowGroup), { id: 0, dictionaryOf: (field) => present(of.get(field)) })
  expect(rowsOf(read(dictionaries))).toEqual(rows)
  expect(wordRows(read(dictionaries))).toEqual(wordsInTexts(read(dictionaries)))

  for (const word of wordsInTexts(read(dictionaries)).keys())
    expect(part.withWord(Buffer.from(word, 'hex'))).toEqual(Uint32Array.of(1))
  expect(part.withWord(Buffer.from('absent'))).toEqual(Uint32Array.of(0))
  part.file.check()

  // A row group's file contains all values, without the dictionaries.
  const file = new RowGroupFile(rowGroupSource(source, 0, present(rowGroup)), cache.counts)
  const own = new Map(
    Array.from(file.entries(file.check()), ([field, entries]) => {
      const size = Math.max(...entries.codes) + 1
      return [field, remadeDictionary(size, [entries])] as const
    }),
  )
  expect(rowsOf(read(own))).toEqual(rows)
})
