import type { ForeignValue } from './engine.ts'

/** Parses a JSON list of strings that a database returned. Returns an empty list for NULL and a missing value. */
export function listedTexts(json: ForeignValue | undefined): readonly string[] {
  return typeof json === 'string' ? ((JSON.parse(json) as readonly string[] | null) ?? []) : []
}
