import type protobuf from 'protobufjs'
import { Bytes, FNV_FACTOR, FNV_FIRST } from '../../base/index.ts'
import { Labels, latin1 } from '../../data/index.ts'
import type { SentBytes } from '../sent-bytes.ts'
import {
  MAX_KNOWN_SETS,
  MAX_KNOWN_BYTES,
  KNOWN_WORDS_PER_BUFFER,
  KNOWN_STRINGS,
  MAX_KNOWN_STRING_BYTES,
  KNOWN_NAME_LISTS,
} from '../tuning.ts'

interface KnownRefs {
  readonly texts: readonly string[]
  readonly labels: Labels
  /** Entry that was requested directly after this entry the last time. */
  next: KnownRefs | undefined
}

function isOfTexts(known: KnownRefs, refs: readonly number[], texts: readonly string[]): boolean {
  if (known.texts.length !== refs.length) return false
  for (let i = 0; i < refs.length; i++) if (known.texts[i] !== texts[refs[i] ?? 0]) return false
  return true
}

/** Mixes a hash into a small non-negative integer. */
function finished(hash: number): number {
  return Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 2
}

/** A remembered value with the bytes from which it was made. */
interface KnownEntry<T> {
  readonly kind: number
  readonly length: number
  /** The bytes are in this buffer from index `at`: four bytes per word, the remaining ones in the last word. */
  readonly words: Uint32Array
  readonly at: number
  readonly made: T
  /** Entry that was requested directly after this entry the last time. */
  next: KnownEntry<T> | undefined
}

/** Returns the bytes `[at, end)` as one word; there are fewer than four. */
function lastWord(bytes: Bytes, at: number, end: number): number {
  let word = 0
  for (let i = at; i < end; i++) word = (word << 8) | (bytes[i] ?? 0)
  return word >>> 0
}

/**
 * A cache from bytes and a kind to the value made from them. Senders repeat their series in the same order. So a lookup
 * first compares the entry that followed the previous one last time, and hashes the bytes only if that entry differs.
 * If a limit is exceeded, all entries are dropped.
 */
export class KnownBytes<T> {
  readonly #byHash = new Map<number, KnownEntry<T>>()
  readonly #maxWeight: number
  #weight = 0
  #bytes = 0
  #last: KnownEntry<T> | undefined
  /** Memory that holds the bytes of many entries, and the number of used words in it. */
  #words = new Uint32Array(0)
  #used = 0

  /** `maxWeight` is the maximum total weight of the values. */
  constructor(maxWeight = MAX_KNOWN_SETS) {
    this.#maxWeight = maxWeight
  }

  /** Returns the value remembered for `[start, end)` of a body. */
  find(body: SentBytes, start: number, end: number, kind: number): T | undefined {
    const guess = this.#last?.next
    if (guess !== undefined && isOf(guess, body, start, end, kind)) {
      this.#last = guess
      return guess.made
    }
    const found = this.#byHash.get(hashOf(body, start, end, kind))
    if (found === undefined || !isOf(found, body, start, end, kind)) return undefined
    this.#follow(found)
    return found.made
  }

  keep(body: SentBytes, start: number, end: number, kind: number, made: T, weight = 1): void {
    const length = end - start
    this.#bytes += length
    this.#weight += weight
    if (this.#weight > this.#maxWeight || this.#bytes > MAX_KNOWN_BYTES) {
      this.#byHash.clear()
      this.#bytes = length
      this.#weight = weight
      this.#last = undefined
    }
    const whole = length >>> 2
    if (this.#used + whole + 1 > this.#words.length) {
      this.#words = new Uint32Array(Math.max(KNOWN_WORDS_PER_BUFFER, whole + 1))
      this.#used = 0
    }
    const words = this.#words
    const at = this.#used
    this.#used += whole + 1
    for (let i = 0; i < whole; i++) words[at + i] = body.word(start + 4 * i)
    words[at + whole] = lastWord(body.bytes, start + 4 * whole, end)
    const entry = { kind, length, words, at, made, next: undefined }
    this.#byHash.set(hashOf(body, start, end, kind), entry)
    this.#follow(entry)
  }

  #follow(entry: KnownEntry<T>): void {
    if (this.#last !== undefined) this.#last.next = entry
    this.#last = entry
  }
}

function isOf(known: KnownEntry<unknown>, body: SentBytes, start: number, end: number, kind: number): boolean {
  const { words, length, at } = known
  if (known.kind !== kind || length !== end - start) return false
  const { view } = body
  const whole = length >>> 2
  for (let i = 0; i < whole; i++) if (words[at + i] !== view.getUint32(start + 4 * i, true)) return false
  return words[at + whole] === lastWord(body.bytes, start + 4 * whole, end)
}

function hashOf({ view, bytes }: SentBytes, start: number, end: number, kind: number): number {
  let hash = FNV_FIRST ^ kind
  let at = start
  for (; at + 4 <= end; at += 4) {
    hash = Math.imul(hash ^ view.getUint32(at, true), FNV_FACTOR)
    hash = (hash << 13) | (hash >>> 19)
  }
  return finished(Math.imul(hash ^ lastWord(bytes, at, end), FNV_FACTOR) ^ (end - start))
}

/**
 * A cache of recent short strings. Without it, a name that occurs in every series would become a new string, with a
 * hash to compute, each time.
 */
export class KnownTexts {
  readonly #texts = Array<string>(KNOWN_STRINGS).fill('')

