import { Bytes, FIRST_CAPACITY, MAX_CACHED } from '../../../base/index.ts'
import { JsonText, type MutableRow, type Value } from '../../../data/index.ts'
import {
  MOST_HEX_BYTES,
  NO_FORM,
  SENT_KIND_SHIFT,
  sentKind,
  sentWords,
  type SentForm,
  type SentGroup,
} from '../../../store/index.ts'
import { MAX_COLUMN_FIELDS, MAX_NAME_CHARS } from '../../tuning.ts'

/** A field name of a body. There is one object for each name. */
export interface Key {
  readonly name: string
  readonly bytes: Uint8Array
  /** The key that followed this key in the previous record. */
  next: Key | undefined
  /** The last row with this key. A row that has a key twice is read as an object. */
  row: number
  /** The index, in the row, of the words that hold the attribute's value. */
  at: number
}

/** A list of field names in order; the shared names come first. Lists with a common beginning form a tree. */
class Names {
  readonly #parent: Names | undefined
  readonly #name: string
  readonly #shared: readonly string[]
  #lastKey: Key | undefined
  #last: Names | undefined
  readonly #others = new Map<Key, Names>()
  /** Index of the row form with these names; -1 if there is none yet. */
  form = -1

  constructor(shared: readonly string[], parent?: Names, name = '') {
    this.#shared = shared
    this.#parent = parent
    this.#name = name
  }

