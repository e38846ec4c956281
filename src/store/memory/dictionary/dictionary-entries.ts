import { FIRST_CAPACITY } from '../../../base/index.ts'
import {
  createBitmap,
  encodeText,
  fold,
  hasBit,
  setBit,
  valueOfParts,
  valueTag,
  type Bitmap,
  type Value,
} from '../../../data/index.ts'
import { codeMask, encodedOther, entriesWithText, hashFolded, hashOfText, isCrowded, slotOf } from './entry-hash.ts'
import {
  bytesOf,
  grownBytes,
  grownFloat64,
  grownUint32,
  grownUint8,
  sharedBytes,
  sharedFloat64,
  sharedUint32,
  sharedUint8,
} from '../shared.ts'

const CACHED_VALUES = 65_536
const CACHED_TEXTS = 8192
/** Number of slots in the cache of recent texts, a power of two. A hash of a few bytes of a text selects its slot. */
const RECENT_TEXTS = 256
const NO_RECENT = new Uint32Array(1)
const NO_CODES: readonly number[] = []
const NO_CODE = createBitmap(0)

/**
 * Empty buffers that all new dictionaries share; they are never written to. Buffers are allocated with the first value,
 * since a table may have thousands of fields with one value each.
 */
const NONE = {
  tags: sharedUint8(1),
  numbers: sharedFloat64(1),
  bytes: sharedBytes(0),
  offsets: sharedUint32(2),
  hashes: sharedUint32(1),
  slots: sharedUint32(1),
}
const FIRST_CODES = 16
const FIRST_SLOTS = 32

/**
 * The state of a dictionary, for readers in other threads. Buffers only grow in place or are replaced by longer copies,
 * so a reader may read entries below `size` while the writer adds others.
 */
export interface DictionaryState {
  readonly size: number
  readonly isAllText: boolean
  readonly numberCount: number
  readonly tags: Uint8Array
  readonly numbers: Float64Array
  readonly bytes: Uint8Array
  readonly offsets: Uint32Array
  readonly hashes: Uint32Array
  /** Hash table of codes; `slotOf` encodes each slot. */
  readonly slots: Uint32Array
  /** Codes below this one have entries in `hashes` and `slots`. */
  readonly indexed: number
}

/** Changes of a dictionary in memory. Buffers that did not change are absent. */
export type StateDelta = Pick<DictionaryState, 'size' | 'isAllText' | 'numberCount' | 'indexed'> &
  Partial<DictionaryState>

/** Number of searches that scan the unindexed entries sequentially before all entries are indexed. */
const FEW_SCANS = 4

/** Returns the cache slot of a text. If the text is empty, arbitrary adjacent bytes are read, which is harmless. */
function recentSlot(source: Uint8Array, start: number, end: number): number {
  const last = end - start < 2 ? start : end - 2
  const bytes = source[start] | (source[(start + end) >>> 1] << 8) | (source[last] << 16) | (source[last + 1] << 24)
  return Math.imul(bytes ^ (end - start), 0x9e3779b1) >>> 24
}

/**
 * The entries of a dictionary in memory and their hash index. Texts are hashed in folded form, so that one table serves
 * exact and case-insensitive lookups.
 */
export class DictionaryEntries {
  size = 1
  tags: Uint8Array<ArrayBufferLike> = NONE.tags
  numbers: Float64Array<ArrayBufferLike> = NONE.numbers
  bytes = NONE.bytes
  offsets: Uint32Array<ArrayBufferLike> = NONE.offsets
  isAllText = true
  /** The number of entries whose value is a number. */
  numberCount = 0
  #hashes = NONE.hashes
  /** Hash table of codes with open addressing; `slotOf` encodes each slot, and 0 is a free slot. */
  #slots = NONE.slots
  /** The first unindexed code. Codes from here on were read from a file and have no hash and no slot yet. */
  #indexed = 1
  #scans = 0
  #isReader = false
  /** True if this reader built its own slots, because it needed an index before the writer's thread had sent one. */
  #hasOwnSlots = false
  #numberCodes = new Map<number, number>()
  #boolCodes = [0, 0]
  readonly #textCodes = new Map<string, number>()
  #nonText: number[] = []
  readonly #cache: Value[] = [null]
  #forgotten: Bitmap = NO_CODE
  /** Codes of recent texts by `recentSlot`; 0 is a free slot. */
  #recent = NO_RECENT

