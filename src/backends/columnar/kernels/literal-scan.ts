import { Bytes, WasmKernel } from '../../../base/index.ts'
import { wordByte } from '../../../store/index.ts'
import { byteRarity } from './byte-rarity.ts'
import { edge, findLiteralModule } from './wasm/find-literal.ts'

/** Room behind the text, for loads of 16 bytes that begin inside it. */
const SLACK = 4096
/** Texts beyond this are searched without the kernel. */
const MAX_TEXT_BYTES = 256 * 1024 * 1024
const MAX_NEEDLE_BYTES = 2048

const NEEDLE_AT = 0
const MASKS_AT = MAX_NEEDLE_BYTES
const WORDS_AT = 2 * MAX_NEEDLE_BYTES
const OFFSETS_AT = WORDS_AT + 256

let kernel: WasmKernel | undefined
/** The rows that lie in the kernel's memory: those for which many needles are looked for are copied once. */
let copied:
  | {
      readonly bytes: WeakRef<Bytes>
      readonly offsets: WeakRef<Uint32Array>
      readonly from: number
      readonly to: number
    }
  | undefined

/** A literal to be looked for in many texts at once. */
export interface Needle {
  /** ASCII bytes; folded when case does not count. */
  readonly bytes: Uint8Array
  readonly isFolded: boolean
  /** Whether an occurrence must not be cut inside a word at its start, at its end. */
  readonly wordStart: boolean
  readonly wordEnd: boolean
}

/** The places of the two rarest bytes of a needle. */
function probesOf(bytes: Uint8Array): readonly [number, number] {
  const places = Array.from(bytes.keys()).sort((a, b) => byteRarity[bytes[b]] - byteRarity[bytes[a]] || a - b)
  const [first] = places
  const second = places.find((place) => bytes[place] !== bytes[first]) ?? places[1] ?? first
  return [first, second]
}

export function canScan(needle: Needle, textBytes: number): boolean {
  return needle.bytes.length > 0 && needle.bytes.length <= MAX_NEEDLE_BYTES && textBytes <= MAX_TEXT_BYTES
}

/**
 * The rows of `[from, to)` whose bytes contain the needle: bit `i` stands for row `from + i`. Row `i` is
 * `bytes[offsets[i], offsets[i + 1])`. Bytes beyond ASCII are compared as they are.
 */
export function rowsWithLiteral(
  needle: Needle,
  bytes: Bytes,
  offsets: Uint32Array,
  from: number,
  to: number,
): Uint32Array {
  kernel ??= new WasmKernel(findLiteralModule)
  const start = offsets[from]
  const end = offsets[to]
  const bitmapBytes = ((to - from + 31) >>> 5) * 4
  const bitmapAt = OFFSETS_AT + (to - from + 1) * 4
  const textAt = bitmapAt + bitmapBytes
  const memory = kernel.bytes(textAt + end - start + SLACK)
  memory.set(wordByte, WORDS_AT)
  memory.set(needle.bytes, NEEDLE_AT)
  for (let k = 0; k < needle.bytes.length; k++) {
    const byte = needle.bytes[k]
    memory[MASKS_AT + k] = needle.isFolded && byte >= 97 && byte <= 122 ? 0x20 : 0
  }
  memory.fill(0, bitmapAt, bitmapAt + bitmapBytes)
  const isCopied =
    copied?.from === from && copied.to === to && copied.bytes.deref() === bytes && copied.offsets.deref() === offsets
  if (!isCopied) {
    Bytes.from(offsets.buffer, offsets.byteOffset, offsets.byteLength).copy(memory, OFFSETS_AT, from * 4, (to + 1) * 4)
    bytes.copy(memory, textAt, start, end)
    copied = { bytes: new WeakRef(bytes), offsets: new WeakRef(offsets), from, to }
  }
  const [probeA, probeB] = probesOf(needle.bytes)
  const edges = (needle.wordStart ? edge.start : 0) | (needle.wordEnd ? edge.end : 0)
  // Offsets count from the start of all bytes, of which only a part was copied.
  const { length } = needle.bytes
  kernel.run(
    textAt - start,
    start,
    end,
    OFFSETS_AT,
    0,
    NEEDLE_AT,
    length,
    MASKS_AT,
    probeA,
    probeB,
    edges,
    WORDS_AT,
    bitmapAt,
  )
  return new Uint32Array(memory.buffer.slice(bitmapAt, bitmapAt + bitmapBytes))
}
