import { describe, expect, test, vi } from 'vitest'
import { noReads, present, seededRandom } from '../../../src/base/index.ts'
import { encodeText, latin1, wordsOf, fold } from '../../../src/data/index.ts'
import { isFixed, type TextTemplates } from '../../../src/store/index.ts'
import { BlockCache, RowGroupFile } from '../../../src/store/segments/index.ts'
import { fileOf, onDisk, opened, rowCounter, sealedTable, sourceOf } from './read-all.ts'

const start = 1_700_000_000_000_000_000n

function readOf(texts: readonly string[]) {
  const table = sealedTable(texts.map((content, i) => [start + BigInt(i), [['content', content]]]))
  const { file, summary } = fileOf(table, present(table.view.snapshot()[0]))
  const cache = new BlockCache(1 << 30)
  const read = opened(table, sourceOf(file), summary, cache)
  return { words: present(read.words), cache, file }
}

function templateOf({ bytes, offsets, codes }: TextTemplates, row: number): string | undefined {
  const code = present(codes[row])
  return code === 0 ? undefined : latin1(bytes, present(offsets[code - 1]), present(offsets[code]))
}

const random = seededRandom(5)
const messages = Array.from({ length: 3000 }, (_, i) => {
  if (i === 7) return 'seldom seen: Connection reset'
  if (i % 500 === 499) return `wide ä, Connection reset by ${i}`
  if (i % 500 === 498) return `Connection reset \0 of ${i}`
  // A NUL character stands for a word in templates; here the string itself contains it.
  if (i % 500 === 497) return 'Connection reset by \0, (id=\0) try 3'
  const verb = ['Connection reset by', 'connection  refused by', 'lost CONNECTION of'][random.below(3)]
  return `${verb} peer${random.below(9000)}, (id=${random.below(1 << 30).toString(16)}) try ${random.below(5)}`
})

/** Returns the expected template of a string, derived word by word. */
function expectedTemplate(text: string, isFixedWord: (word: string) => boolean): string | undefined {
  if (text.includes('ä') || text.includes('\0')) return undefined
  const [done, rest] = wordsOf(text).reduce(
    ([before, left], word) => {
      const at = left.indexOf(word)
      return [before + left.slice(0, at) + (isFixedWord(word) ? word : '\0'), left.slice(at + word.length)] as const
    },
    ['', text] as readonly [string, string],
  )
  return done + rest
}

describe('templates of texts', () => {
  const { words } = readOf(messages)
  const known = present(words.templates)
  const templates = known.read()

  test('are the texts but for words that few rows have or that have digits', () => {
    const isFixedWord = (word: string): boolean => isFixed(words, known, encodeText(fold(word)))
    expect(['connection', 'RESET', 'by', 'id', 'of', 'seldom', '3', 'peer17'].map(isFixedWord)).toEqual([
      true,
      true,
      true,
      true,
      true,
      false,
      false,
      false,
    ])
    for (const [row, text] of messages.entries())
      expect([row, templateOf(templates, row)]).toEqual([row, expectedTemplate(text, isFixedWord)])
  })

  test('the most frequent come first, each once', () => {
    const counts = Array.from(
      { length: templates.count },
      (_, i) => templates.codes.filter((code) => code === i + 1).length,
    )
    expect(counts).toEqual(counts.toSorted((a, b) => b - a))
    expect(new Set(messages.map((_, row) => templateOf(templates, row))).size).toBe(templates.count + 1)
  })
})

test('texts that differ in the middle of words, in case or at their ends have the templates that they have alone', () => {
  const random = seededRandom(8)
  const some = ['ship', 'shipped', 'ships', 'SHIP', 'Shipped', 'to', 'too', 't', 'ship1', 'shi', '7', 'a7', 'at']
  const gaps = [' ', ' ', ' ', ', ', '=', '  ', '']
  const texts = Array.from({ length: 4000 }, (_, i) => {
    const seldom = `shi${String.fromCharCode(97 + (i % 26), 97 + ((i >> 5) % 26), 97 + ((i >> 3) % 26))}`
    const words = Array.from({ length: random.below(6) }, () =>
      random.below(9) === 0 ? seldom : some[random.below(13)],
    )
    return words.map((word) => `${word}${gaps[random.below(7)]}`).join('')
  })
  const { words } = readOf(texts)
  const known = present(words.templates)
  const templates = known.read()
  const isFixedWord = (word: string): boolean => isFixed(words, known, encodeText(fold(word)))
  for (const [row, text] of texts.entries())
    expect([row, templateOf(templates, row)]).toEqual([row, expectedTemplate(text, isFixedWord)])
})

