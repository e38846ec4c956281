import { MAX_JSON_DEPTH, PAGE_BYTES } from '../../base/index.ts'
import { integer, integerOfDigits, type PlainJson } from '../../data/index.ts'
import { MAX_ROW_FIELDS } from '../../store/index.ts'
import { MAX_ITEM_OFFSETS } from '../tuning.ts'

/** The error for bytes that are not MessagePack, or that exceed a limit. */
export class MsgpackFault extends Error {
  override readonly name = 'MsgpackFault'
}

/** The layout of a value, determined by its first byte. */
interface Kind {
  readonly of: 'whole' | 'text' | 'bytes' | 'list' | 'map' | 'extension' | 'number' | 'never'
  /** The number of bytes that contain the length; 0 if the first byte determines it, in `size`. */
  readonly lengthBytes: number
  /** The number of bytes in the payload, without the type of an extension, or the number of items. */
  readonly size: number
}

function kindOf(first: number): Kind {
  const sized = (of: Kind['of'], size: number): Kind => ({ of, lengthBytes: 0, size })
  const long = (of: Kind['of'], lengthBytes: number): Kind => ({ of, lengthBytes, size: 0 })
  if (first <= 0x7f || first >= 0xe0) return sized('whole', 0)
  if (first <= 0x8f) return sized('map', first & 0x0f)
  if (first <= 0x9f) return sized('list', first & 0x0f)
  if (first <= 0xbf) return sized('text', first & 0x1f)
  if (first === 0xc1) return sized('never', 0)
  if (first <= 0xc3) return sized('whole', 0)
  if (first <= 0xc6) return long('bytes', 2 ** (first - 0xc4))
  if (first <= 0xc9) return long('extension', 2 ** (first - 0xc7))
  if (first <= 0xcb) return sized('number', first === 0xca ? 4 : 8)
  if (first <= 0xd3) return sized('number', 2 ** (first & 3))
  if (first <= 0xd8) return sized('extension', 2 ** (first - 0xd4))
  if (first <= 0xdb) return long('text', 2 ** (first - 0xd9))
  if (first <= 0xdd) return long('list', 2 ** (first - 0xdb))
  return long('map', 2 ** (first - 0xdd))
}

const KINDS: readonly Kind[] = Array.from({ length: 256 }, (_, first) => kindOf(first))

/** A value whose bytes are complete. */
export interface Framed {
  readonly bytes: Buffer
  /** The offsets of the items of the outermost list; of a long list, only the first few. */
  readonly itemOffsets: readonly number[]
}

/**
 * Splits the bytes of a connection into values without decoding them. Refuses a length beyond the limit as soon as the
 * length is read, and a list with more items than could fit.
 */
export class MsgpackFramer {
  /** The maximum size of a value in bytes; larger values are refused. */
  limitBytes: number
  #pieces: Buffer[] = []
  #pendingBytes = 0
  /** For each open list or map, the number of items that have not arrived. */
  #open: number[] = []
  /** The number of bytes of a payload that are still to be skipped. */
  #skip = 0
  /** The kind of the value whose length is being read, the number of missing length bytes, and the length so far. */
  #kind: Kind | undefined
  #lengthLeft = 0
  #length = 0
  #itemOffsets: number[] = []

  constructor(limitBytes: number) {
    this.limitBytes = limitBytes
  }

  /** Returns the number of bytes of an incomplete value. */
  get pendingBytes(): number {
    return this.#pendingBytes
  }

  /** Yields the values that end in this chunk. Throws a MsgpackFault, after which nothing more can be read. */
  *push(chunk: Buffer): Generator<Framed, void> {
    let from = 0
    while (from < chunk.length) {
      const end = this.#walk(chunk, from)
      const slice = chunk.subarray(from, end === -1 ? chunk.length : end)
      if (end === -1) return this.#keep(slice)
      const bytes = this.#pieces.length === 0 ? slice : Buffer.concat([...this.#pieces, slice])
      const itemOffsets = this.#itemOffsets
      this.#pieces = []
      this.#pendingBytes = 0
      this.#itemOffsets = []
      from = end
      yield { bytes, itemOffsets }
    }
  }

