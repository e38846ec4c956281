import { Instant, JsonText, toText, type StoredRow, type Value } from '../../../src/data/index.ts'
import { formatRfc3339 } from '../../../src/base/index.ts'
import type { RecordCatalog } from '../../../src/plan/index.ts'

/** Field that a search without a field name looks into. The generators call it `content`. */
export const TEXT_FIELD = '_msg'
export const STREAM_FIELDS = ['workload', 'namespace', 'cluster'] as const

/** The only table of a comparison. Its field names are those of the reference implementation. */
export const catalog: RecordCatalog = {
  tables: new Map([
    [
      'logs',
      {
        name: 'logs',
        schema: { fields: [], isOpen: true },
        timeField: '_time',
        textField: TEXT_FIELD,
        aliases: new Map(),
        streamFields: STREAM_FIELDS,
        domain: 'logs',
      },
    ],
  ]),
  defaultTable: 'logs',
}

/** Replaces the generators' name of the text field with that of the reference implementation. */
export function renamed(text: string): string {
  return text.replaceAll(/\bcontent\b/g, TEXT_FIELD)
}

/**
 * Formats a value as JSON. A number whose JSON form differs from its string form becomes a string. Returns `undefined`
 * for a missing value.
 */
function jsonOf(value: Value): string | undefined {
  if (value === null) return undefined
  if (value instanceof JsonText) return value.json
  if (value instanceof Instant) return JSON.stringify(formatRfc3339(value.ns))
  // An unpaired surrogate has no UTF-8 form.
  if (typeof value === 'string') return JSON.stringify(value.toWellFormed())
  const text = toText(value)
  if (typeof value === 'number' && !(Number.isFinite(value) && String(value) === text)) return JSON.stringify(text)
  return text
}

/**
 * Returns rows as JSON lines. `noMessage` is the message of rows without one; otherwise the reference implementation
 * would insert its own.
 */
export function jsonLinesOf(rows: readonly StoredRow[], noMessage?: string): string {
  const lines = rows.map(({ row }) => {
    const members = [...row].flatMap(([name, value]) => {
      const json = jsonOf(value)
      return json === undefined || json === '""' ? [] : [`${JSON.stringify(renamed(name))}:${json}`]
    })
    const hasMessage = members.some((member) => member.startsWith(`"${TEXT_FIELD}":`))
    if (!hasMessage && noMessage !== undefined) members.push(`"${TEXT_FIELD}":${JSON.stringify(noMessage)}`)
    return `{${members.join(',')}}\n`
  })
  return lines.join('')
}
