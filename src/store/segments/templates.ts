import { Bytes, FNV_FACTOR, FNV_FIRST, ITEMS_PER_CHECKPOINT, type Turns } from '../../base/index.ts'
import { hasBit, type TextColumn } from '../../data/index.ts'
import { countsOfWords, maxWordBytes, variableByte, wordByte, type WordArrays } from '../memory/index.ts'

/** What `texts` and `codes` of templates are written from. */
export interface NewTemplates {
  readonly leastRows: number
  /** Words that are left out although enough rows have them. */
  readonly leftOut: readonly Uint8Array[]
  readonly bytes: Bytes
  /** One more than there are templates. */
  readonly offsets: Uint32Array
  /** Of each row the number of its template, from 1 on; 0 for a text that has none. */
  readonly codes: Uint16Array
}

/** A word in fewer rows than one in so many is left out: those of 65,536 lie in fewer blocks of texts than there are. */
const FIXED_ONE_IN = 1024
const LEAST_ROWS = 2
const MAX_TEMPLATES = 8192
const MAX_TEMPLATE_BYTES = 512 * 1024
/** Longer texts have no template. */
const MAX_TEXT_BYTES = 4096
/** Where more different words follow the same one, they are values: each would double templates. */
const MAX_FOLLOWERS = 8
/** Texts are not taken for ones of templates where so many of them have one for every two. */
const TRIED_ROWS = 4096

/** Digits make numbers and ids of words. */
const DIGIT = 0x100
/** Of each byte of a word what it is folded to, and `DIGIT`; 0 of others. */
const wordKind = Uint16Array.from(wordByte, (folded, byte) => (byte >= 48 && byte < 58 ? folded | DIGIT : folded))

/** The frequent words of a segment, by their hashes. */
class FixedWords {
  /** By place, in four numbers each: hash, where the word begins, its length and whether it is left out. 0 is no length of a word. */
  readonly #slots: Int32Array
  /** Theirs alone: they are compared all the time. */
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

  /** The place among them of a word of a text that begins at `start`, or -1; `hash` is that of its folded bytes. */
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

  /** From now on a word is none of them; it is given. */
  leaveOut(slot: number): Uint8Array {
    const at = slot * 4
    this.#slots[at + 3] = 1
    return this.#bytes.subarray(this.#slots[at + 1], this.#slots[at + 1] + this.#slots[at + 2])
  }
}

/** The different templates so far. */
class TemplateTable {
  readonly bytes = Bytes.allocUnsafeSlow(MAX_TEMPLATE_BYTES)
  readonly view = new DataView(this.bytes.buffer, this.bytes.byteOffset, MAX_TEMPLATE_BYTES)
  readonly #quads = new Int32Array(this.bytes.buffer, this.bytes.byteOffset, MAX_TEMPLATE_BYTES >> 2)
  /** Where each begins, a multiple of four; zeros follow it up to the next. */
  readonly starts = new Uint32Array(MAX_TEMPLATES + 1)
  readonly lengths = new Uint32Array(MAX_TEMPLATES)
  readonly #slots = new Uint16Array(MAX_TEMPLATES * 4)
  readonly #hashes = new Int32Array(MAX_TEMPLATES)
  count = 0

  /** The number of a template of `length` bytes, with zeros behind them to a whole number of quads; from 1 on, 0 where there is no room. */
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

/** Slots of a table by hash, a power of two. */
const SLOTS = 8192

/** The places of different words that were seen behind the same text, by the hash of that: of the last two fixed words and what follows them. */
class Followers {
  readonly words = new Map<number, Set<number>>()
  /** In two numbers each, a text and a word that were seen last: most are seen again. */
  readonly #seen = new Int32Array(SLOTS * 2)

  /** `word` is a place plus one. */
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
 * Which template texts had that differ from another one in one place: from there on they are compared with it, since both begin
 * alike up to that word. The last one is known for each place in memory.
 */
class Turnings {
  /** In three numbers each: template and place in it, byte of the text, the other template. */
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

/** A text is compared with so many templates at most before its own is made. */
const MOST_TRIED = 8
/** What a text has where it ends. */
const NO_BYTE = 256

/** Makes templates of one text after another. */
class TemplateReader {
  readonly #fixed: FixedWords
  readonly #textView: DataView
  /** By the first byte of texts, the number of a template that one of them has. */
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
   * The number of the template of an ASCII text; 0 for others. Texts before tell which it may be: most have the template of one
   * of them, which takes less to see than it takes to make it.
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
      let place = from + equal
      while (place < templateEnd) {
        // Most bytes are those of the template. They are compared four at once, but not zeros: a text that has one has no template.
        const behind = Math.min(templateEnd - place, end - i) - 3
        let more = 0
        while (more < behind) {
          const four = this.#textView.getInt32(i + more, true)
          if (four !== templates.getInt32(place + more, true) || ((four - 0x01010101) & ~four & 0x80808080) !== 0) break
          more += 4
        }
        i += more
        place += more
        if (place === templateEnd) break
        const wanted = bytes[place]
        if (wanted === variableByte) {
          const next = this.#behindVariable(text, i, end)
          if (next === i) break
          i = next
        } else if (i < end && text[i] === wanted) i++
        else break
        place++
      }
      if (place === templateEnd && i === end) return number
      at = place - from
      byte = i === end ? NO_BYTE : text[i]
      before = number
      number = this.#turnings.find(number, at, byte)
      // The other one is alike up to the word that differs.
      for (equal = at; equal > 0 && wordKind[bytes[from + equal - 1]] !== 0; equal--) i--
    }
    const code = this.newCodeOf(text, start, end)
    if (code !== 0) {
      if (before === 0) this.#firsts[text[start]] = code
      else this.#turnings.set(before, at, byte, code)
    }
    return code
  }

  /** Where a word ends that is left out of templates; `start` where there is none. */
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

  /** The same without a look at texts before. `followers`, when given, takes which words follow which. */
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
      // Texts may begin with anything.
      if (lastHash !== 0) followers.add(sinceFixed, word + 1)
      sinceFixed = Math.imul(lastHash, FNV_FACTOR) ^ wordHash
      lastHash = wordHash
    }
    for (let at = length; (at & 3) !== 0; at++) template[at] = 0
    return this.table.add(this.#quads, length)
  }
}

/** The templates of a text field; `undefined` where too many texts have one of their own. */
export function* templatesOf(column: TextColumn, words: WordArrays): Turns<NewTemplates | undefined> {
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

/** Leaves out, and gives, words that stand in the place of many others: names of services, say. Some rows tell. */
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

/** The most frequent templates first, so that numbers are small. */
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
