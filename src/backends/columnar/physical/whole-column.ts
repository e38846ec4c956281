import {
  concatColumns,
  createBitmap,
  hasBit,
  setBit,
  setRange,
  type Bitmap,
  type Codes,
  type Column,
} from '../../../data/index.ts'

/** Columns below one another: copied side by side where they are of one kind or missing; else one that refers to `parts`. */
export function wholeColumn(parts: readonly Column[]): Column {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  return wholeNumbers(parts, length) ?? wholeTimes(parts, length) ?? wholeCodes(parts, length) ?? concatColumns(parts)
}

const isMissing = (part: Column): boolean => part.kind === 'constant' && part.value === null

/** Which rows are there; a bitmap is made when the first is missing. */
class Presence {
  readonly #length: number
  #bits: Bitmap | undefined
  /** Rows told so far. */
  #at = 0

  constructor(length: number) {
    this.#length = length
  }

  get bits(): Bitmap | undefined {
    return this.#bits
  }

  add(rowCount: number, validity: Bitmap | undefined): void {
    if (validity === undefined) {
      if (this.#bits !== undefined) setRange(this.#bits, this.#at, this.#at + rowCount)
    } else {
      const bits = this.#made()
      for (let row = 0; row < rowCount; row++) if (hasBit(validity, row)) setBit(bits, this.#at + row)
    }
    this.#at += rowCount
  }

  addMissing(rowCount: number): void {
    this.#made()
    this.#at += rowCount
  }

  #made(): Bitmap {
    if (this.#bits === undefined) {
      this.#bits = createBitmap(this.#length)
      setRange(this.#bits, 0, this.#at)
    }
    return this.#bits
  }
}

function wholeNumbers(parts: readonly Column[], length: number): Column | undefined {
  const isNumber = (part: Column): boolean =>
    part.kind === 'float64' || (part.kind === 'constant' && typeof part.value === 'number')
  if (!parts.some(isNumber) || !parts.every((part) => isNumber(part) || isMissing(part))) return undefined
  const values = new Float64Array(length)
  const presence = new Presence(length)
  let at = 0
  for (const part of parts) {
    if (part.kind === 'float64') {
      values.set(part.values, at)
      presence.add(part.length, part.validity)
    } else if (part.kind === 'constant' && typeof part.value === 'number') {
      values.fill(part.value, at, at + part.length)
      presence.add(part.length, undefined)
    } else {
      values.fill(NaN, at, at + part.length)
      presence.addMissing(part.length)
    }
    at += part.length
  }
  return { kind: 'float64', length, values, validity: presence.bits }
}

/** Times of parts that count from different instants, while all of them are within 2^53 of the least. */
function wholeTimes(parts: readonly Column[], length: number): Column | undefined {
  let baseNs: bigint | undefined
  for (const part of parts) {
    if (part.kind === 'time') {
      if (baseNs === undefined || part.baseNs < baseNs) baseNs = part.baseNs
    } else if (!isMissing(part)) return undefined
  }
  if (baseNs === undefined) return undefined
  const deltas = new Float64Array(length)
  const presence = new Presence(length)
  let at = 0
  for (const part of parts) {
    if (part.kind === 'time') {
      const shift = Number(part.baseNs - baseNs)
      for (let row = 0; row < part.length; row++) {
        const delta = part.deltas[row] + shift
        if (delta > Number.MAX_SAFE_INTEGER) return undefined
        deltas[at + row] = delta
      }
      presence.add(part.length, part.validity)
    } else {
      deltas.fill(NaN, at, at + part.length)
      presence.addMissing(part.length)
    }
    at += part.length
  }
  return { kind: 'time', length, baseNs, deltas, validity: presence.bits }
}

/** Codes of one dictionary; code 0 is missing. */
function wholeCodes(parts: readonly Column[], length: number): Column | undefined {
  const first = parts.find((part) => part.kind === 'dictionary')
  if (first === undefined) return undefined
  const { dictionary } = first
  let width = 1
  for (const part of parts) {
    if (part.kind === 'dictionary' && part.dictionary === dictionary) {
      width = Math.max(width, part.codes.BYTES_PER_ELEMENT)
    } else if (!isMissing(part)) return undefined
  }
  const codes: Codes =
    width === 1 ? new Uint8Array(length) : width === 2 ? new Uint16Array(length) : new Uint32Array(length)
  let at = 0
  for (const part of parts) {
    if (part.kind === 'dictionary') codes.set(part.codes, at)
    at += part.length
  }
  return { kind: 'dictionary', length, codes, dictionary }
}