  #keep(slice: Buffer): void {
    this.#pendingBytes += slice.length
    const last = this.#pieces.at(-1)
    if (last !== undefined && last.length < PAGE_BYTES)
      this.#pieces[this.#pieces.length - 1] = Buffer.concat([last, slice])
    // Small slices are copied, so that they do not keep the memory of the whole chunk alive.
    else this.#pieces.push(slice.length < PAGE_BYTES ? Buffer.from(slice) : slice)
  }

  /** Returns the offset in the chunk after the value, or -1 when the value is incomplete. */
  #walk(chunk: Buffer, from: number): number {
    /** The offset of the value's first byte relative to the chunk; negative when it was in an earlier chunk. */
    const startsAt = from - this.#pendingBytes
    let at = from
    for (;;) {
      if (this.#skip > 0) {
        const passed = Math.min(this.#skip, chunk.length - at)
        at += passed
        this.#skip -= passed
        if (this.#skip > 0) return -1
        if (this.#closes()) return at
      }
      if (at >= chunk.length) return -1
      if (this.#kind !== undefined) {
        this.#length = this.#length * 256 + (chunk[at++] ?? 0)
        if (--this.#lengthLeft > 0) continue
        const kind = this.#kind
        this.#kind = undefined
        if (this.#begin(kind, this.#length, at - startsAt)) return at
        continue
      }
      if (this.#open.length === 1 && this.#itemOffsets.length < MAX_ITEM_OFFSETS) this.#itemOffsets.push(at - startsAt)
      const kind = KINDS[chunk[at++] ?? 0] as Kind
      if (kind.lengthBytes > 0) {
        this.#kind = kind
        this.#lengthLeft = kind.lengthBytes
        this.#length = 0
      } else if (this.#begin(kind, kind.size, at - startsAt)) return at
    }
  }

  /** Processes the head of a value. Returns true if the outermost value ends with it. */
  #begin({ of }: Kind, size: number, headEnd: number): boolean {
    if (of === 'never') throw new MsgpackFault('a byte that no value begins with')
    const items = of === 'list' ? size : of === 'map' ? size * 2 : 0
    const payload = of === 'extension' ? size + 1 : of === 'list' || of === 'map' || of === 'whole' ? 0 : size
    if (headEnd + items + payload > this.limitBytes) throw new MsgpackFault(`longer than ${this.limitBytes} bytes`)
    if (items > 0) {
      if (this.#open.length === MAX_JSON_DEPTH) throw new MsgpackFault(`nested deeper than ${MAX_JSON_DEPTH} levels`)
      this.#open.push(items)
      return false
    }
    this.#skip = payload
    return payload === 0 && this.#closes()
  }

  /** Records the end of a value; returns true when the outermost value has ended too. */
  #closes(): boolean {
    while (this.#open.length > 0) {
      const left = (this.#open.at(-1) ?? 0) - 1
      if (left > 0) {
        this.#open[this.#open.length - 1] = left
        return false
      }
      this.#open.pop()
    }
    return true
  }
}

/** The head of a value: its kind, its size, and its first byte. */
interface Head {
  readonly kind: Kind['of']
  readonly size: number
  readonly first: number
}

/** Reads consecutive values from complete bytes. Throws a MsgpackFault when something is not a value. */
export class MsgpackReader {
  readonly #bytes: Buffer
  #at: number

  constructor(bytes: Buffer, at = 0) {
    this.#bytes = bytes
    this.#at = at
  }

  get at(): number {
    return this.#at
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length
  }

  #take(count: number): number {
    const at = this.#at
    if (count > this.#bytes.length - at) throw new MsgpackFault('it ends in the middle of a value')
    this.#at = at + count
    return at
  }

  #head(): Head {
    const first = this.#bytes[this.#take(1)] ?? 0
    const { of: kind, lengthBytes, size } = KINDS[first] as Kind
    if (kind === 'never') throw new MsgpackFault('a byte that no value begins with')
    const length = lengthBytes === 0 ? size : this.#bytes.readUIntBE(this.#take(lengthBytes), lengthBytes)
    const items = kind === 'list' ? length : kind === 'map' ? length * 2 : 0
    if (items > this.#bytes.length - this.#at) throw new MsgpackFault('a list of more items than there are bytes')
    return { kind, size: length, first }
  }

  /** Returns the kind of the next value without reading it. */
  next(): Kind['of'] {
    return (KINDS[this.#bytes[this.#at] ?? 0xc1] as Kind).of
  }

  /**
   * Reads the head of a list and returns the number of its items; returns -1 and reads nothing when the next value is
   * not a list.
   */
  list(): number {
    return this.next() === 'list' ? this.#head().size : -1
  }

  /**
   * Reads the head of a map and returns the number of its pairs; returns -1 and reads nothing when the next value is
   * not a map.
   */
  map(): number {
    return this.next() === 'map' ? this.#head().size : -1
  }

  /** Skips a value. */
  skip(): void {
    for (let left = 1; left > 0; left--) {
      const { kind, size } = this.#head()
      if (kind === 'list') left += size
      else if (kind === 'map') left += size * 2
      else if (kind !== 'whole') this.#take(kind === 'extension' ? size + 1 : size)
    }
  }

  /** Returns the byte range `[from, to)` of a string or of bytes; `undefined`, with nothing read, for another value. */
  payload(): { readonly from: number; readonly to: number } | undefined {
    const kind = this.next()
    if (kind !== 'text' && kind !== 'bytes') return undefined
    const from = this.#take(this.#head().size)
    return { from, to: this.#at }
  }

  /** Returns a string; `undefined`, with nothing read, for another value. Bytes are decoded as UTF-8. */
  text(): string | undefined {
    const payload = this.payload()
    return payload && this.#bytes.toString('utf8', payload.from, payload.to)
  }

  /** Returns an extension value, whose type JSON does not have; `undefined`, with nothing read, for another value. */
  extension(): { readonly type: number; readonly bytes: Buffer } | undefined {
    if (this.next() !== 'extension') return undefined
    const { size } = this.#head()
    const type = this.#bytes.readInt8(this.#take(1))
    const from = this.#take(size)
    return { type, bytes: this.#bytes.subarray(from, from + size) }
  }

  /** Returns a value as JSON. Integers are exact; extensions and bytes that are not UTF-8 become Base64. */
  value(depth = 0): PlainJson {
    const { kind, size, first } = this.#head()
    if (kind === 'text') return this.#bytes.toString('utf8', this.#take(size), this.#at)
    if (kind === 'whole') return wholeOf(first)
    if (kind === 'number') return numberOf(this.#bytes, this.#take(size), first)
    if (kind === 'bytes') {
      const bytes = this.#bytes.subarray(this.#take(size), this.#at)
      const text = bytes.toString('utf8')
      return text.includes('\uFFFD') ? bytes.toString('base64') : text
    }
    if (kind === 'extension') return this.#bytes.toString('base64', this.#take(size + 1), this.#at)
    if (depth === MAX_JSON_DEPTH) throw new MsgpackFault(`nested deeper than ${MAX_JSON_DEPTH} levels`)
    if (kind === 'list') {
      const list: PlainJson[] = []
      for (let i = 0; i < size; i++) list.push(this.value(depth + 1))
      return list
    }
    if (size > MAX_ROW_FIELDS) throw new MsgpackFault(`more than ${MAX_ROW_FIELDS} fields`)
    // Without a prototype no name has a special meaning.
    const map = Object.create(null) as { [key: string]: PlainJson }
    for (let i = 0; i < size; i++) {
      const key = this.value(depth + 1)
      if (key !== null && typeof key === 'object') throw new MsgpackFault('a name that is not a text')
      map[String(key)] = this.value(depth + 1)
    }
    return map
  }
}

function wholeOf(first: number): PlainJson {
  if (first <= 0x7f) return first
  if (first >= 0xe0) return first - 256
  return first === 0xc0 ? null : first === 0xc3
}

function numberOf(bytes: Buffer, at: number, first: number): PlainJson {
  switch (first) {
    case 0xca:
      return finite(bytes.readFloatBE(at))
    case 0xcb:
      return finite(bytes.readDoubleBE(at))
    case 0xcc:
      return bytes.readUInt8(at)
    case 0xcd:
      return bytes.readUInt16BE(at)
    case 0xce:
      return bytes.readUInt32BE(at)
    case 0xcf:
      return integerOfDigits(String(bytes.readBigUInt64BE(at)))
    case 0xd0:
      return bytes.readInt8(at)
    case 0xd1:
      return bytes.readInt16BE(at)
    case 0xd2:
      return bytes.readInt32BE(at)
    default:
      return integer(bytes.readBigInt64BE(at))
  }
}

/** Returns a finite number unchanged; others become strings, because JSON has no numbers for them. */
function finite(value: number): PlainJson {
  return Number.isFinite(value) ? value : String(value)
}