  /** Reads the string at the reader's position; `bytes` are the bytes of the reader. */
  read(reader: protobuf.Reader, bytes: Bytes): string {
    const from = reader.pos
    const length = reader.uint32()
    const start = reader.pos
    const end = start + length
    if (length > MAX_KNOWN_STRING_BYTES || end > reader.len) return textAt(reader, from)
    let hash = length
    let all = 0
    for (let i = start; i < end; i++) {
      const byte = bytes[i] ?? 0
      all |= byte
      hash = Math.imul(hash ^ byte, FNV_FACTOR)
    }
    if (all >= 0x80) return textAt(reader, from)
    reader.pos = end
    const slot = finished(hash) % KNOWN_STRINGS
    const known = this.#texts[slot]
    if (known !== undefined && known.length === length) {
      let i = 0
      while (i < length && known.charCodeAt(i) === bytes[start + i]) i++
      if (i === length) return known
    }
    return (this.#texts[slot] = latin1(bytes, start, end))
  }
}

function textAt(reader: protobuf.Reader, from: number): string {
  reader.pos = from
  return reader.string()
}

/** A cache of recent lists of label names. Most series have the same list as other series. */
export class KnownNameLists {
  readonly #lists: (readonly string[] | undefined)[] = Array.from({ length: KNOWN_NAME_LISTS })

  /** Returns equal labels whose list of names is the cached one, if such a list is cached. */
  shared(labels: Labels): Labels {
    const { names } = labels
    let hash = names.length
    for (const name of names) hash = Math.imul(hash ^ name.length, 31) + name.charCodeAt(name.length - 1)
    const slot = (hash >>> 0) % KNOWN_NAME_LISTS
    const known = this.#lists[slot]
    if (known?.length === names.length && known.every((name, i) => name === names[i]))
      return Labels.fromSorted(known, labels.values)
    this.#lists[slot] = names
    return labels
  }
}

/** A table of names and values. Series refer to them by number. */
export class TextTable {
  readonly texts: string[] = []
  /** The hashes of the strings, computed on demand; 0 when not computed. */
  readonly #hashes: number[] = []

  add(text: string): void {
    this.texts.push(text)
    this.#hashes.push(0)
  }

  /** Returns a hash of the referenced strings; `undefined` if one of them is not in the table. */
  hashOf(refs: readonly number[]): number | undefined {
    let hash = refs.length
    for (const ref of refs) {
      let own = this.#hashes[ref]
      if (own === undefined) return undefined
      if (own === 0) this.#hashes[ref] = own = hashOfText(this.texts[ref] ?? '')
      hash = Math.imul(hash ^ own, FNV_FACTOR)
    }
    return finished(hash)
  }
}

function hashOfText(text: string): number {
  let hash = FNV_FIRST
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), FNV_FACTOR)
  return hash
}

/**
 * A cache from the sent form of label sets to the sets. Senders repeat their series, and a lookup is faster than
 * creating a set and its key. Complete sent forms are compared, so sets are never confused. An error that `make`
 * returns is not cached.
 */
export class KnownLabels {
  readonly #byBytes: KnownBytes<Labels>
  readonly #byTexts = new Map<number, KnownRefs>()
  #lastTexts: KnownRefs | undefined
  readonly #maxSets: number
  #sent = 0

  constructor(maxSets = MAX_KNOWN_SETS) {
    this.#maxSets = maxSets
    this.#byBytes = new KnownBytes(maxSets)
  }

  /** Returns the labels in `[start, end)` of a body; `make` reads them when they are new. */
  ofBytes(body: SentBytes, start: number, end: number, make: () => Labels | string): Labels | string {
    const known = this.#byBytes.find(body, start, end, 0)
    if (known !== undefined) return known
    const made = make()
    if (typeof made !== 'string') this.#byBytes.keep(body, start, end, 0, made)
    return made
  }

  /**
   * Returns the labels whose names and values alternate in these strings. Returns `undefined` when a string or the last
   * value is missing.
   */
  ofTexts(
    refs: readonly number[],
    table: TextTable,
    make: (texts: readonly string[]) => Labels | string,
  ): Labels | string | undefined {
    const { texts } = table
    const guess = this.#lastTexts?.next
    if (guess !== undefined && isOfTexts(guess, refs, texts)) {
      this.#lastTexts = guess
      return guess.labels
    }
    const hash = refs.length % 2 === 0 ? table.hashOf(refs) : undefined
    if (hash === undefined) return undefined
    let known = this.#byTexts.get(hash)
    if (known === undefined || !isOfTexts(known, refs, texts)) {
      const own = refs.map((ref) => texts[ref] ?? '')
      const labels = make(own)
      if (typeof labels === 'string') return labels
      this.#count(own.reduce((sum, { length }) => sum + length, 0))
      known = { texts: own, labels, next: undefined }
      this.#byTexts.set(hash, known)
    }
    if (this.#lastTexts !== undefined) this.#lastTexts.next = known
    this.#lastTexts = known
    return known.labels
  }

  /** Counts an entry that is about to be added. Drops all entries if a limit is exceeded. */
  #count(sent: number): void {
    this.#sent += sent
    if (this.#byTexts.size < this.#maxSets && this.#sent <= MAX_KNOWN_BYTES) return
    this.#byTexts.clear()
    this.#lastTexts = undefined
    this.#sent = sent
  }
}
