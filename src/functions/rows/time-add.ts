import { clampNs, formatRfc3339 } from '../../base/index.ts'
import { Instant, toTimeNs } from '../../data/index.ts'
import type { CompileRow, RowFunction } from '../definition.ts'

export const timeAdd: RowFunction = {
  name: 'time_add',
  fieldParams: ['field'],
  doc: {
    summary: 'Moves a time.',
    parameters: [
      { name: 'duration', text: 'how far; backwards when negative' },
      { name: 'at', text: 'field with the time' },
    ],
    examples: [{ query: '* | time_add -1h | fields _time | limit 3' }],
  },
}

export const compileTimeAdd: CompileRow<{ readonly field: string; readonly offsetNs: string }> = ({
  field,
  offsetNs,
}) => {
  const offset = BigInt(offsetNs)
  return (row) => {
    const value = row.get(field) ?? null
    const ns = toTimeNs(value)
    if (ns === undefined) return row
    const moved = clampNs(ns + offset)
    return row.set(field, value instanceof Instant ? new Instant(moved) : formatRfc3339(moved, true))
  }
}
