import type { ForeignValue } from './engine.ts'

/** The texts of a list that a database gave as JSON; none where it listed nothing. */
export function listedTexts(json: ForeignValue | undefined): readonly string[] {
  return typeof json === 'string' ? ((JSON.parse(json) as readonly string[] | null) ?? []) : []
}
