import type { Interval } from '../../base/index.ts'
import { toNumber, valueAt, type Dictionary, type Value } from '../../data/index.ts'
import { MAX_KNOWN_TEXTS, type KnownFields } from '../../plan/index.ts'
import { epochTimeOf, rowAtTime, type Segment, type StoredColumn } from './segment.ts'

/** Adds the number of rows of each string to `texts`. Returns false if the column has too many strings. */
function addTexts({ column, counts }: StoredColumn, texts: Map<string, number>): boolean {
  const add = (text: unknown, rows: number): boolean => {
    if (typeof text !== 'string' || rows === 0) return true
    texts.set(text, (texts.get(text) ?? 0) + rows)
    return texts.size <= MAX_KNOWN_TEXTS
  }
  const held = column.kind === 'sparse' ? column.present : column
  if (held.kind === 'float64' || held.kind === 'int64' || held.kind === 'time') return true
  if (held.kind === 'constant') return add(held.value, held.length)
  if (held.kind === 'dictionary' && counts !== undefined && column.kind === 'dictionary') {
    for (let code = 1; code < counts.length; code++) {
      if (counts[code] > 0 && !add(held.dictionary.valueAt(code), counts[code])) return false
    }
    return true
  }
  for (let row = 0; row < held.length; row++) if (!add(valueAt(held, row), 1)) return false
  return true
}

/** Maximum number of values of a column that are searched for a text among numbers. */
const MOST_LOOKED_AT = 4096

function isStrayText(value: Value): boolean {
  return typeof value === 'string' && value !== '' && toNumber(value) === undefined
}

/**
 * True if the first values of a column, or of its dictionary, include a string that is not numeric. `seen` has
 * dictionaries that were already searched without finding any.
 */
function hasStrayText({ column }: StoredColumn, seen: Set<Dictionary>): boolean {
  const held = column.kind === 'sparse' ? column.present : column
  if (held.kind === 'float64' || held.kind === 'int64' || held.kind === 'time') return false
  if (held.kind === 'constant') return isStrayText(held.value)
  if (held.kind === 'dictionary') {
    const { dictionary } = held
    if (seen.has(dictionary)) return false
    seen.add(dictionary)
    const end = Math.min(dictionary.size, MOST_LOOKED_AT)
    for (let code = 1; code < end; code++) if (isStrayText(dictionary.valueAt(code))) return true
    return false
  }
  const end = Math.min(held.length, MOST_LOOKED_AT)
  for (let row = 0; row < end; row++) if (isStrayText(valueAt(held, row))) return true
  return false
}

/** Returns the number of rows in a time range. */
export function rowsInRange(segments: readonly Segment[], { startNs, endNs }: Interval): number {
  let rows = 0
  const start = epochTimeOf(startNs)
  const end = epochTimeOf(endNs)
  for (const segment of segments) rows += Math.max(0, rowAtTime(segment, end) - rowAtTime(segment, start))
  return rows
}

/** Maximum number of segments in files whose fields are examined. Each segment not read before costs a request. */
const MOST_FILES = 16

/** Returns the segments in memory and the newest segments in files, at most `MOST_FILES` of the latter. */
function soonAsked(segments: readonly Segment[]): readonly Segment[] {
  const inFiles = segments.filter((segment) => segment.followedBy !== undefined)
  if (inFiles.length <= MOST_FILES) return segments
  const newest = inFiles.toSorted((a, b) => b.epoch - a.epoch || b.lastDelta - a.lastDelta).slice(0, MOST_FILES)
  const isAsked = new Set(newest)
  return segments.filter((segment) => segment.followedBy === undefined || isAsked.has(segment))
}

/**
 * Does the same as `knownFieldsOf`, but if many segments are in files, examines only some of them. A field that is
 * missing from the result may still exist.
 */
export function soonKnownFields(
  segments: readonly Segment[],
  definition: { readonly timeField: string; readonly textField: string },
): KnownFields {
  const asked = soonAsked(segments)
  return knownFieldsOf(asked, definition, asked === segments)
}

/** Returns facts about the fields of segments, without the values of the time field and the text field. */
export function knownFieldsOf(
  segments: readonly Segment[],
  { timeField, textField }: { readonly timeField: string; readonly textField: string },
  isWhole = true,
): KnownFields {
  const rowsWith = ({ rowCount, columns }: Segment, field: string): number =>
    rowCount - (columns.get(field)?.missingCount ?? rowCount)
  return {
    rows: segments.reduce((sum, { rowCount }) => sum + rowCount, 0),
    isWhole,
    has: (field) => segments.some((segment) => rowsWith(segment, field) > 0),
    fields: () => {
      const fields = new Map<string, number>()
      for (const segment of segments) {
        for (const name of segment.columns.keys()) {
          const rows = rowsWith(segment, name)
          if (rows > 0) fields.set(name, (fields.get(name) ?? 0) + rows)
        }
      }
      return fields
    },
    hasStrayText: (field) => {
      const seen = new Set<Dictionary>()
      return segments.some(({ columns }) => {
        const stored = columns.get(field)
        return stored !== undefined && hasStrayText(stored, seen)
      })
    },
    texts: (field) => {
      if (field === timeField || field === textField) return undefined
      const texts = new Map<string, number>()
      for (const { columns } of segments) {
        const stored = columns.get(field)
        if (stored !== undefined && !addTexts(stored, texts)) return undefined
      }
      return texts
    },
  }
}
