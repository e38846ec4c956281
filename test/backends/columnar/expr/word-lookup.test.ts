import { describe, expect, test } from 'vitest'
import { present, seededRandom } from '../../../../src/base/index.ts'
import { rowsOfBitmap } from '../../../../src/data/index.ts'
import { Counters } from '../../../../src/backends/columnar/expr/counters.ts'
import { WordLookup } from '../../../../src/backends/columnar/expr/word-lookup.ts'
import { MemoryTable, standardCatalog, type WordIndex } from '../../../../src/store/index.ts'

const ROWS = 3000
const random = seededRandom(8)
/** One in how many rows contains each word. The first two words occur in more than 1/16 of the rows. */
const shares = { often: 2, common: 5, some: 20, few: 60, rare: 400 }
const texts = Array.from({ length: ROWS }, () =>
  Object.entries(shares)
    .filter(([, share]) => random.below(share) === 0)
    .map(([word]) => word)
    .join(' '),
)

function indexOf(contents: readonly string[]): WordIndex {
  const table = new MemoryTable(present(standardCatalog.tables.get('logs')))
  table.writer.appendRows(contents.map((text, i) => ({ timeNs: BigInt(i), row: new Map([['content', text]]) })))
  table.seal()
  return present(table.view.snapshot()[0]?.words)
}

function lookup(words: readonly string[]): WordLookup {
  const needs = words.map((word) => ({ word, isPrefix: false }))
  return new WordLookup(needs, true, new Counters())
}

describe('rows that have all of several words are counted without a look at rows', () => {
  const index = indexOf(texts)

  test.each([
    [['often', 'common']],
    [['common', 'some']],
    [['some', 'few']],
    [['rare', 'some', 'often']],
    [['few', 'often', 'rare', 'common', 'some']],
    [['few', 'few']],
    [['few', 'never']],
  ])('%s', (words) => {
    const having = texts.filter((text) => words.every((word) => text.split(' ').includes(word)))
    expect(lookup(words).count(index)).toBe(having.length)
  })

  test('and what is looked up stays as it is', () => {
    const rows = (): readonly number[] =>
      index.find(Buffer.from('few'), false).flatMap((word) => [...index.rowsOf(word)])
    const before = rows()
    lookup(['few', 'some']).count(index)
    lookup(['often', 'common']).count(index)
    expect(rows()).toEqual(before)
    expect(lookup(['often']).count(index)).toBe(texts.filter((text) => text.includes('often')).length)
    const [often] = index.find(Buffer.from('often'), false)
    const bits = index.bitmapOf(present(often))
    expect([...rowsOfBitmap(bits)]).toEqual(texts.flatMap((text, row) => (text.includes('often') ? [row] : [])))
  })
})

test('a row that has several words with one beginning is counted once', () => {
  const contents = Array.from(
    { length: 600 },
    (_, row) => Array.from({ length: random.below(4) }, () => `user${random.below(90)}`).join(' ') || `nobody ${row}`,
  )
  const index = indexOf(contents)
  for (const word of ['user', 'user1', 'user12', 'user99']) {
    const needs = [{ word, isPrefix: true }]
    const having = contents.filter((text) => text.split(' ').some((each) => each.startsWith(word)))
    const count = new WordLookup(needs, true, new Counters()).count(index)
    // Beyond 128 matches the count may be unknown without reading the rows.
    if (having.length <= 128) expect(count).toBe(having.length)
    else expect(count ?? having.length).toBe(having.length)
  }
})
