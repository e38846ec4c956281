import { CHUNK_BYTES, LINE_FEED } from '../../../base/index.ts'
import type { RecordFormat } from '../../../store/index.ts'
import { PART_BYTES } from '../tuning.ts'
import type { ByteSource } from './byte-source.ts'
import type { PartRing } from './part-ring.ts'

/** Fills the slots of a ring with the bytes of an input, cut at the beginnings of records. */
export class PartFiller {
  readonly #ring: PartRing
  readonly #source: ByteSource
  /** The part that is being filled, the number of bytes in its slot, and the offset of its first byte in the input. */
  #part = 0
  #held = 0
  #offset: number
  #failure: unknown
  /** True if the ring has received all bytes of the input. */
  isWhole = false
  /** True if no further part follows. */
  isOver = false

  /** `offset` is the position in the input of the first byte that the source returns. */
  constructor(source: ByteSource, ring: PartRing, offset: number) {
    this.#source = source
    this.#ring = ring
    this.#offset = offset
    ring.reset()
  }

  /**
   * Fills the slot of the next part and returns its bytes. When `isWhole` is true, they are all remaining bytes of the
   * input.
   */
  async fill(): Promise<Uint8Array> {
    const slot = this.#ring.slot(this.#part)
    while (this.#held < slot.length && !this.isWhole) this.#held += await this.#read(slot.subarray(this.#held))
    return slot.subarray(0, this.#held)
  }

  /** Reads bytes of the input. An error of the input is kept and thrown after everything that could be read. */
  async #read(target: Uint8Array): Promise<number> {
    let bytes = 0
    try {
      bytes = await this.#source.read(target)
    } catch (error) {
      this.#failure = error
    }
    this.isWhole = bytes === 0
    return bytes
  }

  /** Removes the first bytes of the part that was filled. */
  skip(bytes: number): void {
    this.#ring.slot(this.#part).copyWithin(0, bytes, this.#held)
    this.#held -= bytes
    this.#offset += bytes
  }

  /**
   * Publishes the filled part up to a point where a record certainly begins. The bytes after it move to the next slot,
   * which must be free. When no such point is known, the part is not published and no further part follows.
   */
  publish(format: RecordFormat): void {
    const slot = this.#ring.slot(this.#part)
    const held = this.#held
    const cut = this.isWhole ? held : beginning(slot, format)
    if (cut !== undefined) {
      if (cut < held) this.#ring.slot(this.#part + 1).set(slot.subarray(cut, held))
      this.#ring.publish(this.#part, cut, this.#offset)
      this.#part++
      this.#offset += cut
      this.#held -= cut
    }
    if (!this.isWhole && cut !== undefined) return
    this.isOver = true
    this.#ring.end()
  }

  /**
   * Yields all bytes from the beginning of the given part to the end of the input. The slot of the part must not have
   * been freed. Then throws the error of the input, if there was one.
   */
  async *rest(part: number): AsyncGenerator<Uint8Array> {
    for (let i = part; i < this.#part; i++) yield this.#ring.part(i).bytes
    if (this.#held > 0) yield this.#ring.slot(this.#part).subarray(0, this.#held)
    const buffer = new Uint8Array(CHUNK_BYTES)
    while (!this.isWhole) yield buffer.subarray(0, await this.#read(buffer))
    if (this.#failure !== undefined) throw this.#failure
  }
}

/**
 * Returns the offset of the first record after the intended size of a part; `undefined` when no line certainly begins a
 * record.
 */
function beginning(slot: Uint8Array, format: RecordFormat): number | undefined {
  const text = Buffer.from(slot.buffer, slot.byteOffset, slot.length)
  let before = text.lastIndexOf(LINE_FEED, PART_BYTES - 2) + 1
  for (;;) {
    const start = text.indexOf(LINE_FEED, Math.max(before, PART_BYTES - 1)) + 1
    const end = start === 0 ? 0 : text.indexOf(LINE_FEED, start) + 1
    if (end === 0) return undefined
    if (before > 0 && format.beginsAt(text, before, start, end)) return start
    before = start
  }
}
