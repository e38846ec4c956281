import { FNV_FACTOR, FNV_FIRST, PAGE_BYTES } from '../../../base/index.ts'

/** Size of a cache line, bytes. A lookup reads one cache line of one page. A page is a block. */
const LINE_BYTES = 64

/** Bits per item. With 4 of them set per item, about 1 of 80 absent items is reported as present. */
const BITS_EACH = 10
const BITS_SET = 4

/** Two hashes of an item: `high` selects the page, `low` the bits in the page. */
export interface FilterKey {
  readonly high: number
  readonly low: number
}

/** Returns a hash whose 32 bits all depend on each bit of the input. */
export function mixed(hash: number): number {
  let h = hash
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}

export function keyOfBytes(bytes: Uint8Array, start = 0, end = bytes.length): FilterKey {
  let high = FNV_FIRST
  let low = 0x9747b28c
  for (let i = start; i < end; i++) {
    high = Math.imul(high ^ bytes[i], FNV_FACTOR)
    low = Math.imul(low ^ bytes[i], 0x5bd1e995)
    low ^= low >>> 15
  }
  return { high: mixed(high), low: mixed(low) }
}

/** Returns the hash of a word or string for the filters of parts: the member `high` of its key. */
export function hashOfBytes(bytes: Uint8Array, start = 0, end = bytes.length): number {
  let high = FNV_FIRST
  for (let i = start; i < end; i++) high = Math.imul(high ^ bytes[i], FNV_FACTOR)
  return mixed(high)
}

function pagesFor(items: number): number {
  return Math.max(1, Math.ceil((items * BITS_EACH) / (PAGE_BYTES * 8)))
}

/** Returns the number of the page with an item. */
export function pageOf(pages: number, { high }: FilterKey): number {
  return Math.floor((high / 4294967296) * pages)
}

/** True if the page may contain an item. */
export function mayHave(page: Uint8Array, { low }: FilterKey): boolean {
  const line = (low >>> 26) * LINE_BYTES
  let bits = low
  for (let i = 0; i < BITS_SET; i++) {
    bits = Math.imul(bits, 0x9e3779b1) + 0x7f4a7c15
    const bit = bits >>> 23
    if (((page[line + (bit >>> 3)] >>> (bit & 7)) & 1) === 0) return false
  }
  return true
}

/** Collects items in the pages of a Bloom filter. */
export class FilterBuilder {
  readonly pages: readonly Uint8Array[]

  constructor(items: number) {
    this.pages = Array.from({ length: pagesFor(items) }, () => new Uint8Array(PAGE_BYTES))
  }

  add(key: FilterKey): void {
    const page = this.pages[Math.floor((key.high / 4294967296) * this.pages.length)]
    const line = (key.low >>> 26) * LINE_BYTES
    let bits = key.low
    for (let i = 0; i < BITS_SET; i++) {
      bits = Math.imul(bits, 0x9e3779b1) + 0x7f4a7c15
      const bit = bits >>> 23
      page[line + (bit >>> 3)] |= 1 << (bit & 7)
    }
  }
}
