import type { MutableRow, TimeContext } from '../../data/index.ts'
import { instantOf, rowOf } from './form.ts'
import { wholeOf } from './cursor.ts'
import { MAX_TEXT_COLUMNS } from '../tuning.ts'

/** Columns of IIS, CloudFront and other W3C extended logs, with the names of their fields. */
const COLUMNS: ReadonlyMap<string, string> = new Map([
  ['c-ip', 'client'],
  ['cs-method', 'method'],
  ['cs-uri-stem', 'path'],
  ['cs-uri-query', 'query'],
  ['cs-username', 'user'],
  ['cs(User-Agent)', 'user_agent'],
  ['cs(Referer)', 'referrer'],
  ['cs-host', 'host'],
  ['cs(Host)', 'host'],
  ['cs-version', 'protocol'],
  ['cs-protocol-version', 'protocol'],
  ['sc-status', 'status'],
  ['sc-bytes', 'bytes'],
  ['cs-bytes', 'received_bytes'],
  ['time-taken', 'duration_ms'],
  ['s-ip', 'server'],
])

/** The types of Zeek whose values are numbers. */
const ZEEK_NUMBERS: ReadonlySet<string> = new Set(['count', 'int', 'double', 'interval', 'port'])

/** Reads W3C extended logs and logs of Zeek. A line `#Fields:` or `#fields` names the columns of the lines after it. */
export class ExtendedLog {
  #columns: readonly string[] = []
  #isSeconds = false
  /** The types of the columns in a log of Zeek; `undefined` for other logs. */
  #types: readonly string[] | undefined

  get hasColumns(): boolean {
    return this.#columns.length > 0
  }

  /**
   * Returns the row of a line; `true` if the line describes the log itself; `undefined` if the line does not belong to
   * such a log.
   */
  read(line: string, context: TimeContext): MutableRow | true | undefined {
    if (line.startsWith('#')) {
      if (line.startsWith('#Fields: ')) {
        this.#types = undefined
        this.#columns = line
          .slice(9, 16_384)
          .trim()
          .split(/[ \t]+/)
          .slice(0, MAX_TEXT_COLUMNS)
        // CloudFront writes seconds, IIS milliseconds.
        this.#isSeconds = this.#columns.includes('x-edge-location')
        return true
      }
      const [mark, ...values] = line.slice(0, 16_384).split('\t')
      if (mark === '#fields') {
        this.#columns = values.slice(0, MAX_TEXT_COLUMNS)
        this.#types = []
        return true
      }
      if (mark === '#types') this.#types = values
      if (/^#(?:separator |set_separator|empty_field|unset_field|path|open|close|types)/.test(line)) return true
      return /^#(?:Version|Software|Date|Start-Date|End-Date|Remark): /.test(line) ? true : undefined
    }
    if (this.#columns.length === 0) return undefined
    const values = line.split(line.includes('\t') ? '\t' : ' ')
    if (values.length !== this.#columns.length) return undefined
    if (this.#types !== undefined) return this.#zeekRow(values, this.#types, context)
    const named = new Map(this.#columns.map((name, i) => [name, values[i] ?? '-'] as const))
    const time = instantOf(`${named.get('date') ?? ''}T${named.get('time') ?? ''}`, context)
    if (time === undefined) return undefined
    const row = rowOf({ _time: time })
    for (const [name, value] of named) {
      if (value === '-' || name === 'date' || name === 'time') continue
      const field = COLUMNS.get(name) ?? name
      row.set(field, this.#valueOf(field, value))
    }
    return row
  }

  #zeekRow(values: readonly string[], types: readonly string[], context: TimeContext): MutableRow | undefined {
    const row: MutableRow = new Map()
    for (const [i, name] of this.#columns.entries()) {
      const value = values[i] ?? '-'
      if (value === '-' || value === '(empty)') continue
      if (types[i] === 'time' && name === 'ts') row.set('_time', instantOf(value, context) ?? value)
      else row.set(name, ZEEK_NUMBERS.has(types[i] ?? '') && Number.isFinite(Number(value)) ? Number(value) : value)
    }
    return row.has('_time') ? row : undefined
  }

  #valueOf(field: string, value: string): string | number {
    if (field === 'duration_ms' && this.#isSeconds) return Math.round(Number(value) * 1e6) / 1e3
    if (field === 'status' || field === 'bytes' || field === 'received_bytes' || field === 'duration_ms')
      return wholeOf(value) ?? value
    return field === 'user_agent' ? value.replaceAll('+', ' ').replaceAll('%20', ' ') : value
  }
}
