import { Instant, JsonText, type StoredRow, type Value } from '../data/index.ts'

/** A kept failure: what runs ever after. */
export interface CaseFile {
  readonly oracle: string
  readonly filter: string
  readonly pipes: readonly string[]
  readonly rows: readonly StoredRow[]
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
  return `${JSON.stringify({ oracle: found.oracle, filter: found.filter, pipes: found.pipes, rows }, null, 1)}\n`
}

export function readCase(text: string): CaseFile {
  const parsed = JSON.parse(text) as {
    oracle: string
    filter: string
    pipes: string[]
    rows: { timeNs: string; row: [string, unknown][] }[]
  }
  const rows = parsed.rows.map(({ timeNs, row }, sequence) => ({
    timeNs: BigInt(timeNs),
    sequence,
    row: new Map(row.map(([name, value]) => [name, untagged(value)])),
  }))
  return { oracle: parsed.oracle, filter: parsed.filter, pipes: parsed.pipes, rows }
}
