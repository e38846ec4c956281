import { Bytes } from '../../../base/index.ts'
import { KernelMemory, layout } from '../../../kernels/index.ts'
import { wordByte } from '../../../store/index.ts'
import { byteRarity } from './byte-rarity.ts'

/** Maximum total size of the searched strings in kernel memory, bytes. */
const MAX_TEXT_BYTES = 256 * 1024 * 1024
const MAX_NEEDLE_BYTES = 2048

const NEEDLE_AT = 0
const MASKS_AT = MAX_NEEDLE_BYTES
const WORDS_AT = 2 * MAX_NEEDLE_BYTES
const OFFSETS_AT = WORDS_AT + 256

/** The kernel memory. Replaced by a memory of at least twice the size if rows do not fit. */
let memory: KernelMemory | undefined
/** The rows that are in the kernel memory now, so that a search for another literal need not copy them again. */
let copied:
  | {
      readonly bytes: WeakRef<Bytes>
      readonly offsets: WeakRef<Uint32Array>
      readonly from: number
      readonly to: number
    }
  | undefined

/** A literal to search for in many strings. */
export interface Needle {
  /** The literal in ASCII; in lower case if the search ignores case. */
  readonly bytes: Uint8Array
  readonly isFolded: boolean
  /** True if a match must begin at the start of a word (`wordStart`) or end at the end of a word (`wordEnd`). */
  readonly wordStart: boolean
  readonly wordEnd: boolean
}

/** Returns the positions of the two rarest bytes of a literal, which the kernel looks for first. */
function probesOf(bytes: Uint8Array): readonly [number, number] {
  const offsets = Array.from(bytes.keys()).sort((a, b) => byteRarity[bytes[b]] - byteRarity[bytes[a]] || a - b)
  const [first] = offsets
  const second = offsets.find((offset) => bytes[offset] !== bytes[first]) ?? offsets[1] ?? first
  return [first, second]
}

export function canScan(needle: Needle, textBytes: number): boolean {
  return needle.bytes.length > 0 && needle.bytes.length <= MAX_NEEDLE_BYTES && textBytes <= MAX_TEXT_BYTES
}

function memoryFor(bytes: number): KernelMemory {
  if (memory === undefined || memory.buffer.byteLength < bytes) {
    memory = new KernelMemory(2 ** Math.ceil(Math.log2(bytes)))
    copied = undefined
  }
  return memory
}

/**
 * Returns the rows of `[from, to)` whose string contains the literal, as a bitmap: bit `i` is row `from + i`. The
 * string of row `i` is `bytes[offsets[i], offsets[i + 1])`. Non-ASCII bytes are compared exactly.
 */
export function rowsWithLiteral(
  needle: Needle,
  bytes: Bytes,
  offsets: Uint32Array,
  from: number,
  to: number,
): Uint32Array {
  const start = offsets[from]
  const end = offsets[to]
  const bitmapBytes = ((to - from + 31) >>> 5) * 4
  const bitmapAt = OFFSETS_AT + (to - from + 1) * 4
  const textAt = bitmapAt + bitmapBytes
  const { buffer, kernels } = memoryFor(textAt + end - start + layout.SLACK_BYTES)
  const into = Bytes.from(buffer)
  into.set(wordByte, WORDS_AT)
  into.set(needle.bytes, NEEDLE_AT)
  for (let k = 0; k < needle.bytes.length; k++) {
    const byte = needle.bytes[k]
    into[MASKS_AT + k] = needle.isFolded && byte >= 97 && byte <= 122 ? 0x20 : 0
  }
  into.fill(0, bitmapAt, bitmapAt + bitmapBytes)
  const isCopied =
    copied?.from === from && copied.to === to && copied.bytes.deref() === bytes && copied.offsets.deref() === offsets
  if (!isCopied) {
    Bytes.from(offsets.buffer, offsets.byteOffset, offsets.byteLength).copy(into, OFFSETS_AT, from * 4, (to + 1) * 4)
    bytes.copy(into, textAt, start, end)
    copied = { bytes: new WeakRef(bytes), offsets: new WeakRef(offsets), from, to }
  }
  const [probeA, probeB] = probesOf(needle.bytes)
  const edges = (needle.wordStart ? layout.Edge.START : 0) | (needle.wordEnd ? layout.Edge.END : 0)
  // `offsets` count from the start of `bytes`, but only a part of `bytes` was copied to the kernel memory.
  const { length } = needle.bytes
  kernels.findLiteral(
    textAt - start,
    start,
    end,
    OFFSETS_AT,
    NEEDLE_AT,
    length,
    MASKS_AT,
    probeA,
    probeB,
    edges,
    WORDS_AT,
    bitmapAt,
  )
  return new Uint32Array(buffer.slice(bitmapAt, bitmapAt + bitmapBytes))
}