  /**
   * Returns the list with another name at its end; `undefined` if this list does not exist and `mayMake` does not allow
   * creating it.
   */
  with(key: Key, mayMake: (key: Key) => boolean): Names | undefined {
    if (this.#lastKey === key) return this.#last
    let found = this.#others.get(key)
    if (found === undefined) {
      if (!mayMake(key)) return undefined
      found = new Names(this.#shared, this, key.name)
      this.#others.set(key, found)
    }
    this.#lastKey = key
    this.#last = found
    return found
  }

  list(): readonly string[] {
    return this.#parent === undefined ? this.#shared : [...this.#parent.list(), this.#name]
  }
}

/** The values that all rows of a group share, and the state in which each row of the group begins. */
export interface SentRowGroup extends SentGroup {
  readonly number: number
  readonly shared: MutableRow
  readonly names: ReadonlySet<string>
  readonly first: Names
  /** The number of characters in names and strings. */
  readonly chars: number
  /** A key before the first one of a row; its `next` is the first key of the previous record. */
  readonly start: Key
}

function charsOf(value: Value): number {
  return typeof value === 'string' ? value.length : value instanceof JsonText ? value.json.length : 0
}

/** Writes the offsets of the values of rows into a list of machine words. */
export class SentRowWriter {
  readonly bytes: Bytes
  words = new Uint32Array(FIRST_CAPACITY)
  side = Bytes.alloc(FIRST_CAPACITY)
  readonly numbers: number[] = []
  readonly values: Value[] = []
  readonly forms: SentForm[] = []
  readonly groups: SentRowGroup[] = []
  rowCount = 0
  readonly #keys = new Map<string, Key>()
  readonly #firsts = new Map<string, Names>()
  readonly #timeKey: Key
  #sets = 0
  #row = 0
  #sideBytes = 0
  /** The index where the current row begins, and where its next word is written. */
  #from = 0
  #at = 0
  #group: SentRowGroup | undefined
  #names: Names | undefined
  #previous: Key | undefined
  #chars = 0
  #own = 0
  readonly #mayMake = (key: Key): boolean => this.#group?.names.has(key.name) === false && ++this.#sets <= MAX_CACHED

  constructor(bytes: Bytes) {
    this.bytes = bytes
    this.#timeKey = this.key('_time')
  }

  /** Returns the words of all complete rows. */
  get written(): Uint32Array {
    return this.words.subarray(0, this.#from)
  }

  addGroup(shared: MutableRow): SentRowGroup {
    const names = [...shared.keys()]
    const all = names.join('\u0000')
    let first = this.#firsts.get(all)
    if (first === undefined) {
      first = new Names(names)
      this.#firsts.set(all, first)
    }
    const values = [...shared.values()]
    const chars = names.reduce((sum, name) => sum + name.length, 0)
    const group: SentRowGroup = {
      number: this.groups.length,
      values,
      shared,
      names: new Set(names),
      first,
      chars: values.reduce<number>((sum, value) => sum + charsOf(value), chars),
      start: { name: '', bytes: new Uint8Array(0), next: undefined, row: 0, at: 0 },
    }
    this.groups.push(group)
    return group
  }

  /** Returns the key with this name. */
  key(name: string): Key {
    const known = this.#keys.get(name)
    if (known !== undefined) return known
    const made: Key = { name, bytes: Bytes.from(name), next: undefined, row: 0, at: 0 }
    this.#keys.set(name, made)
    return made
  }

  /** Adds ASCII text that is not in the body; returns its offset in the side memory. */
  addSide(text: string): number {
    const bytes = Bytes.from(text)
    const at = this.#sideBytes
    this.#sideBytes += bytes.length
    if (this.#sideBytes > this.side.length) {
      const next = Bytes.alloc(this.#sideBytes * 2)
      next.set(this.side)
      this.side = next
    }
    this.side.set(bytes, at)
    return at
  }

  begin(group: SentRowGroup): void {
    this.#row++
    this.#group = group
    this.#names = group.first
    this.#previous = group.start
    this.#own = group.names.size > MAX_COLUMN_FIELDS ? MAX_COLUMN_FIELDS : 0
    this.#chars = group.chars
    this.#at = this.#from + sentWords.count
    this.#makeRoom()
  }

  /** Returns the key whose name is `bytes[start, end)`; `undefined` if the record must be read as an object. */
  keyAt(start: number, end: number): Key | undefined {
    const { bytes } = this
    const guess = this.#previous?.next
    const length = end - start
    if (guess?.bytes.length === length) {
      let i = 0
      while (i < length && guess.bytes[i] === bytes[start + i]) i++
      if (i === length) return guess
    }
    if (length === 0 || length > MAX_NAME_CHARS) return undefined
    for (let i = start; i < end; i++) if (bytes[i] >= 0x80) return undefined
    const name = String.fromCharCode(...bytes.subarray(start, end))
    return this.#keys.has(name) || this.#keys.size < MAX_CACHED ? this.key(name) : undefined
  }

  /** Returns the maximum number of characters in names and strings of the row. */
  get chars(): number {
    return this.#chars
  }

  /**
   * Adds a value with the content of its two words. Returns false if the row already has the key, or if there are too
   * many lists of names.
   */
  add(key: Key, kind: number, first: number, end: number): boolean {
    // The time is written to separate words, so it is not added as a value.
    if (key === this.#timeKey || !this.#addKey(key)) return false
    if (kind <= sentKind.wide) this.#chars += end - first
    else if (kind === sentKind.hex) this.#chars += 2 * MOST_HEX_BYTES
    this.words[this.#at] = first
    this.words[this.#at + 1] = ((kind << SENT_KIND_SHIFT) | end) >>> 0
    this.#at += 2
    this.#makeRoom()
    return true
  }

  addNumber(key: Key, value: number): boolean {
    return this.add(key, sentKind.number, this.numbers.push(value === 0 ? 0 : value) - 1, 0)
  }

  /** Adds a value of any other kind; the value itself goes to `values`. */
  addValue(key: Key, value: Value): boolean {
    this.#chars += charsOf(value)
    return this.add(key, sentKind.value, this.values.push(value) - 1, 0)
  }

  /** Adds the time of the row and its name. */
  addTime(high: number, low: number): boolean {
    // Such a time is later than the latest representable one, so the row is read as an object.
    if (high >= 2 ** 31) return false
    this.words[this.#from + sentWords.timeHigh] = high
    this.words[this.#from + sentWords.timeLow] = low
    return this.#addKey(this.#timeKey)
  }

  /** Returns the key that was added last to the row; before the first one, the group's start key. */
  get last(): Key | undefined {
    return this.#previous
  }

  /** True if the current row or the row's group has the key. */
  has(key: Key, group: SentRowGroup): boolean {
    return key.row === this.#row || group.names.has(key.name)
  }

  /** Returns the row's value of a key; `undefined` for strings of the body. `has` must be true for the key. */
  valueOf(key: Key, group: SentRowGroup): Value | undefined {
    if (key.row !== this.#row) return group.shared.get(key.name)
    const kind = this.words[key.at + 1] >>> SENT_KIND_SHIFT
    const wordIndex = this.words[key.at]
    return kind === sentKind.number
      ? this.numbers[wordIndex]
      : kind === sentKind.value
        ? this.values[wordIndex]
        : undefined
  }

  /** Adds the value of the key `from` under another key; returns false like `add`. */
  copy(key: Key, from: Key, group: SentRowGroup): boolean {
    if (from.row !== this.#row) return this.addValue(key, group.shared.get(from.name) ?? null)
    const end = this.words[from.at + 1]
    return this.add(key, end >>> SENT_KIND_SHIFT, this.words[from.at], end & (2 ** SENT_KIND_SHIFT - 1))
  }

  /** Completes the row. `[start, end)` is the byte range of its record. */
  end(start: number, end: number): void {
    const names = this.#names
    const group = this.#group
    if (names === undefined || group === undefined) return
    if (names.form === -1) {
      const list = names.list()
      names.form = this.forms.push({ names: list, timeAt: list.indexOf(this.#timeKey.name) }) - 1
    }
    this.#write(names.form, group, start, end)
    this.#from = this.#at
  }

  /** Replaces the row with a marker: the record at `[start, end)` must be read as an object. */
  endAsObject(start: number, end: number): void {
    if (this.#group === undefined) return
    this.#write(NO_FORM, this.#group, start, end)
    this.#from += sentWords.count
  }

  #write(form: number, group: SentRowGroup, start: number, end: number): void {
    this.words[this.#from + sentWords.form] = form
    this.words[this.#from + sentWords.group] = group.number
    this.words[this.#from + sentWords.start] = start
    this.words[this.#from + sentWords.end] = end
    this.rowCount++
  }

  #addKey(key: Key): boolean {
    if (key.row === this.#row || ++this.#own > MAX_COLUMN_FIELDS) return false
    key.row = this.#row
    key.at = this.#at
    if (this.#previous !== undefined) this.#previous.next = key
    this.#previous = key
    this.#chars += key.name.length
    this.#names = this.#names?.with(key, this.#mayMake)
    return this.#names !== undefined
  }

  /** Makes room in the list for two more words. */
  #makeRoom(): void {
    if (this.#at + 2 <= this.words.length) return
    const next = new Uint32Array(this.words.length * 2)
    next.set(this.words)
    this.words = next
  }
}
