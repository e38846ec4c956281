import type { Codes } from './dictionary.ts'
import { constantColumn, type Column } from './column.ts'

function sameConstant(chunks: readonly Column[]): boolean {
  const [first] = chunks
  return first.kind === 'constant' && chunks.every((chunk) => chunk.kind === 'constant' && chunk.value === first.value)
}

/**
 * Concatenates columns. Codes of one dictionary and plain numbers are copied into one array. Other columns are not
 * copied: the result refers to them.
 */
export function concatColumns(chunks: readonly Column[]): Column {
  const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0)
  const [first] = chunks
  if (first === undefined) return constantColumn(null, 0)
  if (chunks.length === 1) return first
  if (first.kind === 'constant' && sameConstant(chunks)) return constantColumn(first.value, length)
  if (first.kind === 'dictionary') {
    const codes = concatCodes(chunks, length)
    if (codes !== undefined) return { kind: 'dictionary', length, codes, dictionary: first.dictionary }
  }
  if (first.kind === 'float64' && chunks.every((chunk) => chunk.kind === 'float64' && chunk.validity === undefined)) {
    const values = new Float64Array(length)
    let at = 0
    for (const chunk of chunks) {
      if (chunk.kind === 'float64') values.set(chunk.values, at)
      at += chunk.length
    }
    return { kind: 'float64', length, values, validity: undefined }
  }
  const starts = new Uint32Array(chunks.length)
  let at = 0
  chunks.forEach((chunk, index) => {
    starts[index] = at
    at += chunk.length
  })
  return { kind: 'chunked', length, starts, chunks }
}

function concatCodes(chunks: readonly Column[], length: number): Codes | undefined {
  const [first] = chunks
  let width = 1
  for (const chunk of chunks) {
    if (chunk.kind !== 'dictionary' || first.kind !== 'dictionary' || chunk.dictionary !== first.dictionary)
      return undefined
    width = Math.max(width, chunk.codes.BYTES_PER_ELEMENT)
  }
  const codes = width === 1 ? new Uint8Array(length) : width === 2 ? new Uint16Array(length) : new Uint32Array(length)
  let at = 0
  for (const chunk of chunks) {
    if (chunk.kind === 'dictionary') codes.set(chunk.codes, at)
    at += chunk.length
  }
  return codes
}
