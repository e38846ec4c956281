import { formatRfc3339 } from '../base/index.ts'
import { Instant, JsonText, toText, type Row, type Value } from '../data/index.ts'

/** Writes one row as a JSON object. */
export type RowPrinter = (row: Row) => string

function printValue(value: Value): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value)
    case 'number':
      return Number.isFinite(value) ? String(value) : 'null'
    case 'boolean':
      return value ? 'true' : 'false'
    case 'bigint':
      return String(value)
    default:
      if (value instanceof Instant) return `"${formatRfc3339(value.ns)}"`
      if (value instanceof JsonText) return value.json
      return 'null'
  }
}

/**
 * Numbers are JSON numbers, NaN and infinities `null`, integers beyond 2^53 exact literals, times RFC 3339 with nine
 * fraction digits, JSON values themselves. Names are remembered between rows of one answer.
 */
export function nativeRowPrinter(): RowPrinter {
  const names = new Map<string, string>()
  return (row) => {
    let text = '{'
    for (const [name, value] of row) {
      let printed = names.get(name)
      if (printed === undefined) names.set(name, (printed = `${JSON.stringify(name)}:`))
      text += text.length === 1 ? printed : `,${printed}`
      text += printValue(value)
    }
    return `${text}}`
  }
}

/** All values are text, and those that are missing or empty are left out. */
export function textRowPrinter(): RowPrinter {
  const names = new Map<string, string>()
  return (row) => {
    let text = '{'
    for (const [name, value] of row) {
      const shown = toText(value)
      if (shown === '') continue
      let printed = names.get(name)
      if (printed === undefined) names.set(name, (printed = `${JSON.stringify(name)}:`))
      text += text.length === 1 ? printed : `,${printed}`
      text += JSON.stringify(shown)
    }
    return `${text}}`
  }
}
