import { popcount, type Bitmap } from '../../data/index.ts'

/** Of a page: how many entries have one place, how many have a bitmap, and the low bits of each kind. */
const HEAD_WORDS = 4
/** What the place and the low bits of an entry are counted as, when it is asked whether a bitmap takes less. */
const LOW_BITS = 4
const MAX_LOW_BITS = 24

/** Hashes of a page are counted from its first one, below `range`; the group has so many places. */
export interface PageShape {
  readonly range: number
  readonly places: number
}

function wordsFor(bits: number): number {
  return Math.ceil(bits / 32)
}

/** Bits of whole numbers below a limit, one at least. */
export function bitsBelow(limit: number): number {
  return Math.max(1, 32 - Math.clz32(limit - 1))
}

/** Low bits with which `count` ascending numbers below `range` take least. */
function lowBitsOf(count: number, range: number): number {
  return count === 0 ? 0 : Math.max(0, Math.floor(Math.log2(range / count)))
}

/** Words of the high parts: a one for each number, and a zero behind those of each high part. */
function highWords(count: number, range: number, lowBits: number): number {
  return count === 0 ? 0 : wordsFor(count + Math.ceil(range / 2 ** lowBits))
}

function setBits(words: Uint32Array, at: number, width: number, value: number): void {
  const word = at >>> 5
  const shift = at & 31
  words[word] |= value << shift
  if (shift + width > 32) words[word + 1] |= value >>> (32 - shift)
}

function bitsAt(words: Uint32Array, at: number, width: number): number {
  const word = at >>> 5
  const shift = at & 31
  let value = words[word] >>> shift
  if (shift + width > 32) value |= words[word + 1] << (32 - shift)
  return width === 32 ? value >>> 0 : (value & ((1 << width) - 1)) >>> 0
}

/** Ascending numbers below `range`: their high parts one behind the other, then their low bits. */
function setNumbers(words: Uint32Array, at: number, numbers: Uint32Array, range: number): void {
  const count = numbers.length
  const lowBits = lowBitsOf(count, range)
  const high = highWords(count, range, lowBits)
  for (let i = 0; i < count; i++) {
    const bit = i + (numbers[i] >>> lowBits)
    words[at + (bit >>> 5)] |= 1 << (bit & 31)
    if (lowBits > 0) setBits(words, (at + high) * 32 + i * lowBits, lowBits, numbers[i] & ((1 << lowBits) - 1))
  }
}

/**
 * A page of hashes with the places that have them. `items` are `hash · 256 + place`, ascending, each once, the hashes counted
 * from the first of the page; there are 2^24 hashes at most.
 */
export function encodePage(items: Uint32Array, { range, places }: PageShape): Uint32Array {
  const width = bitsBelow(places)
  const mapWords = wordsFor(places)
  let singles = 0
  let manies = 0
  const single = new Uint32Array(items.length)
  const singlePlaces = new Uint8Array(items.length)
  const many = new Uint32Array(items.length)
  // Where the items of each begin, and where they end.
  const manyFrom = new Uint32Array(items.length)
  const manyTo = new Uint32Array(items.length)
  const mostListed = Math.max(1, Math.floor((mapWords * 32) / (width + LOW_BITS)))
  for (let from = 0; from < items.length;) {
    const hash = items[from] >>> 8
    let to = from + 1
    while (to < items.length && items[to] >>> 8 === hash) to++
    if (to - from > mostListed) {
      manyFrom[manies] = from
      manyTo[manies] = to
      many[manies++] = hash
    } else
      for (let i = from; i < to; i++) {
        singlePlaces[singles] = items[i] & 255
        single[singles++] = hash
      }
    from = to
  }
  const head = [singles, manies, lowBitsOf(singles, range), lowBitsOf(manies, range)]
  const { placesAt, manyAt, mapsAt, end } = layoutOf(head, { range, places })
  const words = new Uint32Array(end)
  words.set(head)
  setNumbers(words, HEAD_WORDS, single.subarray(0, singles), range)
  for (let i = 0; i < singles; i++) setBits(words, placesAt * 32 + i * width, width, singlePlaces[i])
  setNumbers(words, manyAt, many.subarray(0, manies), range)
  for (let i = 0; i < manies; i++) {
    for (let item = manyFrom[i]; item < manyTo[i]; item++) {
      const place = items[item] & 255
      words[mapsAt + i * mapWords + (place >>> 5)] |= 1 << (place & 31)
    }
  }
  return words
}

interface PageLayout {
  readonly singleLow: number
  /** Words before the low bits, the places, the second kind, its low bits, its bitmaps, and behind all. */
  readonly singleLowAt: number
  readonly placesAt: number
  readonly manyAt: number
  readonly manyLow: number
  readonly manyLowAt: number
  readonly mapsAt: number
  readonly end: number
}

function layoutOf(head: ArrayLike<number>, { range, places }: PageShape): PageLayout {
  const { 0: single, 1: many, 2: singleLow, 3: manyLow } = head
  const singleLowAt = HEAD_WORDS + highWords(single, range, singleLow)
  const placesAt = singleLowAt + wordsFor(single * singleLow)
  const manyAt = placesAt + wordsFor(single * bitsBelow(places))
  const manyLowAt = manyAt + highWords(many, range, manyLow)
  const mapsAt = manyLowAt + wordsFor(many * manyLow)
  return { singleLow, singleLowAt, placesAt, manyAt, manyLow, manyLowAt, mapsAt, end: mapsAt + many * wordsFor(places) }
}

