import { Bytes, work } from '../../base/index.ts'
import { KernelMemory, layout } from '../../kernels/index.ts'
import { decodeText, encodeText } from '../columns/bytes.ts'
import { compareText } from './compare.ts'
import { ANY_DIGIT, numberFlag, numberFlags } from './number-runs.ts'

const { FoldTables, NumberFlag, Placeholder } = layout

/** The names of the placeholders from `Placeholder.NUMBER` on. */
const names = ['<N>', '<UUID>', '<IP4>', '<TIME>', '<DATE>', '<DATETIME>'].map((name) => encodeText(name))

/** Returns the tables that the kernel reads. */
export function foldTables(): Uint8Array {
  const tables = new Uint8Array(FoldTables.BYTES)
  for (const [byte, flags] of numberFlags.entries()) {
    if ((flags & numberFlag.digit) !== 0) tables[byte] |= NumberFlag.DIGIT
    if ((flags & numberFlag.hexLetter) !== 0) tables[byte] |= NumberFlag.HEX_LETTER
    if ((flags & numberFlag.barsStart) !== 0) tables[byte] |= NumberFlag.BARS_START
    if ((flags & numberFlag.barsEnd) !== 0) tables[byte] |= NumberFlag.BARS_END
  }
  for (let upper = 0; upper < 8; upper++) {
    tables[FoldTables.HALVES_AT + upper] = 1 << upper
    for (let lower = 0; lower < 16; lower++) {
      const flags = numberFlags[upper * 16 + lower]
      if ((flags & ANY_DIGIT) !== 0) tables[FoldTables.DIGITS_AT + lower] |= 1 << upper
      if ((flags & numberFlag.barsStart) !== 0) tables[FoldTables.BARRING_AT + lower] |= 1 << upper
    }
  }
  for (const [index, name] of names.entries()) {
    const at = FoldTables.NAMES_AT + index * FoldTables.NAME_BYTES
    tables.set(name, at)
    tables[at + FoldTables.NAME_LENGTH_AT] = name.length
    tables[at + FoldTables.NAME_PLACEHOLDER_AT] = Placeholder.NUMBER + index
  }
  return tables
}

const TEXT_AT = FoldTables.BYTES

/** Folds strings of limited length in the memory of a kernel. */
class FoldMemory {
  readonly #outAt: number
  readonly #memory: KernelMemory
  readonly #text: Bytes
  readonly folded: Bytes

  constructor(mostBytes: number) {
    this.#outAt = TEXT_AT + mostBytes + layout.SLACK_BYTES
    this.#memory = new KernelMemory(this.#outAt + mostBytes + layout.SLACK_BYTES)
    const bytes = Bytes.from(this.#memory.buffer)
    bytes.set(foldTables())
    this.#text = bytes.subarray(TEXT_AT)
    this.folded = bytes.subarray(this.#outAt)
  }

  fold(bytes: Bytes, start: number, end: number, isPretty: boolean): number {
    bytes.copy(this.#text, 0, start, end)
    const { kernels } = this.#memory
    return kernels.foldNumbers(TEXT_AT, TEXT_AT + end - start, this.#outAt, 0, Number(isPretty)) - this.#outAt
  }
}

/**
 * Maximum size in bytes of a string that is folded in the memory of this thread. Most log lines are shorter; a longer
 * string gets a memory of its own.
 */
const USUAL_BYTES = 30_000

/** The memory of this thread, allocated when a string is first folded. */
let usual: FoldMemory | undefined

/** A string in folded form: UTF-8 in which one byte stands for a placeholder. */
export interface FoldedText {
  /** The first `length` bytes are the string. They are valid until the next string is folded. */
  readonly bytes: Bytes
  readonly length: number
}

/**
 * Replaces every number in the string `bytes[start, end)` by a placeholder; with `isPretty`, known groups of numbers
 * get placeholders of their own. Texts that are equal after folding have equal bytes: a placeholder that the string
 * itself contains also becomes its byte.
 */
export function foldNumbers(bytes: Bytes, start: number, end: number, isPretty: boolean): FoldedText {
  work((end - start) >>> 4)
  const length = end - start
  const memory = length > USUAL_BYTES ? new FoldMemory(length) : (usual ??= new FoldMemory(USUAL_BYTES))
  return { bytes: memory.folded, length: memory.fold(bytes, start, end, isPretty) }
}

/** Decodes the folded string `bytes[start, end)`. */
export function textOfFolded(bytes: Uint8Array, start: number, end: number): string {
  let length = end - start
  for (let i = start; i < end; i++)
    if (bytes[i] >= Placeholder.NUMBER) length += names[bytes[i] - Placeholder.NUMBER].length - 1
  const text = Bytes.allocUnsafe(length)
  let to = 0
  for (let i = start; i < end; i++) {
    if (bytes[i] < Placeholder.NUMBER) text[to++] = bytes[i]
    else for (const byte of names[bytes[i] - Placeholder.NUMBER]) text[to++] = byte
  }
  return decodeText(text, 0, length)
}

/** Compares the folded strings `bytes[a, aEnd)` and `bytes[b, bEnd)` as `compareText` compares their texts. */
export function compareFolded(bytes: Uint8Array, a: number, aEnd: number, b: number, bEnd: number): number {
  const length = Math.min(aEnd - a, bEnd - b)
  let i = 0
  while (i < length && bytes[a + i] === bytes[b + i]) i++
  work(1 + (i >>> 5))
  if (i === length) return aEnd - a - (bEnd - b)
  const left = bytes[a + i]
  const right = bytes[b + i]
  if (left < Placeholder.NUMBER && right < Placeholder.NUMBER) return left - right
  return compareText(textOfFolded(bytes, a + i, aEnd), textOfFolded(bytes, b + i, bEnd))
}

function collapsed(text: string, isPretty: boolean): string {
  const encoded = encodeText(text)
  const { bytes, length } = foldNumbers(encoded, 0, encoded.length, isPretty)
  return textOfFolded(bytes, 0, length)
}

/** Replaces every number by `<N>`. Digits that are not numbers by the definition of `numberEnd` are not changed. */
export function collapseNumbers(text: string): string {
  return collapsed(text, false)
}

/** Like `collapseNumbers`, but replaces known groups of numbers by `<UUID> <IP4> <TIME> <DATE> <DATETIME>`. */
export function collapseNumbersPretty(text: string): string {
  return collapsed(text, true)
}
