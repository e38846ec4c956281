import { Bytes, FNV_FACTOR, FNV_FIRST, ITEMS_PER_CHECKPOINT, type StepwiseTask } from '../../base/index.ts'
import { hasBit, type TextColumn } from '../../data/index.ts'
import { countsOfWords, maxWordBytes, variableByte, wordByte, type WordArrays } from '../memory/index.ts'

/** The templates of a segment's texts, to be written to a file. */
export interface NewTemplates {
  readonly leastRows: number
  /** The words that are excluded from templates although they are in enough rows. */
  readonly leftOut: readonly Uint8Array[]
  readonly bytes: Bytes
  /** The start of each template's bytes, and the end of the last. */
  readonly offsets: Uint32Array
  /** For each row, the number of its template, counted from 1; 0 if the text has none. */
  readonly codes: Uint16Array
}

/**
 * A word is fixed only if at least 1 of this many rows has it. A word in fewer rows of a full segment is in fewer rows
 * than the segment has blocks of texts, so reading the texts is cheap.
 */
const FIXED_ONE_IN = 1024
const LEAST_ROWS = 2
const MAX_TEMPLATES = 8192
const MAX_TEMPLATE_BYTES = 512 * 1024
/** Maximum length of a text with a template, bytes. */
const MAX_TEXT_BYTES = 4096
/**
 * Maximum number of different words after the same text. If there are more, they are values and are excluded from
 * templates: they would multiply the number of templates.
 */
const MAX_FOLLOWERS = 8
/**
 * Number of rows after which the templates are judged. If there is then more than one template, or text without
 * template, per two rows, the column gets no templates.
 */
const TRIED_ROWS = 4096

/** Flag of digits. A word with a digit counts as a number or an id and is never fixed. */
const DIGIT = 0x100
/** For each byte that is a word character, its folded form, with the flag `DIGIT` for digits; 0 for other bytes. */
const wordKind = Uint16Array.from(wordByte, (folded, byte) => (byte >= 48 && byte < 58 ? folded | DIGIT : folded))

/** Hash table of the fixed words of a segment, and of excluded ones. */
class FixedWords {
  /**
   * Four numbers per slot: hash, offset of the word, its length (0 for a free slot) and whether the word is excluded.
   */
  readonly #slots: Int32Array
  /** The bytes of these words only, copied because they are compared often and should share cache lines. */
  readonly #bytes: Uint8Array
  readonly #mask: number

  constructor(words: WordArrays, leastRows: number) {
    const { bytes, lengths, wordCount } = words
    const counts = countsOfWords(words)
    const starts: number[] = []
    const sizes: number[] = []
    let byteCount = 0
    for (let word = 0, at = 0; word < wordCount; at += lengths[word++]) {
      if (counts[word] + 1 < leastRows || lengths[word] >= maxWordBytes) continue
      starts.push(at)
      sizes.push(lengths[word])
      byteCount += lengths[word]
    }
    let length = 16
    while (length < starts.length * 4) length *= 2
    this.#slots = new Int32Array(length * 4)
    this.#bytes = new Uint8Array(byteCount)
    this.#mask = length - 1
    let to = 0
    for (const [i, start] of starts.entries()) {
      let hash = FNV_FIRST
      let mayBe = true
      for (let k = 0; k < sizes[i]; k++) {
        const byte = bytes[start + k]
        this.#bytes[to + k] = byte
        hash = Math.imul(hash ^ byte, FNV_FACTOR)
        if (wordKind[byte] >= DIGIT || byte >= 0x80) mayBe = false
      }
      if (!mayBe) continue
      let slot = (hash ^ (hash >>> 15)) & this.#mask
      while (this.#slots[slot * 4 + 2] !== 0) slot = (slot + 1) & this.#mask
      this.#slots.set([hash, to, sizes[i], 0], slot * 4)
      to += sizes[i]
    }
  }

  /**
   * Returns the slot of the word at `start` of a text; -1 if it is not fixed. `hash` is the hash of its folded bytes.
   */
  find(hash: number, text: Uint8Array, start: number, size: number): number {
    const slots = this.#slots
    const words = this.#bytes
    for (let slot = (hash ^ (hash >>> 15)) & this.#mask; ; slot = (slot + 1) & this.#mask) {
      const at = slot * 4
      const known = slots[at + 2]
      if (known === 0) return -1
      if (known !== size || slots[at] !== hash) continue
      const from = slots[at + 1]
      let k = 0
      while (k < size && words[from + k] === wordByte[text[start + k]]) k++
      if (k === size) return slots[at + 3] === 1 ? -1 : slot
    }
  }

  /** Excludes a word from templates from now on, and returns the word. */
  leaveOut(slot: number): Uint8Array {
    const at = slot * 4
    this.#slots[at + 3] = 1
    return this.#bytes.subarray(this.#slots[at + 1], this.#slots[at + 1] + this.#slots[at + 2])
  }
}

/** The distinct templates found so far. */
class TemplateTable {
  readonly bytes = Bytes.allocUnsafeSlow(MAX_TEMPLATE_BYTES)
  readonly view = new DataView(this.bytes.buffer, this.bytes.byteOffset, MAX_TEMPLATE_BYTES)
  readonly #quads = new Int32Array(this.bytes.buffer, this.bytes.byteOffset, MAX_TEMPLATE_BYTES >> 2)
  /** The offset of each template, a multiple of 4. Zeros fill the bytes between templates. */
  readonly starts = new Uint32Array(MAX_TEMPLATES + 1)
  readonly lengths = new Uint32Array(MAX_TEMPLATES)
  readonly #slots = new Uint16Array(MAX_TEMPLATES * 4)
  readonly #hashes = new Int32Array(MAX_TEMPLATES)
  count = 0

