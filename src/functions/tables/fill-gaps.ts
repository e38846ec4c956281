import { ROW_WORK, sortedBy, work, type Meter } from '../../base/index.ts'
import {
  bucketValue,
  compareGroupTuples,
  groupTupleText,
  Instant,
  rowBytes,
  toTimeNs,
  type Bucket,
  type MutableRow,
  type Row,
  type Value,
} from '../../data/index.ts'
import type { CompileTable, TableFunction } from '../definition.ts'
import { KeptRows } from './define.ts'

interface BucketParams {
  readonly kind: 'time' | 'calendar'
  readonly widthNs?: string
  readonly unit?: 'week' | 'month' | 'year'
  readonly offsetNs: string
  readonly zone: string | null
}

interface Params {
  readonly field: string
  readonly bucket: BucketParams
  /** Names of all group keys, including the bucket. */
  readonly keys: readonly string[]
  readonly results: readonly string[]
  /** Value of the result fields in added rows; `null` means a missing value. */
  readonly value: string | number | boolean | null
  /** Names of the result fields that are 0 in added rows if `value` is `null`. */
  readonly zeros: readonly string[]
}

/** Maximum number of buckets between the first and the last; further gaps are not filled. */
const MAX_BUCKETS = 100_000

function bucketOf({ kind, widthNs, unit, offsetNs, zone }: BucketParams): Bucket {
  const common = { offsetNs: BigInt(offsetNs), zone: zone ?? undefined }
  if (kind === 'calendar') return { kind, unit: unit ?? 'month', ...common }
  return { kind, widthNs: BigInt(widthNs ?? '1'), ...common }
}

/** Returns a step, ns, from the start of a bucket to an instant in the next bucket. */
function stepNs(bucket: Bucket): bigint {
  const dayNs = 86_400_000_000_000n
  if (bucket.kind === 'time') return bucket.widthNs
  if (bucket.kind !== 'calendar') return 1n
  return bucket.unit === 'week' ? 7n * dayNs : bucket.unit === 'month' ? 31n * dayNs : 366n * dayNs
}

/** Returns the starts of all buckets from the first to the last, both included. */
function startsBetween(first: bigint, last: bigint, bucket: Bucket): readonly bigint[] {
  const starts: bigint[] = []
  for (let start = first; start <= last && starts.length < MAX_BUCKETS;) {
    work(ROW_WORK)
    starts.push(start)
    // When clocks are set back, a step may end in the same bucket. It is then extended by half steps.
    let step = stepNs(bucket)
    let next = startOf(start + step, bucket)
    while (next <= start) {
      step += stepNs(bucket) / 2n + 1n
      next = startOf(start + step, bucket)
    }
    start = next
  }
  return starts
}

function startOf(ns: bigint, bucket: Bucket): bigint {
  const floored = bucketValue(new Instant(ns), bucket)
  return floored instanceof Instant ? floored.ns : ns
}

function filled(rows: readonly Row[], params: Params, meter: Meter): readonly Row[] {
  const { field, keys, results, value, zeros } = params
  const bucket = bucketOf(params.bucket)
  const others = keys.filter((name) => name !== field)
  let firstNs: bigint | undefined
  let lastNs: bigint | undefined
  const known = new Set<string>()
  const combinations = new Map<string, Row>()
  const textOf = (row: Row, names: readonly string[]): string => {
    work(ROW_WORK)
    return groupTupleText(names.map((name) => row.get(name) ?? null))
  }
  for (const row of rows) {
    const ns = toTimeNs(row.get(field) ?? null)
    if (ns !== undefined && (firstNs === undefined || ns < firstNs)) firstNs = ns
    if (ns !== undefined && (lastNs === undefined || ns > lastNs)) lastNs = ns
    known.add(textOf(row, keys))
    combinations.set(textOf(row, others), row)
  }
  if (firstNs === undefined || lastNs === undefined) return rows
  const starts = startsBetween(firstNs, lastNs, bucket)
  const all = [...rows]
  for (const sample of combinations.values()) {
    for (const start of starts) {
      const row: MutableRow = new Map(
        keys.map((name): [string, Value] => [name, name === field ? new Instant(start) : (sample.get(name) ?? null)]),
      )
      if (known.has(textOf(row, keys))) continue
      for (const name of results) row.set(name, value ?? (zeros.includes(name) ? 0 : null))
      meter.charge(rowBytes(row))
      all.push(row)
    }
  }
  const keysOf = (row: Row): readonly Value[] => keys.map((name) => row.get(name) ?? null)
  return sortedBy(all, (a, b) => {
    work(ROW_WORK)
    return compareGroupTuples(keysOf(a), keysOf(b))
  })
}

export const fillGaps: TableFunction = {
  name: 'fill_gaps',
  doc: {
    summary: 'Rows for the time buckets that have none, between the first and the last that have one.',
    parameters: [{ name: 'value', text: 'what results are there; counts and sums are 0 unless given, others missing' }],
    examples: [{ query: 'level:error | stats by (_time:1h fill) count() n' }],
  },
}

export const compileFillGaps: CompileTable<Params> = (params, { meter }) =>
  new KeptRows(meter, (rows) => filled(rows, params, meter))
