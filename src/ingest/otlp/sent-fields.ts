import protobuf from 'protobufjs'
import { FIXED32, FIXED64, LENGTH_DELIMITED, VARINT } from '../protobuf.ts'
import { SentBytes } from '../sent-bytes.ts'
import { wireTypeOf } from './message-reader.ts'

const UNREAD = 0
const ONCE = 1
const ATTRIBUTE = 2
const UNUSUAL = 3
const LISTED = 4

/**
 * Returns for each tag how its field is handled. Fields of the type are noted, its attributes are passed to
 * `attribute`, messages of its other lists to `listed`, and unknown fields are skipped. A message with a field in
 * another wire type must be read as an object.
 */
export function fieldsByTag({ fieldsArray }: protobuf.Type): Uint8Array {
  const uses = new Uint8Array(256).fill(UNREAD)
  for (const field of fieldsArray) {
    const tag = field.id << 3
    const isListOfMessages = field.repeated && field.resolvedType !== null
    uses.fill(UNUSUAL, tag, tag + 8)
    if (field.name === 'attributes') uses[tag | LENGTH_DELIMITED] = ATTRIBUTE
    else if (isListOfMessages) uses[tag | LENGTH_DELIMITED] = LISTED
    else uses[tag | (field.repeated ? LENGTH_DELIMITED : wireTypeOf(field))] = ONCE
  }
  return uses
}

/** Finds the fields of messages in the bytes of a body without decoding them. */
export abstract class SentFields extends SentBytes {
  /**
   * The offsets, by field number, where values begin and end in the message that was read last; 0 when a field was not
   * sent.
   */
  protected readonly from = new Int32Array(32)
  protected readonly to = new Int32Array(32)

  /** Reads an attribute whose tag is at `tagAt`. Returns false if the message must be read as an object. */
  protected abstract attribute(tagAt: number, start: number, end: number): boolean

  /**
   * Reads one message of a repeated field. Returns false if the whole message must be read as an object, which is the
   * default.
   */
  protected listed(_field: number, _start: number, _end: number): boolean {
    return false
  }

  /**
   * Called for each skipped field. Returns false if the message has too many skipped fields; it is then read as an object.
   */
  protected abstract unread(): boolean

  /**
   * Finds the fields of the message at `[start, end)`. Returns false if the message must be read as an object, for
   * example because a field occurs twice.
   */
  protected fields(start: number, end: number, uses: Uint8Array): boolean {
    const { bytes, from, to } = this
    from.fill(0)
    to.fill(0)
    let at = start
    while (at < end) {
      const tagAt = at
      const tag = bytes[at++]
      // The second byte of a tag is 1 for field numbers from 16 to 31.
      if (tag >= 0x80 && bytes[at++] !== 1) return false
      this.at = at
      switch (tag & 7) {
        case VARINT:
          at = this.length() >= 0 ? this.at : NaN
          break
        case FIXED64:
          at += 8
          break
        case LENGTH_DELIMITED:
          at = this.length() + this.at
          break
        case FIXED32:
          at += 4
          break
        default:
          return false
      }
      // `at` is NaN after a number or length with too many bytes.
      if (!(at <= end)) return false
      const use = uses[tag]
      const field = tag >>> 3
      const first = (tag & 7) === LENGTH_DELIMITED ? this.at : tagAt + (tag < 0x80 ? 1 : 2)
      if (use === ONCE) {
        if (from[field] !== 0) return false
        from[field] = first
        to[field] = at
      } else if (use === UNUSUAL || !this.#other(use, field, tagAt, first, at)) return false
    }
    return true
  }

  #other(use: number, field: number, tagAt: number, start: number, end: number): boolean {
    if (use === ATTRIBUTE) return this.attribute(tagAt, start, end)
    return use === LISTED ? this.listed(field, start, end) : this.unread()
  }

  /** Returns a number; 0 when it was not sent. */
  protected numberOf(field: number): number {
    if (this.from[field] === 0) return 0
    this.at = this.from[field]
    return this.length()
  }

  /** True if the fixed64 at this offset is 0 or was not sent. */
  protected isZero(at: number): boolean {
    return at === 0 || (this.word(at) === 0 && this.word(at + 4) === 0)
  }
}
