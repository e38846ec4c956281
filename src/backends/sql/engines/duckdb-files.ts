import type { ForeignColumn } from '../foreign/engine.ts'
import type { ForeignFormat, ForeignSource } from '../foreign/source.ts'
import { TYPE_SAMPLE_ROWS } from '../tuning.ts'

type Files = ForeignSource & { readonly kind: 'files' }

/**
 * Writes a statement that returns the first rows of files, every value as a string. Column types are guessed from these
 * strings.
 */
export function sampleStatement(source: Files, read: string, columns: readonly ForeignColumn[]): string {
  if (source.format === 'csv') {
    const texts = read.replace(/auto_type_candidates = \[[^\]]*\]/, 'all_varchar = true')
    return `SELECT * FROM ${texts} LIMIT ${TYPE_SAMPLE_ROWS}`
  }
  const texts = columns.map(({ name }) => `CAST("${name.replaceAll('"', '""')}" AS VARCHAR)`)
  return `SELECT ${texts.join(', ')} FROM ${read} LIMIT ${TYPE_SAMPLE_ROWS}`
}

const ZONELESS = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(?:\.\d{1,9})?$/
/** Matches numbers with more digits than a double keeps in every case. */
const WIDE_NUMBER = /^[+-]?\d{16,}$/
/**
 * Matches the parts of a type that change how a string looks, such as `DATE`. Also matches quoted names, so that they
 * can be left unchanged.
 */
const CHANGING = /"(?:[^"]|"")*"|\b(?:UUID|DATE|TIME|JSON)\b(?=[,)[]|$)/g

function typeOf({ type }: ForeignColumn, format: ForeignFormat, samples: readonly string[]): string {
  const isTime = samples.length > 0 && samples.every((sample) => ZONELESS.test(sample))
  if (type === 'VARCHAR' && isTime) return 'TIMESTAMP_NS'
  if (format === 'csv')
    return type === 'DOUBLE' && samples.some((sample) => WIDE_NUMBER.test(sample)) ? 'VARCHAR' : type
  if (type === 'JSON' && samples.every((sample) => sample.startsWith('{'))) return type
  return type.replaceAll(CHANGING, (word) => (word.startsWith('"') ? word : 'VARCHAR'))
}

/**
 * Returns the types with which columns of files must be read, by column name; guessed from strings in the first rows.
 */
export function typesOfFiles(
  { format }: Files,
  columns: readonly ForeignColumn[],
  rows: readonly (readonly unknown[])[],
): Readonly<Record<string, string>> {
  const found = columns.map((column, i) => {
    const samples = rows.map((row) => row[i]).filter((value) => typeof value === 'string')
    return [column.name, typeOf(column, format, samples), column.type] as const
  })
  // A CSV reader knows the columns from the first line and needs only the types that differ from its guess. A JSON
  // reader needs all types.
  const retyped = format === 'csv' ? found.filter(([, type, guessed]) => type !== guessed) : found
  return Object.fromEntries(retyped.map(([name, type]) => [name, type]))
}

export const WILDCARD = /[*?[{]/

/**
 * Returns a clear reason if files do not exist, which DuckDB reports as a missing permission. `undefined` for other
 * errors.
 */
export function missingReason({ paths }: Files, reason: string): string | undefined {
  if (!/^Permission Error|No files found that match/.test(reason)) return undefined
  return paths.some((path) => WILDCARD.test(path)) ? 'no file matches' : 'there is no such file'
}
