import type { Codes } from './dictionary.ts'
import { constantColumn, type Column } from './column.ts'

function sameConstant(parts: readonly Column[]): boolean {
  const [first] = parts
  return first.kind === 'constant' && parts.every((part) => part.kind === 'constant' && part.value === first.value)
}

/**
 * Concatenates columns. Codes of one dictionary and plain numbers are copied into one array. Other columns are not
 * copied: the result refers to them.
 */
export function concatColumns(parts: readonly Column[]): Column {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  const [first] = parts
  if (first === undefined) return constantColumn(null, 0)
  if (parts.length === 1) return first
  if (first.kind === 'constant' && sameConstant(parts)) return constantColumn(first.value, length)
  if (first.kind === 'dictionary') {
    const codes = concatCodes(parts, length)
    if (codes !== undefined) return { kind: 'dictionary', length, codes, dictionary: first.dictionary }
  }
  if (first.kind === 'float64' && parts.every((part) => part.kind === 'float64' && part.validity === undefined)) {
    const values = new Float64Array(length)
    let at = 0
    for (const part of parts) {
      if (part.kind === 'float64') values.set(part.values, at)
      at += part.length
    }
    return { kind: 'float64', length, values, validity: undefined }
  }
  const starts = new Uint32Array(parts.length)
  let at = 0
  parts.forEach((part, index) => {
    starts[index] = at
    at += part.length
  })
  return { kind: 'chunked', length, starts, parts }
}

function concatCodes(parts: readonly Column[], length: number): Codes | undefined {
  const [first] = parts
  let width = 1
  for (const part of parts) {
    if (part.kind !== 'dictionary' || first.kind !== 'dictionary' || part.dictionary !== first.dictionary)
      return undefined
    width = Math.max(width, part.codes.BYTES_PER_ELEMENT)
  }
  const codes = width === 1 ? new Uint8Array(length) : width === 2 ? new Uint16Array(length) : new Uint32Array(length)
  let at = 0
  for (const part of parts) {
    if (part.kind === 'dictionary') codes.set(part.codes, at)
    at += part.length
  }
  return codes
}
