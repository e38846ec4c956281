import { ENTRY_BYTES, type Interval } from '../../../base/index.ts'
import { Instant, parseStreamName, rowBytes, toText, type Row } from '../../../data/index.ts'
import {
  labelName,
  lowerSelector,
  valueOfDiscovered,
  type LogQuery,
  type LogqlTable,
} from '../../../lang/logql/index.ts'
import { column, countRows, type AggregateCall, type LogicalPlan } from '../../../plan/index.ts'
import type { LokiCall } from './define-loki-routes.ts'
import { budgetOf, eachRow } from '../../search/collect.ts'
import { stepOf } from '../../search/fields/questions.ts'
import { lokiTable, rowsFor } from './source.ts'

/** A stream with what it has in a range, or in one step of it. */
export interface StreamSize {
  readonly labels: Readonly<Record<string, string>>
  readonly entries: number
  readonly bytes: number
  /** Start of the step, ns; of a whole range 0. */
  readonly fromNs: bigint
}

const AT = '__at__'
const COUNT = '__count__'
const BYTES = '__bytes__'

function sizesPlan(query: LogQuery | undefined, table: LogqlTable, stepNs: bigint | undefined): LogicalPlan {
  const input = lowerSelector(query, table)
  const { origin } = input
  const rows = countRows(origin)
  const bytes: AggregateCall = { ...rows, fn: 'sum_len', args: [column(table.textField, origin)] }
  const discovered = table.discovered.filter(({ category }) => category === 'stream')
  return {
    kind: 'aggregate',
    input,
    keys: [
      ...(stepNs === undefined
        ? []
        : [{ name: AT, expr: stepOf(table.timeField, stepNs, 0n, origin), type: 'time' as const }]),
      { name: '_stream', expr: column('_stream', origin), type: 'string' },
      ...discovered.map((found) => ({
        name: found.label,
        expr: valueOfDiscovered(found, origin),
        type: 'string' as const,
      })),
    ],
    aggregates: [
      { name: COUNT, type: 'integer', call: rows },
      { name: BYTES, type: 'integer', call: bytes },
    ],
    origin,
  }
}

function sizeOf(row: Row, table: LogqlTable): StreamSize {
  const labels = new Map<string, string>()
  for (const [name, value] of parseStreamName(toText(row.get('_stream') ?? null)) ?? [])
    if (value !== '') labels.set(labelName(name), value)
  for (const { label, category } of table.discovered)
    if (category === 'stream' && !labels.has(label)) labels.set(label, toText(row.get(label) ?? null))
  const at = row.get(AT)
  return {
    labels: Object.fromEntries([...labels].sort(([a], [b]) => (a < b ? -1 : 1))),
    entries: Number(row.get(COUNT) ?? 0),
    bytes: Number(row.get(BYTES) ?? 0),
    fromNs: at instanceof Instant ? at.ns : 0n,
  }
}

/** Sizes of the streams of a selector in a range, or in each step of it; of all streams without a selector. */
export async function streamSizes(
  call: LokiCall,
  query: LogQuery | undefined,
  range: Interval,
  stepNs?: bigint,
): Promise<readonly StreamSize[]> {
  const table = lokiTable(call)
  const budget = budgetOf(call)
  const sizes: StreamSize[] = []
  await eachRow(rowsFor(call).read(sizesPlan(query, table, stepNs), range), (row) => {
    budget.checkpoint()
    const size = sizeOf(row, table)
    budget.charge(ENTRY_BYTES + rowBytes(row) * 2)
    sizes.push(size)
  })
  return sizes
}
