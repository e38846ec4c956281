import type { MutableRow } from '../../data/index.ts'
import { requestFields } from './requests.ts'
import { rowOf, setText } from './form.ts'

const LABEL = /^([A-Za-z_][\w.-]{0,127}):(.*)$/s
/** The minimum number of labels; a line with fewer may be text with tabs. */
const MIN_LABELS = 3
/** Reads labelled tab-separated values: `time:…<tab>host:…<tab>status:200`. Returns `undefined` for other lines. */
export function readLtsv(line: string): MutableRow | undefined {
  if (!line.includes('\t')) return undefined
  const row: MutableRow = new Map()
  for (const field of line.split('\t')) {
    const found = LABEL.exec(field)
    if (found === null) return undefined
    const [, name = '', value = ''] = found
    if (value !== '' && value !== '-') row.set(name, value)
  }
  if (row.size < MIN_LABELS) return undefined
  const request = row.get('req') ?? row.get('request')
  for (const [name, value] of rowOf(requestFields(typeof request === 'string' ? request : undefined)))
    if (!row.has(name)) row.set(name, value)
  setText(row, line)
  return row
}
