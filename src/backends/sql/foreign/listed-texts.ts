import type { ForeignValue } from './engine.ts'

/** Returns the texts of a list that a database gave as JSON; none when it listed nothing. */
export function listedTexts(json: ForeignValue | undefined): readonly string[] {
  return typeof json === 'string' ? ((JSON.parse(json) as readonly string[] | null) ?? []) : []
}