  /**
   * Adds a template of `length` bytes, padded with zeros to a multiple of 4 bytes, unless it is known. Returns its
   * number, counted from 1; 0 if there is no room.
   */
  add(template: Int32Array, length: number): number {
    const { starts, lengths } = this
    const quads = this.#quads
    const quadCount = (length + 3) >> 2
    let hash = length
    for (let at = 0; at < quadCount; at++) hash = Math.imul(hash ^ (hash >>> 15) ^ template[at], 0x9e3779b1)
    const mask = this.#slots.length - 1
    let slot = (hash ^ (hash >>> 15)) & mask
    for (; this.#slots[slot] !== 0; slot = (slot + 1) & mask) {
      const number = this.#slots[slot] - 1
      if (this.#hashes[number] !== hash || lengths[number] !== length) continue
      const from = starts[number] >> 2
      let at = 0
      while (at < quadCount && quads[from + at] === template[at]) at++
      if (at === quadCount) return number + 1
    }
    const number = this.count
    const start = starts[number]
    if (number === MAX_TEMPLATES || start + quadCount * 4 > MAX_TEMPLATE_BYTES) return 0
    for (let at = 0; at < quadCount; at++) quads[(start >> 2) + at] = template[at]
    starts[number + 1] = start + quadCount * 4
    lengths[number] = length
    this.#hashes[number] = hash
    this.#slots[slot] = ++this.count
    return this.count
  }
}

/** Number of slots in a hash table, a power of two. */
const SLOTS = 8192

/**
 * For each context, given by its hash, the distinct fixed words that follow it. A context is the last two fixed words
 * before a word, and the text after them.
 */
class Followers {
  readonly words = new Map<number, Set<number>>()
  /** Cache of recent pairs, two numbers per slot: hash of the context, and word. Most pairs repeat. */
  readonly #seen = new Int32Array(SLOTS * 2)

  /** Adds a word after a context. `text` is the hash of the context; `word` is the slot of the word plus 1. */
  add(text: number, word: number): void {
    const hash = Math.imul(text ^ word, 0x9e3779b1)
    const slot = ((hash ^ (hash >>> 15)) & (SLOTS - 1)) * 2
    if (this.#seen[slot] === text && this.#seen[slot + 1] === word) return
    this.#seen[slot] = text
    this.#seen[slot + 1] = word
    const words = this.words.get(text)
    if (words === undefined) this.words.set(text, new Set([word - 1]))
    else words.add(word - 1)
  }
}

/**
 * Remembers where texts differ from templates: for a template, an offset and the byte that a text had there, another
 * template to try. Both templates are equal up to the word at this offset. A slot has only its most recent entry.
 */
class Turnings {
  /** Three numbers per slot: template and offset, byte of the text, other template. */
  readonly #slots = new Int32Array(SLOTS * 3)

  #slotOf(where: number, byte: number): number {
    const hash = Math.imul(where ^ (byte << 24), 0x9e3779b1)
    return ((hash ^ (hash >>> 15)) & (SLOTS - 1)) * 3
  }

  find(number: number, at: number, byte: number): number {
    const where = (number << 16) | at
    const slot = this.#slotOf(where, byte)
    return this.#slots[slot] === where && this.#slots[slot + 1] === byte ? this.#slots[slot + 2] : 0
  }

