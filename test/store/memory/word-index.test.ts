import { describe, expect, test } from 'vitest'
import { Bytes, present, seededRandom, type Random } from '../../../src/base/index.ts'
import {
  encodeText,
  fold,
  rowsOfBitmap,
  setBit,
  toText,
  wordsOf,
  type TextColumn,
  type Value,
} from '../../../src/data/index.ts'
import {
  WordIndexBuilder,
  WordsInMemory,
  countsOfWords,
  isFrequentIn,
  maxWordBytes,
} from '../../../src/store/memory/index.ts'
import { addRowsOfWord, createMemoryStore, standardCatalog, type WordIndex } from '../../../src/store/index.ts'

function indexOf(contents: readonly Value[]): WordIndex {
  const table = createMemoryStore(standardCatalog).table('logs')
  table.writer.appendRows(contents.map((content, i) => ({ timeNs: BigInt(i), row: new Map([['content', content]]) })))
  table.seal()
  const words = table.view.snapshot()[0]?.words
  if (words === undefined) throw new Error('no index')
  return words
}

function rowsWith(index: WordIndex, word: string, isPrefix = false): number[] {
  const bits = new Uint32Array((index.rowCount + 31) >>> 5)
  for (const found of index.find(encodeText(word), isPrefix)) addRowsOfWord(index, found, bits)
  return Array.from({ length: index.rowCount }, (_, i) => i).filter(
    (i) => ((present(bits[i >>> 5]) >>> (i & 31)) & 1) === 1,
  )
}

describe('word index', () => {
  const contents: readonly Value[] = [
    'Connection refused by 10.0.0.1:8080',
    'connection reset; CONNECTION reset',
    'über Übung',
    'ÜBER_1',
    'a',
    '',
    12345,
    true,
    'x'.repeat(300),
    `${'x'.repeat(127)}y`,
    'Kelvin \u212a',
    'naïve-café',
    'user1 user12 user123',
    'user',
    ...Array.from({ length: 40 }, (_, i) => `common row${i} ${i % 2 === 0 ? 'even' : 'odd'}`),
  ]
  const index = indexOf(contents)
  const all = contents.map((content) => wordsOf(toText(content)).map(fold))

  test('finds each word in its rows', () => {
    for (const word of new Set(all.flat())) {
      if (Buffer.byteLength(word) >= 128) continue
      const expected = all.flatMap((words, row) => (words.includes(word) ? [row] : []))
      expect([word, rowsWith(index, word)]).toEqual([word, expected])
      const [found] = index.find(encodeText(word), false)
      expect(present(found).count).toBe(expected.length)
    }
  })

  test('finds words whose count takes more than a byte, and those behind them', () => {
    const rowCount = 6000
    const counts = [1, 2, 253, 254, 255, 256, 257, 300, 375, 376, 2000]
    const many = indexOf(
      Array.from({ length: rowCount }, (_, row) =>
        counts
          .map((count) =>
            row % Math.floor(rowCount / count) === 0 && row < count * Math.floor(rowCount / count)
              ? `w${count} w${count}b`
              : '',
          )
          .join(' '),
      ),
    )
    for (const count of counts) {
      const step = Math.floor(rowCount / count)
      const expected = Array.from({ length: count }, (_, i) => i * step)
      for (const word of [`w${count}`, `w${count}b`]) {
        expect([word, rowsWith(many, word)]).toEqual([word, expected])
        expect(present(many.find(encodeText(word), false)[0]).count).toBe(count)
      }
    }
    expect(many.find(encodeText('w25'), true).map(({ count }) => count)).toEqual([
      253, 253, 254, 254, 255, 255, 256, 256, 257, 257,
    ])
  })

  test('finds beginnings', () => {
    for (const prefix of ['c', 'con', 'user1', 'row1', 'ü', 'x', '1', 'common', 'zz', '_', 'k']) {
      const expected = all.flatMap((words, row) => (words.some((word) => word.startsWith(prefix)) ? [row] : []))
      expect([prefix, rowsWith(index, prefix, true)]).toEqual([prefix, expected])
      expect(index.has(encodeText(prefix), true)).toBe(expected.length > 0)
    }
  })

  test('long words are found by their first 128 bytes', () => {
    expect(rowsWith(index, 'x'.repeat(300))).toEqual([8])
    expect(rowsWith(index, `${'x'.repeat(127)}y`)).toEqual([9])
    expect(rowsWith(index, 'x'.repeat(299))).toEqual([8])
  })

  test('absent words are absent', () => {
    for (const word of ['connectio', 'connectionn', 'zzz', '', 'b', '0'])
      expect(rowsWith(index, word)).toEqual(word === '0' ? [0] : [])
  })

  test('many words', () => {
    const rows = Array.from({ length: 20_000 }, (_, i) => `id${(i * 7919) % 20_011} ${(i * 31) % 997} shared`)
    const large = indexOf(rows)
    for (let i = 0; i < rows.length; i += 501) {
      const [id, number] = present(rows[i]).split(' ')
      expect(rowsWith(large, present(id))).toEqual([i])
      expect(rowsWith(large, present(number))).toContain(i)
    }
    expect(rowsWith(large, 'shared').length).toBe(rows.length)
    expect(rowsWith(large, 'id1', true).length).toBe(rows.filter((row) => row.startsWith('id1')).length)
  })
})

