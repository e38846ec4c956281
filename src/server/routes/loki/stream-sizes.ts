import { ENTRY_BYTES, type Interval } from '../../../base/index.ts'
import { Instant, isEmptyValue, parseStreamName, rowBytes, toText, type Row } from '../../../data/index.ts'
import { labelName, lowerSelector, type LogQuery, type LogqlTable } from '../../../lang/logql/index.ts'
import { column, countRows, type AggregateCall, type LogicalPlan } from '../../../plan/index.ts'
import type { LokiCall } from './define-loki-routes.ts'
import { budgetOf, eachRow } from '../../search/collect.ts'
import { stepOf } from '../../search/fields/questions.ts'
import { lokiTable, rowsFor } from './source.ts'

/** A stream with its number of entries and bytes, in a range or in one step. */
export interface StreamSize {
  readonly labels: Readonly<Record<string, string>>
  readonly entries: number
  readonly bytes: number
  /** Start of the step, ns since 1970; 0 for a whole range. */
  readonly fromNs: bigint
}

const AT = '__at__'
const COUNT = '__count__'
const BYTES = '__bytes__'

/** Options for counting the entries of streams. */
interface Counting {
  /** Width of the steps, ns. Default: one step for the whole range. */
  readonly stepNs?: bigint | undefined
  /** True to sum the lengths of the lines, for which the lines must be read. */
  readonly hasBytes?: boolean
  /** Labels that distinguish streams; all by default. Counted streams may lack all other labels. */
  readonly labels?: readonly string[] | undefined
}

function sizesPlan(
  query: LogQuery | undefined,
  table: LogqlTable,
  discovered: LogqlTable['discovered'],
  { stepNs, hasBytes = false, labels }: Counting,
): LogicalPlan {
  const input = lowerSelector(query, table)
  const { origin } = input
  const rows = countRows(origin)
  const bytes: AggregateCall = { ...rows, fn: 'sum_len', args: [column(table.textField, origin)] }
  // Labels are discovered in the groups, because there are fewer groups than rows.
  const fields = new Set(discovered.flatMap((label) => label.fields))
  return {
    kind: 'aggregate',
    input,
    keys: [
      ...(stepNs === undefined
        ? []
        : [{ name: AT, expr: stepOf(table.timeField, stepNs, 0n, origin), type: 'time' as const }]),
      // A discovered label that was sent with a stream is also in a field of its name.
      ...(labels?.every((name) => discovered.some(({ label }) => label === name)) === true
        ? []
        : [{ name: '_stream', expr: column('_stream', origin), type: 'string' as const }]),
      ...[...fields].map((name) => ({ name, expr: column(name, origin), type: 'any' as const })),
    ],
    aggregates: [
      { name: COUNT, type: 'integer', call: rows },
      ...(hasBytes ? [{ name: BYTES, type: 'integer' as const, call: bytes }] : []),
    ],
    origin,
  }
}

/** Returns the labels that discovery gives to a stream: all of them, or those with some names. */
function ofStreams({ discovered }: LogqlTable, names: readonly string[] | undefined): LogqlTable['discovered'] {
  return discovered.filter(({ category, label }) => category === 'stream' && names?.includes(label) !== false)
}

function sizeOf(row: Row, discovered: LogqlTable['discovered']): StreamSize {
  const labels = new Map<string, string>()
  for (const [name, value] of parseStreamName(toText(row.get('_stream') ?? null)) ?? [])
    if (value !== '') labels.set(labelName(name), value)
  for (const { label, fields, otherwise } of discovered) {
    const field = fields.find((name) => !isEmptyValue(row.get(name) ?? null))
    if (!labels.has(label)) labels.set(label, field === undefined ? otherwise : toText(row.get(field) ?? null))
  }
  const at = row.get(AT)
  return {
    labels: Object.fromEntries([...labels].sort(([a], [b]) => (a < b ? -1 : 1))),
    entries: Number(row.get(COUNT) ?? 0),
    bytes: Number(row.get(BYTES) ?? 0),
    fromNs: at instanceof Instant ? at.ns : 0n,
  }
}

/**
 * Returns the size of each stream that a selector matches, in a range or in each step. Without a selector, returns the
 * sizes of all streams. Bytes are 0 unless `hasBytes`.
 */
export async function streamSizes(
  call: LokiCall,
  query: LogQuery | undefined,
  range: Interval,
  counting: Counting = {},
): Promise<readonly StreamSize[]> {
  const table = lokiTable(call)
  const discovered = ofStreams(table, counting.labels)
  const budget = budgetOf(call)
  const sizes = new Map<string, StreamSize>()
  await eachRow(rowsFor(call).read(sizesPlan(query, table, discovered, counting), range), (row) => {
    budget.checkpoint()
    const size = sizeOf(row, discovered)
    const key = `${size.fromNs} ${JSON.stringify(size.labels)}`
    const known = sizes.get(key)
    if (known === undefined) budget.charge(ENTRY_BYTES + rowBytes(row) * 4)
    const [entries, bytes] = [size.entries + (known?.entries ?? 0), size.bytes + (known?.bytes ?? 0)]
    sizes.set(key, { ...size, entries, bytes })
  })
  return [...sizes.values()]
}
