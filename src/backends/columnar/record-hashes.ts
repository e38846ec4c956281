import { oncePer, work } from '../../base/index.ts'
import {
  fieldTerm,
  firstRowFrom,
  hashBytes,
  hashName,
  hashNumber,
  hashSeed,
  hashTime,
  hashValue,
  hasBit,
  recordHashOf,
  valueAt,
  valueTag,
  type Column,
  type Dictionary,
  type SparseColumn,
  type TimeColumn,
} from '../../data/index.ts'

/** Rows whose hashes are worked out together, about a millisecond of work. */
const BLOCK_ROWS = 4096

/** Hashes of the entries of a dictionary by code, each worked out when it is first met; entries never change. */
class EntryHashes {
  readonly #dictionary: Dictionary
  #hashes = new Uint32Array(64)

  constructor(dictionary: Dictionary) {
    this.#dictionary = dictionary
  }

  at(code: number): number {
    if (code === 0) return 0
    const known = code < this.#hashes.length ? this.#hashes[code] : 0
    return known === 0 ? this.#add(code) : known
  }

  #add(code: number): number {
    const { size, tags, bytes, offsets } = this.#dictionary
    if (code >= this.#hashes.length) {
      const grown = new Uint32Array(Math.max(size, this.#hashes.length * 2))
      grown.set(this.#hashes)
      this.#hashes = grown
    }
    const hash =
      tags[code] === valueTag.text
        ? hashText(bytes, offsets[code], offsets[code + 1])
        : hashValue(this.#dictionary.valueAt(code))
    this.#hashes[code] = hash
    return hash
  }
}

const entryHashes = oncePer((dictionary: Dictionary) => new EntryHashes(dictionary))

function hashText(bytes: Uint8Array, start: number, end: number): number {
  return start === end ? 0 : hashBytes(hashSeed.text, bytes, start, end)
}

const WORD = 4294967296

function timeHasher({ baseNs, deltas, validity }: TimeColumn): (row: number) => number {
  const baseLow = Number(BigInt.asUintN(32, baseNs))
  const baseHigh = Number(BigInt.asIntN(32, baseNs >> 32n))
  return (row) => {
    if (validity !== undefined && !hasBit(validity, row)) return 0
    const delta = deltas[row]
    const low = baseLow + (delta >>> 0)
    return hashTime(baseHigh + Math.floor(delta / WORD) + (low >= WORD ? 1 : 0), low)
  }
}

/** The hash of the value of a row; 0 where it is missing. */
function hasherOf(column: Column): (row: number) => number {
  switch (column.kind) {
    case 'constant': {
      const hash = hashValue(column.value)
      return () => hash
    }
    case 'dictionary': {
      const { codes, dictionary } = column
      const entries = entryHashes(dictionary)
      return (row) => entries.at(codes[row])
    }
    case 'text': {
      const { bytes, offsets, validity } = column
      return (row) =>
        validity === undefined || hasBit(validity, row) ? hashText(bytes, offsets[row], offsets[row + 1]) : 0
    }
    case 'float64': {
      const { values, validity } = column
      return (row) => (validity === undefined || hasBit(validity, row) ? hashNumber(values[row]) : 0)
    }
    case 'time':
      return timeHasher(column)
    default:
      return (row) => hashValue(valueAt(column, row))
  }
}

/** Adds the terms of one field to the sums of the rows from `from` on. */
type AddTerms = (from: number, sums: Int32Array) => void

function addDense(nameHash: number, column: Column): AddTerms {
  const hashAt = hasherOf(column)
  return (from, sums) => {
    work(sums.length >> 3)
    for (let i = 0; i < sums.length; i++) sums[i] += fieldTerm(nameHash, hashAt(from + i))
  }
}

function addSparse(nameHash: number, { rows, present }: SparseColumn<Column>): AddTerms {
  const hashAt = hasherOf(present)
  return (from, sums) => {
    const end = from + sums.length
    work(1)
    for (let at = firstRowFrom(rows, from); at < rows.length && rows[at] < end; at++)
      sums[rows[at] - from] += fieldTerm(nameHash, hashAt(at))
  }
}

/** `recordHash` of records from their columns, worked out by the block and kept. */
class RecordHashes {
  readonly #columns: ReadonlyMap<string, Column>
  readonly #hashes: Uint32Array
  #fields: readonly AddTerms[] | undefined

  constructor(columns: ReadonlyMap<string, Column>, rowCount: number) {
    this.#columns = columns
    this.#hashes = new Uint32Array(rowCount)
  }

  at(row: number): number {
    const known = this.#hashes[row]
    return known === 0 ? this.#add(row) : known
  }

  #add(row: number): number {
    const from = row - (row % BLOCK_ROWS)
    const sums = new Int32Array(Math.min(BLOCK_ROWS, this.#hashes.length - from))
    this.#fields ??= Array.from(this.#columns, ([name, column]) =>
      column.kind === 'sparse' ? addSparse(hashName(name), column) : addDense(hashName(name), column),
    )
    for (const addTerms of this.#fields) addTerms(from, sums)
    for (let i = 0; i < sums.length; i++) this.#hashes[from + i] = recordHashOf(sums[i])
    return this.#hashes[row]
  }
}

/** What the records that columns hold are sampled by; nothing is made before the first is asked for. */
export function recordIdentity(columns: ReadonlyMap<string, Column>, rowCount: number): (row: number) => number {
  let hashes: RecordHashes | undefined
  return (row) => (hashes ??= new RecordHashes(columns, rowCount)).at(row)
}