  set(number: number, at: number, byte: number, other: number): void {
    const where = (number << 16) | at
    const slot = this.#slotOf(where, byte)
    this.#slots[slot] = where
    this.#slots[slot + 1] = byte
    this.#slots[slot + 2] = other
  }
}

/** Maximum number of templates with which a text is compared before its own template is made. */
const MOST_TRIED = 8
/** Stands for the end of a text, in place of a byte. */
const NO_BYTE = 256

/** Finds the templates of texts, one by one. */
class TemplateReader {
  readonly #fixed: FixedWords
  readonly #textView: DataView
  /** For each byte, the template of an earlier text that begins with it; 0 if there is none. */
  readonly #firsts = new Uint16Array(256)
  readonly #turnings = new Turnings()
  readonly #template = new Uint8Array(MAX_TEXT_BYTES + 4)
  readonly #quads = new Int32Array(this.#template.buffer)
  readonly table = new TemplateTable()

  constructor(fixed: FixedWords, text: Bytes) {
    this.#fixed = fixed
    this.#textView = new DataView(text.buffer, text.byteOffset, text.length)
  }

  /**
   * Returns the template number of an ASCII text; 0 for other texts. Compares the text with templates of earlier texts
   * first, which is faster than making its template.
   */
  codeOf(text: Bytes, start: number, end: number): number {
    if (start === end) return this.newCodeOf(text, start, end)
    const { bytes, view: templates, starts, lengths } = this.table
    let number = this.#firsts[text[start]]
    let before = 0
    let byte = 0
    let at = 0
    let equal = 0
    let i = start
    for (let tried = 0; number !== 0 && tried < MOST_TRIED; tried++) {
      const from = starts[number - 1]
      const templateEnd = from + lengths[number - 1]
      let position = from + equal
      while (position < templateEnd) {
        // Most bytes equal those of the template, so four are compared at a time. A zero ends this loop: in a template
        // it is a variable word, and a text with a zero has no template.
        const behind = Math.min(templateEnd - position, end - i) - 3
        let more = 0
        while (more < behind) {
          const four = this.#textView.getInt32(i + more, true)
          if (four !== templates.getInt32(position + more, true) || ((four - 0x01010101) & ~four & 0x80808080) !== 0)
            break
          more += 4
        }
        i += more
        position += more
        if (position === templateEnd) break
        const wanted = bytes[position]
        if (wanted === variableByte) {
          const next = this.#behindVariable(text, i, end)
          if (next === i) break
          i = next
        } else if (i < end && text[i] === wanted) i++
        else break
        position++
      }
      if (position === templateEnd && i === end) return number
      at = position - from
      byte = i === end ? NO_BYTE : text[i]
      before = number
      number = this.#turnings.find(number, at, byte)
      // The other template equals this one up to the start of the word that differs, so comparing continues there.
      for (equal = at; equal > 0 && wordKind[bytes[from + equal - 1]] !== 0; equal--) i--
    }
    const code = this.newCodeOf(text, start, end)
    if (code !== 0) {
      if (before === 0) this.#firsts[text[start]] = code
      else this.#turnings.set(before, at, byte, code)
    }
    return code
  }

  /** Returns the end of the variable word at `start`; `start` if there is no such word. */
  #behindVariable(text: Bytes, start: number, end: number): number {
    let kinds = 0
    let i = start
    for (; i < end; i++) {
      const kind = wordKind[text[i]]
      if (kind === 0) break
      kinds |= kind
    }
    if (kinds >= DIGIT) return i
    let hash = FNV_FIRST
    for (let k = start; k < i; k++) hash = Math.imul(hash ^ wordByte[text[k]], FNV_FACTOR)
    return this.#fixed.find(hash, text, start, i - start) === -1 ? i : start
  }

