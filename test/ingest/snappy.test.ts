import { describe, expect, test } from 'vitest'
import snappy from 'snappyjs'
import { seededRandom } from '../../src/base/index.ts'
import { unpackSnappy } from '../../src/ingest/snappy.ts'

const LIMIT_BYTES = 64 * 1024 * 1024
const random = seededRandom(11)

function varint(value: number): number[] {
  const bytes: number[] = []
  let rest = value
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128)
  return [...bytes, rest]
}

/** An element of a snappy block: literal bytes, or a copy of `size` bytes that begins `offset` bytes back. */
type Element = readonly number[] | { readonly size: number; readonly offset: number; readonly offsetBytes: 1 | 2 | 4 }

/** Encodes elements as a block, preceded by its decompressed length. */
function blockOf(elements: readonly Element[]): { packed: Uint8Array; content: readonly number[] } {
  const content: number[] = []
  const packed: number[] = []
  for (const element of elements) {
    if ('size' in element) {
      const { size, offset, offsetBytes } = element
      for (let i = 0; i < size; i++) content.push(content[content.length - offset] ?? 0)
      if (offsetBytes === 1) packed.push(((offset >> 8) << 5) | ((size - 4) << 2) | 1, offset & 255)
      else {
        packed.push(((size - 1) << 2) | (offsetBytes === 2 ? 2 : 3))
        for (let i = 0; i < offsetBytes; i++) packed.push((offset >> (8 * i)) & 255)
      }
      continue
    }
    content.push(...element)
    const last = element.length - 1
    if (last < 60) packed.push(last << 2)
    else if (last < 256) packed.push(60 << 2, last)
    else packed.push(61 << 2, last & 255, last >> 8)
    packed.push(...element)
  }
  return { packed: Uint8Array.from([...varint(content.length), ...packed]), content }
}

const bytesOf = (count: number): readonly number[] => Array.from({ length: count }, () => random.below(256))

describe('blocks of Snappy', () => {
  test('of all kinds of elements unpack to what was packed', () => {
    for (let round = 0; round < 300; round++) {
      const elements: Element[] = [bytesOf(1 + random.below(70))]
      let length = (elements[0] as readonly number[]).length
      for (let i = random.below(40); i > 0; i--) {
        const kind = random.below(4)
        const offset = 1 + random.below(random.below(2) === 0 ? Math.min(length, 20) : length)
        const element: Element =
          kind === 0
            ? bytesOf(1 + random.below(random.below(5) === 0 ? 400 : 40))
            : kind === 1
              ? { size: 4 + random.below(8), offset: Math.min(offset, 2047), offsetBytes: 1 }
              : { size: 1 + random.below(64), offset, offsetBytes: kind === 2 ? 2 : 4 }
        length += 'size' in element ? element.size : element.length
        elements.push(element)
      }
      const { packed, content } = blockOf(elements)
      expect([...unpackSnappy(packed, LIMIT_BYTES)]).toEqual(content)
    }
  })

  test.each([0, 1, 15, 16, 17, 59, 60, 61, 255, 256, 257, 70_000, 5_000_000])(
    'of %i bytes, packed by another',
    (size) => {
      const content = Uint8Array.from({ length: size }, (_, i) => (i % 7 < 3 ? i % 251 : random.below(4)))
      const unpacked = unpackSnappy(snappy.compress(content), LIMIT_BYTES)
      expect(Buffer.compare(Buffer.from(unpacked), Buffer.from(content))).toBe(0)
    },
  )

  test('of a body that is part of a larger one', () => {
    const { packed, content } = blockOf([bytesOf(100), { size: 8, offset: 3, offsetBytes: 1 }])
    const inside = Uint8Array.from([9, 9, 9, ...packed, 9]).subarray(3, 3 + packed.length)
    expect([...unpackSnappy(inside, LIMIT_BYTES)]).toEqual(content)
  })

  test('that are cut anywhere, or changed, are refused or unpack as another has it', () => {
    const { packed } = blockOf([bytesOf(300), { size: 60, offset: 7, offsetBytes: 2 }, bytesOf(9)])
    for (let length = 0; length < packed.length; length++)
      expect(() => unpackSnappy(packed.subarray(0, length), LIMIT_BYTES)).toThrow()
    let refused = 0
    for (let round = 0; round < 3000; round++) {
      const changed = packed.slice()
      changed[random.below(changed.length)] = random.below(256)
      const attempt = (unpack: () => Uint8Array): string => {
        try {
          return Buffer.from(unpack()).toString('hex')
        } catch {
          return 'refused'
        }
      }
      const ours = attempt(() => unpackSnappy(changed, LIMIT_BYTES))
      if (ours === 'refused') refused++
      else expect(ours).toBe(attempt(() => snappy.uncompress(changed, LIMIT_BYTES)))
    }
    expect(refused).toBeGreaterThan(20)
  })

  test.each<[what: string, elements: readonly number[]]>([
    ['nothing', []],
    ['before the start', [0, 65, (3 << 2) | 2, 2, 0]],
    ['no way at all', [0, 65, (3 << 2) | 2, 0, 0]],
    ['four bytes of offset', [0, 65, (3 << 2) | 3, 255, 255, 255, 255]],
    ['more than there is room for', [0, 65, (9 << 2) | 2, 1, 0]],
    ['a literal of four bytes of length', [63 << 2, 255, 255, 255, 255, 65]],
  ])('that reach back %s are refused', (_, elements) => {
    expect(() => unpackSnappy(Uint8Array.from([5, ...elements]), LIMIT_BYTES)).toThrow()
  })
})
