import { oncePer, work } from '../../base/index.ts'
import {
  fieldTerm,
  hashName,
  hashValue,
  recordHashOf,
  valueAt,
  type Column,
  type Dictionary,
} from '../../data/index.ts'

/**
 * Caches the hashes of dictionary entries by code; 0 is a hash that is not computed yet. Entries never change, so
 * cached hashes stay valid.
 */
const entryHashes = oncePer((dictionary: Dictionary) => ({ hashes: new Uint32Array(dictionary.size) }))

function hashAt(column: Column, row: number): number {
  if (column.kind !== 'dictionary') return hashValue(valueAt(column, row))
  const { codes, dictionary } = column
  const known = entryHashes(dictionary)
  const code = codes[row] ?? 0
  if (code >= known.hashes.length) {
    const wider = new Uint32Array(dictionary.size)
    wider.set(known.hashes)
    known.hashes = wider
  }
  const { hashes } = known
  return hashes[code] === 0 ? (hashes[code] = hashValue(dictionary.valueAt(code))) : (hashes[code] ?? 0)
}

/** Returns a function that computes the sampling hash of a record from its values in these columns. */
export function recordIdentity(columns: ReadonlyMap<string, Column>): (row: number) => number {
  let fields: readonly (readonly [nameHash: number, column: Column])[] | undefined
  return (row) => {
    fields ??= Array.from(columns, ([name, column]) => [hashName(name), column] as const)
    work(fields.length)
    let sum = 0
    for (const [nameHash, column] of fields) sum = (sum + fieldTerm(nameHash, hashAt(column, row))) | 0
    return recordHashOf(sum)
  }
}
