import { Bytes } from '../../../base/index.ts'
import { KernelMemory, layout } from '../../../kernels/index.ts'

/** Maximum number of rows in a batch. `BATCH_BYTES` limits the size of their texts. */
export const BATCH_ROWS = 1024
export const BATCH_BYTES = 256 * 1024

const STATE_AT = 160
/** Members of the state that grow when words are added. */
const growing = [layout.WordsState.COUNT_AT, layout.WordsState.LONG_END_AT, layout.WordsState.STREAM_LENGTH_AT] as const

const OFFSETS_AT = 256
const TEXT_AT = OFFSETS_AT + (BATCH_ROWS + 1) * 4 + 60
const BITS_AT = TEXT_AT + BATCH_BYTES + layout.SLACK_BYTES
const ROOMS_AT = BITS_AT + BATCH_BYTES / 8 + layout.SLACK_BYTES

/** Capacities of a word memory. */
export interface WordRooms {
  readonly rows: number
  /** Maximum number of words, a power of two. */
  readonly words: number
  /** Bytes for words that are too long for their entry. */
  readonly longBytes: number
  /** Maximum length of the stream, which lists for each row the numbers of its distinct words. */
  readonly stream: number
}

const leastRooms: WordRooms = { rows: 1024, words: 2048, longBytes: 16 * 1024, stream: 8192 }

/** Memory in which a kernel collects the distinct words of rows. */
export class WordMemory {
  readonly rooms: WordRooms
  /** The entry of each word, by word number, in the layout `layout.Entry`. */
  readonly entries: Int32Array
  readonly entryBytes: Bytes
  readonly longBytes: Bytes
  readonly stream: Uint32Array
  /** For each row, the end of its word numbers in the stream. */
  readonly ends: Uint32Array
  readonly #kernels: KernelMemory['kernels']
  readonly #bytes: Bytes
  readonly #state: Int32Array
  readonly #offsets: Uint32Array
  readonly #slots: Int32Array

  /** Throws `RangeError` if the runtime has no memory left. */
  constructor(rooms: WordRooms) {
    this.rooms = rooms
    const { rows, words, longBytes, stream } = rooms
    let end = ROOMS_AT
    const room = (bytes: number): number => {
      const at = end
      end += (bytes + layout.SLACK_BYTES - 1) & -layout.SLACK_BYTES
      return at
    }
    const entriesAt = room(words * layout.Entry.BYTES)
    // Twice as many slots as words, so that at least half of the slots are free.
    const slotsAt = room(words * 2 * layout.Slot.BYTES)
    const longAt = room(longBytes + layout.SLACK_BYTES)
    const streamAt = room(stream * 4)
    const endsAt = room(rows * 4)
    const { buffer, kernels } = new KernelMemory(end)
    this.#kernels = kernels
    this.#bytes = Bytes.from(buffer)
    this.#state = new Int32Array(buffer, STATE_AT, layout.WordsState.STATE_BYTES / 4)
    this.#offsets = new Uint32Array(buffer, OFFSETS_AT, BATCH_ROWS + 1)
    this.#slots = new Int32Array(buffer, slotsAt, (words * 2 * layout.Slot.BYTES) / 4)
    this.entries = new Int32Array(buffer, entriesAt, (words * layout.Entry.BYTES) / 4)
    this.entryBytes = Bytes.from(buffer, entriesAt, words * layout.Entry.BYTES)
    this.longBytes = Bytes.from(buffer, longAt, longBytes)
    this.stream = new Uint32Array(buffer, streamAt, stream)
    this.ends = new Uint32Array(buffer, endsAt, rows)
    this.#bytes.fill(0xff, 0, layout.Word.MAX_BYTES)
    this.#bytes.fill(0, layout.Word.MAX_BYTES, layout.Word.MASK_BYTES)
    for (const [at, value] of [
      [layout.WordsState.MAX_COUNT_AT, words],
      [layout.WordsState.MAX_LONG_AT, longBytes],
      [layout.WordsState.MAX_STREAM_AT, stream],
      [layout.WordsState.SLOT_SHIFT_AT, Math.clz32(words * 2 - 1)],
      [layout.WordsState.SLOTS_AT, slotsAt],
      [layout.WordsState.ENTRIES_AT, entriesAt],
      [layout.WordsState.LONG_AT, longAt],
      [layout.WordsState.STREAM_AT, streamAt],
      [layout.WordsState.ENDS_AT, endsAt],
    ])
      this.#state[at / 4] = value
  }