  state(): DictionaryState {
    const { tags, numbers, bytes, offsets, isAllText, numberCount, size } = this
    const [hashes, slots, indexed] = [this.#hashes, this.#slots, this.#indexed]
    return { size, isAllText, numberCount, tags, numbers, bytes, offsets, hashes, slots, indexed }
  }

  /**
   * Makes this object a reader of a dictionary of another thread and applies changes. Absent members stay as they are.
   */
  adopt(state: StateDelta): void {
    const from = this.size
    this.#isReader = true
    this.tags = state.tags ?? this.tags
    this.numbers = state.numbers ?? this.numbers
    if (state.bytes !== undefined) this.bytes = bytesOf(state.bytes)
    this.offsets = state.offsets ?? this.offsets
    this.#hashes = state.hashes ?? this.#hashes
    if (state.slots !== undefined) {
      this.#slots = state.slots
      this.#hasOwnSlots = false
    }
    // `state.indexed` refers to the writer's slots, so a reader with slots of its own ignores it.
    if (!this.#hasOwnSlots) this.#indexed = state.indexed
    this.isAllText = state.isAllText
    this.numberCount = state.numberCount
    this.size = state.size
    if (this.isAllText) return
    for (let code = from; code < this.size; code++) if (this.tags[code] !== valueTag.text) this.#nonText.push(code)
  }

  /** Memory of all buffers, bytes. */
  get memoryBytes(): number {
    return (
      this.tags.length +
      this.numbers.length * 8 +
      this.bytes.length +
      this.offsets.length * 4 +
      this.#hashes.length * 4 +
      this.#slots.length * 4 +
      this.#recent.length * 4
    )
  }

  get textBytes(): number {
    return this.offsets[this.size]
  }

  valueAt(code: number): Value {
    if (code < CACHED_VALUES) return (this.#cache[code] ??= this.#decode(code))
    return this.#decode(code)
  }

  nonTextCodes(): readonly number[] {
    return this.#nonText
  }

  findFolded(folded: string): readonly number[] {
    const bytes = encodeText(folded)
    if (!this.#wantsScan()) return this.#findFolded(folded, bytes)
    const unindexed = { from: this.#indexed, to: this.size }
    return [...this.#findFolded(folded, bytes), ...entriesWithText(this, unindexed, folded, bytes)]
  }

  #findFolded(folded: string, bytes: Uint8Array): readonly number[] {
    const hash = hashFolded(bytes, 0, bytes.length, valueTag.text)
    const slots = this.#slots
    const mask = slots.length - 1
    const ofCode = codeMask(slots)
    let found: number[] | undefined
    for (let slot = hash & mask, taken = slots[slot]; taken !== 0; slot = (slot + 1) & mask, taken = slots[slot]) {
      const code = taken & ofCode
      // The writer may have added entries to the shared slots since; this reader must not read entries beyond its
      // `size`.
      if (((taken ^ hash) & ~ofCode) !== 0 || code >= this.#indexed || this.tags[code] !== valueTag.text) continue
      const value = this.valueAt(code)
      if (typeof value === 'string' && fold(value) === folded) (found ??= []).push(code)
    }
    return found ?? NO_CODES
  }

  /**
   * Counts a search and returns true if it must scan unindexed texts. After `FEW_SCANS` searches, all entries are
   * indexed.
   */
  #wantsScan(): boolean {
    if (this.#indexed >= this.size) return false
    if (++this.#scans <= FEW_SCANS) return true
    this.index()
    return false
  }

  /** Indexes up to `codes` more codes; returns true if all codes are indexed. */
  index(codes = Infinity): boolean {
    if (this.#indexed >= this.size) return true
    let slots = Math.max(FIRST_SLOTS, this.#slots.length)
    while (isCrowded(slots, this.size)) slots *= 2
    // Readers in other threads use the old slots until they receive new ones, and a reader must not write to the
    // writer's slots.
    const isOfAnother = this.#isReader && !this.#hasOwnSlots
    if (slots > this.#slots.length || isOfAnother) this.#rehash(slots)
    this.#hasOwnSlots = this.#isReader
    const end = Math.min(this.size, this.#indexed + codes)
    for (let code = this.#indexed; code < end; code++) {
      const tag = this.tags[code]
      if (tag === valueTag.number || tag === valueTag.bool) continue
      const hash = this.#hashOf(code)
      this.#hashes[code] = hash
      this.#insert(code, hash)
    }
    this.#indexed = end
    return end === this.size
  }

  #hashOf(code: number): number {
    if (code < this.#indexed) return this.#hashes[code]
    const [start, end, tag] = [this.offsets[code], this.offsets[code + 1], this.tags[code]]
    return tag === valueTag.text ? hashOfText(this.bytes, start, end) : hashFolded(this.bytes, start, end, tag)
  }

  codeOfText(bytes: Uint8Array, start: number, end: number): number {
    return this.#find(bytes, start, end, hashOfText(bytes, start, end), valueTag.text)
  }

  /** Returns the code of an ASCII text; adds the text if it is new. */
  internAscii(source: Uint8Array, start: number, end: number): number {
    this.index()
    const slot = recentSlot(source, start, end) & (this.#recent.length - 1)
    // Most texts occurred recently, and comparing a text is faster than hashing it.
    const recent = this.#recent[slot]
    if (recent !== 0 && this.#isEntry(recent, source, start, end, valueTag.text)) return recent
    const hash = hashFolded(source, start, end, valueTag.text)
    const found = this.#find(source, start, end, hash, valueTag.text)
    if (found === 0) return this.#add(valueTag.text, 0, source, start, end, hash)
    if (this.#recent === NO_RECENT) this.#recent = new Uint32Array(RECENT_TEXTS)
    else this.#recent[slot] = found
    return found
  }

  intern(value: Value): number {
    switch (typeof value) {
      case 'string':
        return this.#internText(value)
      case 'number':
        return this.internNumber(value)
      case 'boolean': {
        const index = value ? 1 : 0
        return (this.#boolCodes[index] ||= this.#addScalar(valueTag.bool, index))
      }
      default: {
        if (value === null) return 0
        const { tag, bytes, hash } = encodedOther(value)
        this.index()
        const found = this.#find(bytes, 0, bytes.length, hash, tag)
        return found !== 0 ? found : this.#add(tag, 0, bytes, 0, bytes.length, hash)
      }
    }
  }

  /** Returns the code of a value; 0 if the dictionary does not have the value. */
  codeOf(value: Value): number {
    switch (typeof value) {
      case 'string': {
        const bytes = encodeText(value)
        return this.codeOfText(bytes, 0, bytes.length)
      }
      case 'number':
        return this.#numberCodes.get(value) ?? 0
      case 'boolean':
        return this.#boolCodes[value ? 1 : 0]
      default: {
        if (value === null) return 0
        const { tag, bytes, hash } = encodedOther(value)
        return this.#find(bytes, 0, bytes.length, hash, tag)
      }
    }
  }

  /**
   * Removes values from lookups and from files. A removed value that occurs again gets a new code. The entries stay in
   * memory for running queries that read rows with the old codes.
   */
  forget(codes: Iterable<number>): void {
    this.index()
    const forgotten = createBitmap(this.size)
    forgotten.set(this.#forgotten)
    for (const code of codes) setBit(forgotten, code)
    this.#forgotten = forgotten
    for (const [value, code] of this.#numberCodes) if (this.isForgotten(code)) this.#numberCodes.delete(value)
    for (const [text, code] of this.#textCodes) if (this.isForgotten(code)) this.#textCodes.delete(text)
    for (const [i, code] of this.#boolCodes.entries()) if (this.isForgotten(code)) this.#boolCodes[i] = 0
    this.#recent = NO_RECENT
    // Copies the slots, since readers in other threads use the old ones until they receive the new ones.
    this.#rehash(this.#slots.length)
  }

  /** True if the value of a code was removed; files get a placeholder for it. */
  isForgotten(code: number): boolean {
    return code >>> 5 < this.#forgotten.length && hasBit(this.#forgotten, code)
  }

  internNumber(value: number): number {
    const known = this.#numberCodes.get(value)
    if (known !== undefined) return known
    const code = this.#addScalar(valueTag.number, value)
    this.numberCount++
    this.#numberCodes.set(value, code)
    return code
  }

  /** Allocates memory for this many codes; callers use it if they know the number of entries to read. */
  reserve(size: number): void {
    this.#makeRoom(size)
  }

  /**
   * Appends entries that were read from a file, in the order of their codes. The bytes of entry `i` begin at
   * `offsets[i]`. Entries are not hashed until a value is searched, since most reads are by code.
   */
  restore({ tags, numbers, bytes, offsets }: Pick<DictionaryState, 'tags' | 'numbers' | 'bytes' | 'offsets'>): void {
    const count = tags.length
    const first = this.size
    const from = this.offsets[first]
    const end = from + offsets[count] - offsets[0]
    this.#makeRoom(first + count)
    if (end > this.bytes.length) this.bytes = grownBytes(this.bytes, Math.max(FIRST_CAPACITY, end))
    this.bytes.set(bytes.subarray(offsets[0], offsets[count]), from)
    this.size += count
    this.tags.set(tags, first)
    const shift = from - offsets[0]
    for (let i = 0; i < count; i++) {
      const code = first + i
      const tag = tags[i]
      this.offsets[code + 1] = shift + offsets[i + 1]
      if (tag === valueTag.text) continue
      this.#noteNonText(code, numbers[i] ?? 0)
      if (tag === valueTag.number) {
        this.#numberCodes.set(numbers[i], code)
        this.numberCount++
      } else if (tag === valueTag.bool) this.#boolCodes[numbers[i]] = code
    }
  }

  #internText(text: string): number {
    const known = this.#textCodes.get(text)
    if (known !== undefined) return known
    this.index()
    const bytes = encodeText(text)
    let isAscii = true
    for (let i = 0; i < bytes.length && isAscii; i++) isAscii = bytes[i] < 0x80
    let code: number
    if (isAscii) code = this.internAscii(bytes, 0, bytes.length)
    else {
      const folded = encodeText(fold(text))
      const hash = hashFolded(folded, 0, folded.length, valueTag.text)
      code = this.#find(bytes, 0, bytes.length, hash, valueTag.text)
      if (code === 0) code = this.#add(valueTag.text, 0, bytes, 0, bytes.length, hash)
    }
    if (this.#textCodes.size < CACHED_TEXTS) this.#textCodes.set(text, code)
    return code
  }

  #decode(code: number): Value {
    const number = this.isAllText ? 0 : this.numbers[code]
    return valueOfParts(this.tags[code], number, this.bytes, this.offsets[code], this.offsets[code + 1])
  }

  #find(source: Uint8Array, start: number, end: number, hash: number, tag: number): number {
    const isScanned = this.#wantsScan()
    const slots = this.#slots
    const mask = slots.length - 1
    const ofCode = codeMask(slots)
    for (let slot = hash & mask, taken = slots[slot]; taken !== 0; slot = (slot + 1) & mask, taken = slots[slot]) {
      const code = taken & ofCode
      // The writer may have added entries to the shared slots since; this reader must not read them.
      if (((taken ^ hash) & ~ofCode) !== 0 || code >= this.#indexed) continue
      if (this.#isEntry(code, source, start, end, tag)) return code
    }
    if (isScanned)
      for (let code = this.#indexed; code < this.size; code++)
        if (this.#isEntry(code, source, start, end, tag)) return code
    return 0
  }

  #isEntry(code: number, source: Uint8Array, start: number, end: number, tag: number): boolean {
    const offsets = this.offsets
    const bytes = this.bytes
    const from = offsets[code]
    const length = end - start
    if (offsets[code + 1] - from !== length) return false
    // If all entries are strings, reading the type tag is unnecessary.
    if (this.isAllText ? tag !== valueTag.text : this.tags[code] !== tag) return false
    let i = 0
    while (i < length && bytes[from + i] === source[start + i]) i++
    return i === length
  }

  #addScalar(tag: number, value: number): number {
    return this.#add(tag, value, this.bytes, 0, 0, 0)
  }

  #add(tag: number, number: number, source: Uint8Array, start: number, end: number, hash: number): number {
    this.index()
    const code = this.size++
    this.#indexed = this.size
    this.#makeRoom(this.size)
    if (tag !== valueTag.text) this.#noteNonText(code, number)
    const from = this.offsets[code]
    const length = end - start
    if (from + length > this.bytes.length) this.bytes = grownBytes(this.bytes, Math.max(FIRST_CAPACITY, from + length))
    for (let i = 0; i < length; i++) this.bytes[from + i] = source[start + i]
    this.tags[code] = tag
    this.offsets[code + 1] = from + length
    this.#hashes[code] = hash
    if (tag !== valueTag.number && tag !== valueTag.bool) this.#insert(code, hash)
    return code
  }

  #makeRoom(size: number): void {
    if (size <= this.tags.length) return
    this.tags = grownUint8(this.tags, Math.max(FIRST_CODES, size))
    this.#hashes = grownUint32(this.#hashes, this.tags.length)
    this.offsets = grownUint32(this.offsets, this.tags.length + 1)
    if (!this.isAllText) this.numbers = grownFloat64(this.numbers, this.tags.length)
  }

  #noteNonText(code: number, number: number): void {
    if (this.isAllText) this.numbers = grownFloat64(this.numbers, this.tags.length)
    this.isAllText = false
    this.#nonText.push(code)
    this.numbers[code] = number
  }

  #insert(code: number, hash: number): void {
    if (isCrowded(this.#slots.length, this.size)) this.#rehash()
    const mask = this.#slots.length - 1
    let slot = hash & mask
    while (this.#slots[slot] !== 0) slot = (slot + 1) & mask
    this.#slots[slot] = slotOf(this.#slots, code, hash)
  }

  #rehash(length = this.#slots.length * 2): void {
    const old = this.#slots
    const slots = sharedUint32(Math.max(FIRST_SLOTS, length))
    const mask = slots.length - 1
    const ofCode = codeMask(old)
    for (let i = 0; i < old.length; i++) {
      const code = old[i] & ofCode
      if (code === 0 || code >= this.#indexed || this.isForgotten(code)) continue
      const hash = this.#hashes[code]
      let slot = hash & mask
      while (slots[slot] !== 0) slot = (slot + 1) & mask
      slots[slot] = slotOf(slots, code, hash)
    }
    this.#slots = slots
  }
}