describe('texts alone', () => {
  const wordsOfLength = Array.from({ length: 40 }, (_, i) => 'abcdefghi'.repeat(5).slice(0, i + 1))
  const contents = [
    wordsOfLength.join(' '),
    wordsOfLength.map((word) => `${word}z`).join('.'),
    'same same SAME same1',
    Array.from({ length: 12_000 }, (_, i) => `w${i % 5000}`).join(' '),
    `${'é'.repeat(3)} ${Array.from({ length: 12_000 }, (_, i) => `v${i % 4000}`).join(' ')}`,
    'begins in ASCII and goes on: naïve same',
    'x'.repeat(70_000),
    ',;',
    ...Array.from({ length: 3000 }, (_, i) => `row${i} of group${i % 7} ends`),
  ]
  test.each([
    ['as they are', contents],
    ['the other way round', contents.toReversed()],
  ])('each word is found in its rows alone: %s', (_, given) => {
    const index = indexOf(given)
    const rows = new Map<string, number[]>()
    for (const [row, content] of given.entries())
      for (const word of new Set(wordsOf(content).map(fold))) {
        const known = rows.get(word)
        if (known === undefined) rows.set(word, [row])
        else known.push(row)
      }
    const long = [...rows.keys()].filter((word) => word.length > 128)
    expect(index.wordCount).toBe(rows.size)
    expect(long).toHaveLength(1)
    // The words are all alike, so it is enough to look up some of them.
    const asked = [...rows].filter(([word], i) => word.length <= 128 && (i < 200 || i % 61 === 0))
    for (const [word, expected] of asked) expect([word, rowsWith(index, word)]).toEqual([word, expected])
  })
})

describe('drawn texts', () => {
  /** Returns each word as the index stores it, folded and truncated, with its rows. */
  function modelOf(texts: readonly string[]): readonly (readonly [word: string, rows: readonly number[]])[] {
    const rows = new Map<string, number[]>()
    for (const [row, text] of texts.entries()) {
      const words = wordsOf(text).map((word) => Buffer.from(encodeText(fold(word))).subarray(0, maxWordBytes))
      for (const word of new Set(words.map((each) => each.toString('latin1')))) {
        const known = rows.get(word)
        if (known === undefined) rows.set(word, [row])
        else known.push(row)
      }
    }
    return [...rows].sort(([a], [b]) => (a < b ? -1 : 1))
  }

  /** Returns each word of an index with its rows, in index order. */
  function wordsIn({ arrays }: WordsInMemory): readonly (readonly [word: string, rows: readonly number[]])[] {
    const { bytes, lengths, rowCount, postings, bitmaps } = arrays
    const mapWords = (rowCount + 31) >>> 5
    let at = 0
    let place = 0
    return Array.from(countsOfWords(arrays), (less, i) => {
      const word = Buffer.from(bytes.subarray(at, (at += present(lengths[i]))))
      const isFrequent = isFrequentIn(rowCount, less + 1)
      const first = place
      place += isFrequent ? 1 : less + 1
      const map = present(postings[first])
      const bits = bitmaps.subarray(map * mapWords, (map + 1) * mapWords)
      return [
        word.toString('latin1'),
        isFrequent ? [...rowsOfBitmap(bits)] : Array.from(postings.subarray(first, place)),
      ] as const
    })
  }

  function columnOf(texts: readonly string[]): TextColumn {
    const encoded = texts.map((text) => encodeText(text))
    const offsets = new Uint32Array(texts.length + 1)
    const wide = new Uint32Array((texts.length + 31) >>> 5)
    let end = 0
    for (const [i, { length }] of encoded.entries()) offsets[i + 1] = end += length
    for (const [i, bytes] of encoded.entries()) if (bytes.some((byte) => byte >= 0x80)) setBit(wide, i)
    return { kind: 'text', length: texts.length, bytes: Bytes.concat(encoded), offsets, validity: undefined, wide }
  }

  const everyByte = Array.from({ length: 128 }, (_, byte) => `a${String.fromCharCode(byte)}B`)
  const alphabets = [
    'abAB09_ .',
    'abcdefghijklmnopqrstuvwxyzXYZ0123456789_-:/ ',
    'aZ é漢\u{1f600}ßİ\u212a\ud800\0_,',
  ].map((each) => Array.from(each))
  const drawn = (random: Random): readonly string[] => {
    const alphabet = present(alphabets[random.below(alphabets.length)])
    const character = (): string =>
      random.below(40) === 0
        ? 'q'.repeat(random.below(160)) + 'z'.repeat(random.below(3))
        : present(alphabet[random.below(alphabet.length)])
    return Array.from({ length: 1 + random.below(random.below(8) === 0 ? 2500 : 80) }, () =>
      Array.from({ length: random.below(80) }, character).join(''),
    )
  }
  // Longer than the chunk that is read at once, with more words than the initial capacity.
  const long = Array.from({ length: 60_000 }, (_, i) => `number_of_word_${i}`).join(' ')

  test.each([
    ['each byte of ASCII', () => [everyByte]],
    ['long ones', () => [['first', long, `${long} é`, 'x'.repeat(300_000)], ['second after them']]],
    ['any', () => Array.from({ length: 20 }, (_, i) => drawn(seededRandom(i + 1)))],
  ])('an index has the words of its rows and no others: %s', (_, segments) => {
    // A single builder indexes all segments, because it reuses its working memory.
    const builder = new WordIndexBuilder()
    for (const texts of segments()) {
      const expected = modelOf(texts)
      expect(wordsIn(builder.build(columnOf(texts)) as WordsInMemory)).toEqual(expected)
      const values = { kind: 'values', length: texts.length, values: texts } as const
      expect(wordsIn(builder.build(values) as WordsInMemory)).toEqual(expected)
    }
  })
})
