import protobuf from 'protobufjs'
import { FIXED32, FIXED64, LENGTH_DELIMITED, VARINT } from '../protobuf.ts'
import { SentBytes } from '../sent-bytes.ts'
import { wireTypeOf } from './message-reader.ts'

const UNREAD = 0
const ONCE = 1
const ATTRIBUTE = 2
const UNUSUAL = 3

/**
 * What is done with a field, by its tag: the fields of a type are noted, its attributes are given to `attribute`, and any field that the
 * type lacks is not read. Other lists of messages are unusual, as is a field in another wire type.
 */
export function fieldsByTag({ fieldsArray }: protobuf.Type): Uint8Array {
  const uses = new Uint8Array(256).fill(UNREAD)
  for (const field of fieldsArray) {
    const tag = field.id << 3
    const isListOfMessages = field.repeated && field.resolvedType !== null
    uses.fill(UNUSUAL, tag, tag + 8)
    if (field.name === 'attributes') uses[tag | LENGTH_DELIMITED] = ATTRIBUTE
    else if (!isListOfMessages) uses[tag | (field.repeated ? LENGTH_DELIMITED : wireTypeOf(field))] = ONCE
  }
  return uses
}

/** Finds the fields of messages where they lie. */
export abstract class SentFields extends SentBytes {
  /** By the number of a field: where its value begins and ends in the message that was looked at last; 0 where it was not sent. */
  protected readonly from = new Int32Array(32)
  protected readonly to = new Int32Array(32)

  /** Takes an attribute whose tag is at `tagAt`; false when it is unusual. */
  protected abstract attribute(tagAt: number, start: number, end: number): boolean

  /** Counts a field that is not read; false when there are unusually many of them. */
  protected abstract unread(): boolean

  /** Looks at the message at `[start, end)`; false when it is unusual, as one with a field that comes twice is. */
  protected fields(start: number, end: number, uses: Uint8Array): boolean {
    const { bytes, from, to } = this
    from.fill(0)
    to.fill(0)
    let at = start
    while (at < end) {
      const tagAt = at
      const tag = bytes[at++]
      // The second byte of a tag is that of the numbers from 16 to 31.
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
      // NaN behind a number or a length that is longer than usual.
      if (!(at <= end)) return false
      const use = uses[tag]
      const field = tag >>> 3
      const first = (tag & 7) === LENGTH_DELIMITED ? this.at : tagAt + (tag < 0x80 ? 1 : 2)
      if (use === ONCE) {
        if (from[field] !== 0) return false
        from[field] = first
        to[field] = at
      } else if (use === UNUSUAL || !(use === ATTRIBUTE ? this.attribute(tagAt, first, at) : this.unread()))
        return false
    }
    return true
  }

  /** A number; 0 where it was not sent. */
  protected numberOf(field: number): number {
    if (this.from[field] === 0) return 0
    this.at = this.from[field]
    return this.length()
  }

  /** Whether the fixed64 at a place is 0, or was not sent. */
  protected isZero(at: number): boolean {
    return at === 0 || (this.word(at) === 0 && this.word(at + 4) === 0)
  }
}