  /**
   * Makes the template of a text and returns its number, without trying earlier templates. If `followers` is given,
   * records which fixed words follow which contexts.
   */
  newCodeOf(text: Bytes, start: number, end: number, followers?: Followers): number {
    const template = this.#template
    const fixed = this.#fixed
    let length = 0
    let sinceFixed = FNV_FIRST
    let lastHash = 0
    for (let i = start; i < end;) {
      let byte = text[i]
      let kind = wordKind[byte]
      if (kind === 0) {
        if (byte === variableByte || byte >= 0x80) return 0
        template[length++] = byte
        if (followers !== undefined) sinceFixed = Math.imul(sinceFixed ^ byte, FNV_FACTOR)
        i++
        continue
      }
      let to = length
      let wordHash = FNV_FIRST
      let kinds = 0
      do {
        template[to++] = byte
        kinds |= kind
        wordHash = Math.imul(wordHash ^ (kind & 0xff), FNV_FACTOR)
        if (++i === end) break
        byte = text[i]
        kind = wordKind[byte]
      } while (kind !== 0)
      const word = kinds < DIGIT ? fixed.find(wordHash, template, length, to - length) : -1
      if (word === -1) {
        template[length++] = variableByte
        if (followers !== undefined) sinceFixed = Math.imul(sinceFixed ^ variableByte, FNV_FACTOR)
        continue
      }
      length = to
      if (followers === undefined) continue
      // The first fixed word is not recorded, because texts may begin with anything.
      if (lastHash !== 0) followers.add(sinceFixed, word + 1)
      sinceFixed = Math.imul(lastHash, FNV_FACTOR) ^ wordHash
      lastHash = wordHash
    }
    for (let at = length; (at & 3) !== 0; at++) template[at] = 0
    return this.table.add(this.#quads, length)
  }
}

/** Returns the templates of a text field; `undefined` if too many texts would have a template of their own. */
export function* templatesOf(column: TextColumn, words: WordArrays): StepwiseTask<NewTemplates | undefined> {
  const { length: rowCount } = column
  const leastRows = Math.max(LEAST_ROWS, Math.ceil(rowCount / FIXED_ONE_IN))
  const fixed = new FixedWords(words, leastRows)
  const leftOut = valuesAmong(fixed, column)
  yield
  const reader = new TemplateReader(fixed, column.bytes)
  const codes = new Uint16Array(rowCount)
  let without = 0
  for (let row = 0; row < rowCount; row++) {
    if (row % ITEMS_PER_CHECKPOINT === 0) yield
    if (row === TRIED_ROWS && (reader.table.count + without) * 2 > row) return undefined
    codes[row] = codeOfRow(column, row, reader)
    if (codes[row] === 0) without++
  }
  if (without * 2 > rowCount) return undefined
  yield
  return { leastRows, leftOut, ...byFrequency(reader.table, codes) }
}

function codeOfRow(
  { bytes, offsets, wide }: TextColumn,
  row: number,
  reader: TemplateReader,
  seen?: Followers,
): number {
  const start = offsets[row]
  const end = offsets[row + 1]
  if (end - start > MAX_TEXT_BYTES || (wide !== undefined && hasBit(wide, row))) return 0
  return seen === undefined ? reader.codeOf(bytes, start, end) : reader.newCodeOf(bytes, start, end, seen)
}

/**
 * Excludes words that are values, such as names of services, and returns them. A word is a value if many different
 * words occur in the same place. A sample of the rows is examined.
 */
function valuesAmong(fixed: FixedWords, column: TextColumn): readonly Uint8Array[] {
  const followers = new Followers()
  const reader = new TemplateReader(fixed, column.bytes)
  const step = Math.max(1, Math.floor(column.length / TRIED_ROWS))
  for (let row = 0; row < column.length; row += step) codeOfRow(column, row, reader, followers)
  const values = new Set<number>()
  for (const words of followers.words.values())
    if (words.size > MAX_FOLLOWERS) for (const word of words) values.add(word)
  return Array.from(values, (word) => fixed.leaveOut(word))
}

/** Renumbers the templates by descending frequency, so that most rows have small numbers. */
function byFrequency(
  { bytes, starts, lengths, count }: TemplateTable,
  codes: Uint16Array,
): Pick<NewTemplates, 'bytes' | 'offsets' | 'codes'> {
  const counts = new Uint32Array(count + 1)
  for (let row = 0; row < codes.length; row++) counts[codes[row]]++
  const order = Array.from({ length: count }, (_, i) => i + 1).sort((a, b) => counts[b] - counts[a] || a - b)
  const numbers = new Uint16Array(count + 1)
  const offsets = new Uint32Array(count + 1)
  const sorted = Bytes.allocUnsafeSlow(starts[count])
  for (const [i, old] of order.entries()) {
    numbers[old] = i + 1
    bytes.copy(sorted, offsets[i], starts[old - 1], starts[old - 1] + lengths[old - 1])
    offsets[i + 1] = offsets[i] + lengths[old - 1]
  }
  for (let row = 0; row < codes.length; row++) codes[row] = numbers[codes[row]]
  return { bytes: sorted.subarray(0, offsets[count]), offsets, codes }
}
