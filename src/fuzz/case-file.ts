import { Instant, JsonText, type StoredRow, type Value } from '../data/index.ts'
import type { QueryParts } from './log-query.ts'

/** A kept failure: what runs ever after. */
export interface CaseFile extends QueryParts {
  readonly oracle: string
  readonly rows: readonly StoredRow[]
  /** The middle of the data, that of all data unless given. */
  readonly baseNs?: bigint | undefined
  /** Places in the rows at which what came before is sealed; the middle unless given. */
  readonly seals?: readonly number[] | undefined
  readonly batchRows?: number | undefined
}

interface TaggedValue {
  readonly [tag: string]: unknown
}

function tagged(value: Value): unknown {
  if (typeof value === 'bigint') return { integer: String(value) }
  if (typeof value === 'number' && !Number.isFinite(value)) return { number: String(value) }
  if (value instanceof Instant) return { time: String(value.ns) }
  return value instanceof JsonText ? { json: value.json } : value
}

function untagged(value: unknown): Value {
  if (value === null || typeof value !== 'object') return value as Value
  const tag = value as TaggedValue
  if (typeof tag['integer'] === 'string') return BigInt(tag['integer'])
  if (typeof tag['number'] === 'string') return Number(tag['number'])
  if (typeof tag['time'] === 'string') return new Instant(BigInt(tag['time']))
  return new JsonText(String(tag['json']))
}

export function printCase(found: CaseFile): string {
  const rows = found.rows.map(({ timeNs, row }) => ({
    timeNs: String(timeNs),
    row: [...row].map(([name, value]) => [name, tagged(value)]),
  }))
  const { oracle, options, filter, pipes, dialect, baseNs, seals, batchRows } = found
  const written = {
    oracle,
    options,
    filter,
    pipes,
    dialect,
    baseNs: baseNs === undefined ? undefined : String(baseNs),
    seals,
    batchRows,
    rows,
  }
  return `${JSON.stringify(written, null, 1)}\n`
}

export function readCase(text: string): CaseFile {
  const {
    rows: stored,
    baseNs,
    ...rest
  } = JSON.parse(text) as Omit<CaseFile, 'rows' | 'baseNs'> & {
    baseNs?: string
    rows: { timeNs: string; row: [string, unknown][] }[]
  }
  const rows = stored.map(({ timeNs, row }, sequence) => ({
    timeNs: BigInt(timeNs),
    sequence,
    row: new Map(row.map(([name, value]) => [name, untagged(value)])),
  }))
  return { ...rest, ...(baseNs === undefined ? {} : { baseNs: BigInt(baseNs) }), rows }
}
