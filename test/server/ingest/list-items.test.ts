import { describe, expect, test } from 'vitest'
import { runToEnd, seededRandom, type Random } from '../../../src/base/index.ts'
import { isOneDocument, listItems, startOfJson } from '../../../src/server/ingest/decoders/list-items.ts'

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

function itemsOf(text: string): readonly string[] {
  const bytes = bytesOf(text)
  return Array.from(listItems(bytes), ({ from, to }) => new TextDecoder().decode(bytes.subarray(from, to)).trim())
}

function randomJson(random: Random, depth: number): unknown {
  const kind = random.below(depth > 3 ? 3 : 5)
  if (kind === 0) return random.pick(['', '"', '\\', '],[', '{"a":[1,2]}', 'é\u2028,'])
  if (kind === 1) return random.below(1000) - 500
  if (kind === 2) return random.pick([null, true, false])
  const parts = Array.from({ length: random.below(4) }, () => randomJson(random, depth + 1))
  return kind === 3 ? parts : Object.fromEntries(parts.map((part, i) => [`${i}]"{`, part]))
}

describe('the items of a list', () => {
  test('are those that a parser finds', () => {
    for (let seed = 0; seed < 500; seed++) {
      const random = seededRandom(seed)
      const list = Array.from({ length: random.below(6) }, () => randomJson(random, 0))
      for (const text of [JSON.stringify(list), `\uFEFF \n${JSON.stringify(list, undefined, 2)} \n`]) {
        expect(itemsOf(text).map((item) => JSON.parse(item) as unknown)).toEqual(list)
        expect(runToEnd(isOneDocument(bytesOf(text), startOfJson(bytesOf(text))))).toBe(true)
      }
    }
  })

  test.each([
    ['[1, 2', 'the list does not end'],
    ['[1, "2]', 'the list does not end'],
    ['[1] 2', 'something follows the list at byte 5'],
    ['[1}', 'unexpected } at byte 3'],
  ])('of %s are refused', (text, reason) => {
    expect(() => itemsOf(text)).toThrow(reason)
  })

  test('an empty one between commas is given, to be refused as an item', () => {
    expect(itemsOf('[1,,2,]')).toEqual(['1', '', '2', ''])
  })
})

test.each([
  ['{"a":1}\n{"a":2}', false],
  ['{"a":\n1}', true],
  ['{"a":"}{"}  \n', true],
  ['{"a":1', false],
])('whether %j is one document', (text, isOne) => {
  expect(runToEnd(isOneDocument(bytesOf(text), 0))).toBe(isOne)
})