/** Where the bit behind the `count`th zero is. */
function behindZeros(words: Uint32Array, at: number, count: number): number {
  let left = count
  let word = at
  for (; left > 0; word++) {
    const zeros = 32 - popcount(words[word])
    if (zeros >= left) break
    left -= zeros
  }
  let bit = word * 32
  for (; left > 0; bit++) if (((words[bit >>> 5] >>> (bit & 31)) & 1) === 0) left--
  return bit - at * 32
}

/** Calls `found` with the number of each entry that has this hash. */
function eachWith(
  words: Uint32Array,
  hash: number,
  { at, lowAt, low }: { readonly at: number; readonly lowAt: number; readonly low: number },
  found: (entry: number) => void,
): void {
  const high = hash >>> low
  const wanted = hash & ((1 << low) - 1)
  let bit = behindZeros(words, at, high)
  for (; ((words[at + (bit >>> 5)] >>> (bit & 31)) & 1) === 1; bit++) {
    const entry = bit - high
    if (low === 0 || bitsAt(words, lowAt * 32 + entry * low, low) === wanted) found(entry)
  }
}

/** Pages as they are read. */
export class GroupPage {
  readonly #words: Uint32Array
  readonly #layout: PageLayout
  readonly #single: number
  readonly #many: number
  readonly #shape: PageShape

  private constructor(words: Uint32Array, layout: PageLayout, shape: PageShape) {
    this.#words = words
    this.#layout = layout
    this.#shape = shape
    ;[this.#single, this.#many] = words
  }

  /** `undefined` where the lengths do not add up. */
  static of(words: Uint32Array, shape: PageShape): GroupPage | undefined {
    if (words.length < HEAD_WORDS) return undefined
    const layout = layoutOf(words, shape)
    if (layout.end !== words.length || layout.singleLow > MAX_LOW_BITS || layout.manyLow > MAX_LOW_BITS)
      return undefined
    return new GroupPage(words, layout, shape)
  }

  /** Adds the places that have a hash, and perhaps some others, to a bitmap. */
  addPlaces(hash: number, to: Bitmap): void {
    const words = this.#words
    const { singleLow, singleLowAt, placesAt, manyAt, manyLow, manyLowAt, mapsAt } = this.#layout
    const { places } = this.#shape
    const width = bitsBelow(places)
    const mapWords = wordsFor(places)
    if (this.#single > 0)
      eachWith(words, hash, { at: HEAD_WORDS, lowAt: singleLowAt, low: singleLow }, (entry) => {
        const place = bitsAt(words, placesAt * 32 + entry * width, width)
        to[place >>> 5] |= 1 << (place & 31)
      })
    if (this.#many > 0)
      eachWith(words, hash, { at: manyAt, lowAt: manyLowAt, low: manyLow }, (entry) => {
        for (let i = 0; i < mapWords; i++) to[i] |= words[mapsAt + entry * mapWords + i]
      })
  }

  /** Every hash with each of its places, as `hash · 256 + place`, ascending. */
  items(): Uint32Array {
    const words = this.#words
    const { singleLow, singleLowAt, placesAt, manyAt, manyLow, manyLowAt, mapsAt } = this.#layout
    const { places } = this.#shape
    const width = bitsBelow(places)
    const mapWords = wordsFor(places)
    const single = numbersOf(words, this.#single, { at: HEAD_WORDS, lowAt: singleLowAt, low: singleLow })
    const many = numbersOf(words, this.#many, { at: manyAt, lowAt: manyLowAt, low: manyLow })
    let count = single.length
    for (let word = mapsAt; word < words.length; word++) count += popcount(words[word])
    const items = new Uint32Array(count)
    let at = 0
    let entry = 0
    // A hash has its places in one of the two ways.
    for (let next = 0; ; next++) {
      const before = next < many.length ? many[next] : Infinity
      for (; entry < single.length && single[entry] < before; entry++)
        items[at++] = (single[entry] << 8) | bitsAt(words, placesAt * 32 + entry * width, width)
      if (next === many.length) return items
      for (let i = 0; i < mapWords; i++)
        for (let bits = words[mapsAt + next * mapWords + i]; bits !== 0; bits &= bits - 1)
          items[at++] = (before << 8) | (i * 32 + 31 - Math.clz32(bits & -bits))
    }
  }
}

/** Numbers as `setNumbers` has written them; fewer than `count` where the page is not as it was written. */
function numbersOf(
  words: Uint32Array,
  count: number,
  { at, lowAt, low }: { readonly at: number; readonly lowAt: number; readonly low: number },
): Uint32Array {
  const numbers = new Uint32Array(count)
  let entry = 0
  for (let word = at; word < lowAt; word++)
    for (let bits = words[word]; bits !== 0 && entry < count; bits &= bits - 1) {
      const high = (word - at) * 32 + 31 - Math.clz32(bits & -bits) - entry
      numbers[entry] = low === 0 ? high : (high << low) | bitsAt(words, lowAt * 32 + entry * low, low)
      entry++
    }
  return numbers.subarray(0, entry)
}
