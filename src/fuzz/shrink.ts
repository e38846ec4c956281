import type { StoredRow } from '../data/index.ts'
import type { QueryParts } from './log-query.ts'
import { fewerFields, fewerRows, shrinkBy } from './shrink-by.ts'

export interface Failing extends QueryParts {
  readonly rows: readonly StoredRow[]
  readonly baseNs?: bigint | undefined
  readonly seals?: readonly number[] | undefined
  readonly batchRows?: number | undefined
}

/** Parts of a filter text that may do alone: its operands at blanks outside quotes and parentheses. */
function simplerFilters(filter: string): string[] {
  const parts: string[] = []
  let depth = 0
  let quote = ''
  let from = 0
  for (let i = 0; i < filter.length; i++) {
    const c = filter[i]
    if (quote !== '') {
      if (c === '\\') i++
      else if (c === quote) quote = ''
    } else if (c === '"') quote = c
    else if (c === '(') depth++
    else if (c === ')') depth--
    else if (c === ' ' && depth === 0) {
      parts.push(filter.slice(from, i))
      from = i + 1
    }
  }
  parts.push(filter.slice(from))
  const operands = parts.filter((part) => part !== '' && !/^(AND|OR|NOT)$/i.test(part))
  const inner = operands
    .filter((part) => /^[-!]?\(.*\)$/s.test(part))
    .map((part) => part.replace(/^[-!]?\(/, '').slice(0, -1))
  return ['*', ...(operands.length > 1 ? operands : []), ...inner]
}

/** Smaller versions of a failing case, the boldest first. */
function* smaller(failing: Failing): Generator<Failing> {
  if ((failing.options ?? '') !== '') yield { ...failing, options: '' }
  if (failing.batchRows !== undefined && failing.batchRows !== 4096) yield { ...failing, batchRows: 4096 }
  if (failing.seals !== undefined && failing.seals.length > 0) yield { ...failing, seals: [] }
  for (let i = 0; i < failing.pipes.length; i++) yield { ...failing, pipes: failing.pipes.toSpliced(i, 1) }
  if (failing.dialect === 'logsql') yield { ...failing, dialect: 'native' }
  for (const filter of simplerFilters(failing.filter)) if (filter !== failing.filter) yield { ...failing, filter }
  for (const rows of fewerRows(failing.rows)) yield { ...failing, rows }
  for (const rows of fewerFields(failing.rows)) yield { ...failing, rows }
}

/** Makes a failing case smaller as long as it fails; bounded by the number of attempts. */
export function shrink(
  failing: Failing,
  stillFails: (candidate: Failing) => Promise<boolean>,
  maxAttempts = 400,
): Promise<Failing> {
  return shrinkBy(smaller, failing, stillFails, maxAttempts)
}
