import type { MutableRow, TimeContext } from '../../data/index.ts'
import { TextRecords } from '../text/index.ts'
import { badItem, storable, type Items } from './item.ts'
import { MAX_SYSLOG_BYTES, MAX_SYSLOG_LENGTH_DIGITS, MAX_SYSLOG_CHUNKS } from '../tuning.ts'
import { BYTES_PER_CHECKPOINT, SPACE, LESS_THAN, LINE_FEED } from '../../base/index.ts'

/** Returns a message preceded by its length and a blank, so that other messages can follow it. */
export function framed(message: Uint8Array): readonly Uint8Array[] {
  return [Buffer.from(`${message.length} `), message]
}

/**
 * Splits the bytes of a connection into messages. A message may begin with its length; other messages end with a line
 * end or a zero byte. A line that is too long is dropped, and reading continues after the line.
 */
export class SyslogFramer {
  #pieces: Buffer[] = []
  #pendingBytes = 0
  /** Number of buffered bytes at which the current message can be complete; 0 if only a line end can complete it. */
  #neededBytes = 0
  #isSkipping = false
  /** The number of lines that were dropped because they were too long. */
  tooLong = 0

  /** Returns the number of bytes of an incomplete message. */
  get pendingBytes(): number {
    return this.#pendingBytes
  }

  /** Returns the complete messages, and a fault when nothing more can be read. */
  push(chunk: Buffer): { readonly messages: readonly Buffer[]; readonly fault?: 'too-long' } {
    const isWorthIt =
      this.#pendingBytes === 0 ||
      (this.#neededBytes > 0
        ? this.#pendingBytes + chunk.length >= this.#neededBytes
        : this.#pendingBytes + chunk.length > MAX_SYSLOG_BYTES || lineEnd(chunk, 0) !== -1)
    this.#pieces.push(chunk)
    this.#pendingBytes += chunk.length
    if (isWorthIt) return this.#read(this.#joined())
    if (this.#pieces.length > MAX_SYSLOG_CHUNKS) this.#keep(this.#joined())
    return { messages: [] }
  }

  #joined(): Buffer {
    const [only] = this.#pieces
    return this.#pieces.length === 1 && only !== undefined ? only : Buffer.concat(this.#pieces)
  }

  #keep(rest: Buffer): void {
    this.#pieces = rest.length === 0 ? [] : [rest]
    this.#pendingBytes = rest.length
  }

  #read(bytes: Buffer): { readonly messages: readonly Buffer[]; readonly fault?: 'too-long' } {
    const messages: Buffer[] = []
    let at = 0
    this.#neededBytes = 0
    while (at < bytes.length) {
      const counted = this.#isSkipping ? undefined : lengthAt(bytes, at)
      if (counted === 'cut') {
        this.#neededBytes = bytes.length - at + 1
        break
      }
      if (counted !== undefined) {
        const { from, length } = counted
        if (length > MAX_SYSLOG_BYTES) return { messages, fault: 'too-long' }
        if (from + length > bytes.length) {
          this.#neededBytes = from + length - at
          break
        }
        messages.push(bytes.subarray(from, from + length))
        at = from + length
        continue
      }
      const end = lineEnd(bytes, at)
      if (end === -1) {
        if (!this.#isSkipping && bytes.length - at <= MAX_SYSLOG_BYTES) break
        if (!this.#isSkipping) this.tooLong++
        this.#isSkipping = true
        at = bytes.length
        break
      }
      if (this.#isSkipping) this.#isSkipping = false
      else if (end - at > MAX_SYSLOG_BYTES) this.tooLong++
      else if (end > at) messages.push(bytes.subarray(at, end))
      at = end + 1
    }
    // The small remainder is copied, so that it does not keep the memory of the whole chunk alive.
    this.#keep(Buffer.from(bytes.subarray(at)))
    return { messages }
  }

  /**
   * Returns the last message at the end of the connection. A line without its end is a message; an incomplete message
   * with a length is not.
   */
  end(): Buffer | undefined {
    const rest = this.#joined()
    this.#keep(Buffer.alloc(0))
    if (rest.length === 0 || this.#isSkipping || lengthAt(rest, 0) !== undefined) return undefined
    return rest
  }
}

function lineEnd(bytes: Buffer, from: number): number {
  const newline = bytes.indexOf(LINE_FEED, from)
  const zero = bytes.subarray(from, newline === -1 ? bytes.length : newline).indexOf(0)
  return zero === -1 ? newline : from + zero
}

/** Reads the length before a message: digits, a blank, and the `<` with which such messages begin. */
function lengthAt(
  bytes: Buffer,
  start: number,
): { readonly from: number; readonly length: number } | 'cut' | undefined {
  let at = start
  const first = bytes[at] ?? 0
  if (first < 0x31 || first > 0x39) return undefined
  while (
    at < bytes.length &&
    at - start <= MAX_SYSLOG_LENGTH_DIGITS &&
    (bytes[at] ?? 0) >= 0x30 &&
    (bytes[at] ?? 0) <= 0x39
  )
    at++
  if (at - start > MAX_SYSLOG_LENGTH_DIGITS) return undefined
  if (at === bytes.length) return 'cut'
  if (bytes[at] !== SPACE) return undefined
  if (at + 1 === bytes.length) return 'cut'
  if (bytes[at + 1] !== LESS_THAN) return undefined
  return { from: at + 1, length: Number(bytes.toString('latin1', start, at)) }
}

/** Returns the record of a message, which is read like a line of a file. */
export function syslogRecord(message: string, context: TimeContext): MutableRow {
  const lines = new TextRecords({ ...context, multiline: false })
  lines.push(message.replace(/[\r\n\0]+$/, ''))
  return lines.take()[0] ?? new Map()
}

/** Yields the records of consecutive messages, each with its length before it. */
export function* syslogMessages(payload: Uint8Array, context: TimeContext): Items {
  const bytes = Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength)
  let turn = BYTES_PER_CHECKPOINT
  for (let at = 0; at < bytes.length;) {
    if (at >= turn) {
      turn = at + BYTES_PER_CHECKPOINT
      yield undefined
    }
    const blank = bytes.indexOf(SPACE, at)
    const length =
      blank === -1 || blank - at > MAX_SYSLOG_LENGTH_DIGITS ? Number.NaN : Number(bytes.toString('latin1', at, blank))
    const to = blank + 1 + length
    if (!(to <= bytes.length)) {
      yield badItem('the length of a message cannot be read', bytes.toString('utf8', at, at + 480))
      return
    }
    const text = bytes.toString('utf8', blank + 1, to)
    at = to
    yield storable(syslogRecord(text, context), () => text)
  }
}