  get wordCount(): number {
    return this.#state[layout.WordsState.COUNT_AT / 4]
  }

  /** The number of bytes of the whole memory. */
  get byteLength(): number {
    return this.#bytes.length
  }

  clear(): void {
    this.#slots.fill(0)
    for (const at of growing) this.#state[at / 4] = 0
  }

  /**
   * Copies the texts `[from, to)` of `bytes` to the place from which `read` takes them. They must be ASCII, or folded
   * words separated by spaces.
   */
  put(bytes: Uint8Array, offsets: Uint32Array, from: number, to: number): void {
    const length = offsets[to] - offsets[from]
    this.#bytes.set(bytes.subarray(offsets[from], offsets[to]), TEXT_AT)
    this.#offsets.set(offsets.subarray(from, to + 1))
    this.#kernels.foldWords(TEXT_AT, BITS_AT, TEXT_AT + length)
  }

  /**
   * Reads texts `[at, to)` of the last `put`. The first belongs to row `row`, the others to the following rows. Returns
   * `to`, or the index of the first text that was not read because memory is full.
   */
  read(row: number, at: number, to: number): number {
    this.#kernels.readWords(TEXT_AT, BITS_AT, OFFSETS_AT, row, at, to, STATE_AT)
    return this.#state[layout.WordsState.NEXT_AT / 4]
  }

  /** Returns a larger memory with the same words and texts, with space for a text of this many more bytes. */
  withRoomFor(textBytes: number): WordMemory {
    const { rows, words, longBytes, stream } = this.rooms
    const [wordCount, longEnd, streamLength] = growing.map((at) => this.#state[at / 4])
    const mostWords = (textBytes + 1) >>> 1
    const next = new WordMemory({
      rows,
      words: roomFor(words, wordCount + mostWords),
      longBytes: roomFor(longBytes, longEnd + textBytes * 2),
      stream: roomFor(stream, streamLength + mostWords),
    })
    next.#bytes.set(this.#bytes.subarray(OFFSETS_AT, ROOMS_AT), OFFSETS_AT)
    next.entries.set(this.entries.subarray(0, (wordCount * layout.Entry.BYTES) / 4))
    next.longBytes.set(this.longBytes.subarray(0, longEnd))
    next.stream.set(this.stream.subarray(0, streamLength))
    next.ends.set(this.ends)
    next.#takeSlots(this.#slots)
    for (const at of growing) next.#state[at / 4] = this.#state[at / 4]
    return next
  }

  #takeSlots(old: Int32Array): void {
    const slots = this.#slots
    if (old.length === slots.length) {
      slots.set(old)
      return
    }
    const shift = this.#state[layout.WordsState.SLOT_SHIFT_AT / 4]
    const mask = slots.length / 2 - 1
    for (let from = 0; from < old.length; from += 2) {
      if (old[from] === 0) continue
      let slot = old[from + 1] >>> shift
      while (slots[slot * 2] !== 0) slot = (slot + 1) & mask
      slots[slot * 2] = old[from]
      slots[slot * 2 + 1] = old[from + 1]
    }
  }
}

function roomFor(room: number, least: number): number {
  let next = room
  while (next < least) next *= 2
  return next
}

/** The memory that was released last, to be reused for the next index of this thread. */
let spare: WordMemory | undefined

/** Maximum size of a memory that is kept for reuse, bytes. */
const MOST_KEPT_BYTES = 64 * 1024 * 1024

/** Returns an empty word memory for this many rows, reused if possible. */
export function takeWordMemory(rows: number): WordMemory {
  const kept = spare
  spare = undefined
  if (kept !== undefined && kept.rooms.rows >= rows) {
    kept.clear()
    return kept
  }
  const words = roomFor(leastRooms.words, rows)
  return new WordMemory({ ...leastRooms, rows: roomFor(leastRooms.rows, rows), words, stream: words * 4 })
}

/** Releases a memory for reuse. The caller must not use it afterwards. */
export function leaveWordMemory(memory: WordMemory): void {
  if (memory.byteLength <= MOST_KEPT_BYTES) spare = memory
}