test('texts that have nothing in common have none', () => {
  const random = seededRandom(6)
  const letters = (): string => String.fromCharCode(...Array.from({ length: 8 }, () => 97 + random.below(26)))
  const texts = Array.from({ length: 6000 }, () =>
    Array.from({ length: 1 + random.below(6) }, letters).join('-;:,'[random.below(4)]),
  )
  const { file } = readOf(texts.map((text, i) => `${text}${'.,'.repeat(i % 97)}${'!?'.repeat(i % 89)}`))
  expect(new RowGroupFile(sourceOf(file), noReads()).open().contents.words?.templates).toBeUndefined()
})

test('words that many others can stand for are left out', () => {
  const names = ['ant', 'bee', 'cat', 'dog', 'elk', 'fox', 'gnu', 'hen', 'ibis', 'jay']
  const { words } = readOf(
    Array.from(
      { length: 2000 },
      (_, i) => `call to ${names[i % 10]} failed on try ${i}, ${i % 3 === 0 ? 'gave up' : 'tried again'}`,
    ),
  )
  const known = present(words.templates)
  expect(names.map((name) => isFixed(words, known, encodeText(name)))).toEqual(names.map(() => false))
  expect(['to', 'failed', 'gave', 'again'].map((word) => isFixed(words, known, encodeText(word)))).toEqual([
    true,
    true,
    true,
    true,
  ])
  expect(known.read().count).toBe(2)
})

describe('phrases over a file', () => {
  const table = sealedTable(messages.map((content, i) => [start + BigInt(i), [['content', content]]]))
  const asked = [
    '"connection reset"',
    '"connection reset by"',
    '"reset by"',
    '"Reset of"',
    '"by connection"',
    '"lost connection of"',
    '"connection  refused by"',
    '"connection refused by"',
    'content:"reset connection"',
    '-"connection reset"',
    '"connection reset" "seldom seen"',
    '"seldom seen: connection"',
    '"by 499"',
    'content:seq("lost", "of")',
    'content:seq("of", "lost")',
    'content:contains_all("connection reset", by)',
    'content:contains_any("connection reset", "lost connection")',
    '"connection res"*',
    '", (id="',
    '"id=1"*',
  ]

  test.each(asked)('give the same rows: %s', async (query) => {
    const cache = new BlockCache(1 << 20)
    expect(await rowCounter(onDisk(table, cache))(query)).toBe(await rowCounter(table)(query))
  })

  test('of words with bitmaps read that of the rarest alone', async () => {
    const texts = ['connection reset by peer', 'connection lost', 'left by the door', 'reset the clock']
    const rows = Array.from(
      { length: 3000 },
      (_, i) => [start + BigInt(i), [['content', `${texts[i % 7] ?? 'connection by'} ${i}`]]] as const,
    )
    const table = sealedTable(rows)
    const disk = onDisk(table, new BlockCache(1 << 20))
    const read = vi.spyOn(present(disk.segments.all[0]?.words), 'bitmapOf')
    expect(await rowCounter(disk)('"connection reset by peer" | fields content')).toBe(429)
    expect(read.mock.calls.map(([{ count }]) => count)).toEqual([429])
  })

  test('of words that many rows have read no texts', async () => {
    const plain = sealedTable(
      messages.filter((text) => /^[ -~]*$/.test(text)).map((content, i) => [start + BigInt(i), [['content', content]]]),
    )
    const cache = new BlockCache(1 << 20)
    const stored = onDisk(plain, cache)
    const count = rowCounter(stored)
    expect(await count('"connection reset by" | stats count() as n')).toBe(1)
    const { bytes } = cache.counts
    expect(bytes).toBeLessThan(24_000)
    expect(await count('"try 3" | stats count() as n')).toBe(1)
    expect(cache.counts.bytes - bytes).toBeGreaterThan(30_000)
  })
})
