import { parseRfc3339 } from '../../src/base/index.ts'
import { Instant, parseJsonExact, type ExactJson, type MutableRow, type Row, type Value } from '../../src/data/index.ts'
import { flattenInto } from '../../src/store/index.ts'
import { checkAll, readVectors, type Outcome, type Vector, type Verdict } from './logsql-outcome.ts'
import { noRenaming, renamingOf, type Renaming } from './logsql-rename.ts'
import { answer, engineOver, sameAnswer, type VectorRow } from './logsql-table.ts'

interface DataSet {
  readonly tenants: number
  readonly streamsPerTenant: number
  readonly blocksPerStream: number
  readonly rowsPerBlock: number
}

interface E2eVector extends Vector {
  readonly kind: 'storage' | 'ingest-query'
  readonly q: string
  readonly out: readonly VectorRow[]
  readonly ingest?: readonly Readonly<Record<string, ExactJson>>[]
  readonly options?: { readonly messageField?: string }
}

const BASE_NS = parseRfc3339('2026-01-01T00:00:00Z') ?? 0n

function* storageRows(set: DataSet): Generator<Row> {
  for (let tenant = 0; tenant < set.tenants; tenant++) {
    for (let stream = 0; stream < set.streamsPerTenant; stream++) {
      for (let block = 0; block < set.blocksPerStream; block++) {
        for (let m = 0; m < set.rowsPerBlock; m++) {
          yield new Map<string, Value>([
            ['_time', new Instant(BASE_NS + BigInt(m) * 1_000_000_000n + BigInt(block))],
            ['job', 'foobar'],
            ['instance', `host-${stream}:234`],
            ['_msg', `log message ${m} at block ${block}`],
            ['source-file', '/foo/bar/baz'],
            ['tenant.id', `{accountID=${tenant},projectID=${10 * tenant + 1}}`],
            ['stream-id', `stream_id=${stream}`],
          ])
        }
      }
    }
  }
}

/** A record as ingestion stores it, the message under `_msg`. */
function ingested(record: Readonly<Record<string, ExactJson>>, messageField: string | undefined): Row {
  const row: MutableRow = new Map()
  flattenInto(row, '', parseJsonExact(JSON.stringify(record)))
  for (const name of messageField?.split(',') ?? []) {
    const value = row.get(name)
    if (value === undefined) continue
    row.delete(name)
    row.set('_msg', value)
  }
  const time = row.get('_time')
  const ns = typeof time === 'string' ? parseRfc3339(time) : undefined
  return ns === undefined ? row : row.set('_time', new Instant(ns))
}

/** What our answers leave out: a stream's name is made only when a query asks for it. */
function withoutStream(rows: readonly VectorRow[]): readonly VectorRow[] {
  return rows.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => name !== '_stream')))
}

/** The rows under the names of a renamed vector. */
function renamedRow(row: Row, renaming: Renaming): Row {
  return new Map(
    [...row].map(([name, value]) => [renaming.text(name), typeof value === 'string' ? renaming.text(value) : value]),
  )
}

async function check(vector: E2eVector, set: DataSet, renaming: Renaming): Promise<Verdict> {
  const { kind, q, out, ingest = [], options = {} } = vector
  if (q.includes('query_stats')) return { skip: 'counters of the reference engine' }
  const isStorage = kind === 'storage'
  const rows = isStorage
    ? [...storageRows(set)].map((row) => renamedRow(row, renaming))
    : ingest.map((record) => ingested(record, options.messageField))
  const streamFields = isStorage ? ['job', 'instance', 'tenant.id'].map((name) => renaming.text(name)) : []
  const difference = sameAnswer(await answer(engineOver(rows, { streamFields }), q), withoutStream(out), false)
  return difference === undefined ? undefined : { failure: `${q} ${difference}` }
}

export async function checkE2e(directory: string, seed?: number): Promise<Outcome> {
  const { vectors, dataset } = readVectors<E2eVector, { readonly dataset: DataSet }>(directory, 'e2e.json')
  const stored = [...storageRows({ tenants: 1, streamsPerTenant: 1, blocksPerStream: 1, rowsPerBlock: 1 })].map((row) =>
    Object.fromEntries(row),
  )
  return checkAll(
    'e2e.json',
    vectors,
    (vector, renaming) => check(vector, dataset, renaming),
    ({ id, q, ingest = stored, out }) => (seed === undefined ? noRenaming : renamingOf(id, seed, q, ingest, out)),
  )
}
