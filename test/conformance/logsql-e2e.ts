import { parseRfc3339 } from '../../src/base/index.ts'
import {
  Instant,
  parseJsonExact,
  readTime,
  type ExactJson,
  type MutableRow,
  type Row,
  type Value,
} from '../../src/data/index.ts'
import { flattenInto } from '../../src/store/index.ts'
import { jsonTexts } from './json-stream.ts'
import { checkAll, checkFile, type Outcome, type Vector, type Verdict } from './outcome.ts'
import { noRenaming, renamingOf, type Renaming } from './logsql-rename.ts'
import { answer, engineOver, sameAnswer, type VectorRow } from './logsql-table.ts'

interface DataSet {
  readonly tenants: number
  readonly streamsPerTenant: number
  readonly blocksPerStream: number
  readonly rowsPerBlock: number
}

interface E2eVector extends Vector {
  readonly q?: string
  readonly out?: readonly VectorRow[]
  /** Records to ingest, or the body of a stream of them. */
  readonly ingest?: readonly Readonly<Record<string, ExactJson>>[] | string
  readonly options?: IngestOptions
}

/** Options of an ingestion. A list of names is an array or a comma-separated string. */
interface IngestOptions {
  readonly messageField?: string | readonly string[]
  readonly timeField?: string | readonly string[]
  readonly streamFields?: string | readonly string[]
  readonly ignoreFields?: string | readonly string[]
}

const OPTION_NAMES: ReadonlySet<string> = new Set(['messageField', 'timeField', 'streamFields', 'ignoreFields'])

function namesOf(names: string | readonly string[] | undefined): readonly string[] {
  const list = typeof names === 'string' ? names.split(',') : (names ?? [])
  return list.filter((name) => name !== '')
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

/** Renames the first of the fields that the row has to `to`. */
function moveFirst(row: MutableRow, names: readonly string[], to: string): void {
  for (const name of names) {
    const value = row.get(name)
    if (value === undefined || name === to) continue
    row.delete(name)
    row.set(to, value)
    return
  }
}

/** Returns a record as ingestion stores it, with the message in `_msg` and the time in `_time`. */
function ingested(record: Readonly<Record<string, ExactJson>>, options: IngestOptions): Row {
  const row: MutableRow = new Map()
  flattenInto(row, '', parseJsonExact(JSON.stringify(record)))
  for (const name of namesOf(options.ignoreFields)) row.delete(name)
  moveFirst(row, namesOf(options.messageField), '_msg')
  moveFirst(row, namesOf(options.timeField), '_time')
  const ns = readTime(row.get('_time') ?? null, { nowNs: 0n })
  return ns === undefined ? row : row.set('_time', new Instant(ns))
}

/** Removes stream names, which answers of Sluice contain only if the query uses them. */
function withoutStream(rows: readonly VectorRow[]): readonly VectorRow[] {
  return rows.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => name !== '_stream')))
}

/** Applies a renaming to the field names and strings of a row. */
function renamedRow(row: Row, renaming: Renaming): Row {
  return new Map(
    [...row].map(([name, value]) => [renaming.text(name), typeof value === 'string' ? renaming.text(value) : value]),
  )
}

async function check(vector: E2eVector, set: DataSet | undefined, renaming: Renaming): Promise<Verdict> {
  const { kind, q, out, ingest = [], options = {} } = vector
  if (q === undefined || out === undefined) return { failure: 'has no query or no answer' }
  if (q.includes('query_stats')) return { skip: 'counters of the reference engine' }
  const unknown = Object.keys(options).find((name) => !OPTION_NAMES.has(name))
  if (unknown !== undefined) return { failure: `has an option that is not known: ${unknown}` }
  let rows: readonly Row[]
  let streamFields: readonly string[]
  if (kind === 'storage') {
    if (set === undefined) return { failure: 'there is no data set' }
    rows = [...storageRows(set)].map((row) => renamedRow(row, renaming))
    streamFields = ['job', 'instance', 'tenant.id'].map((name) => renaming.text(name))
  } else if (kind === 'ingest-query') {
    const records = typeof ingest === 'string' ? [...jsonTexts(ingest)].map((line) => parseJsonExact(line)) : ingest
    rows = records.map((record) => ingested(record as Readonly<Record<string, ExactJson>>, options))
    streamFields = namesOf(options.streamFields)
  } else return { failure: `is of a kind that is not known: ${kind ?? ''}` }
  // Sluice computes a row's stream name only if the query uses it, so these fields are not compared.
  const actual = await answer(engineOver(rows, { streamFields }), q)
  const difference = sameAnswer(actual, withoutStream(out), false)
  return difference === undefined ? undefined : { failure: `${q} ${difference}` }
}

export async function checkE2e(directory: string, seed?: number): Promise<readonly Outcome[]> {
  const file = 'e2e.json'
  return checkFile<E2eVector>(directory, file, ({ vectors, others }) => {
    const set = others['dataset'] as DataSet | undefined
    const stored = [...storageRows({ tenants: 1, streamsPerTenant: 1, blocksPerStream: 1, rowsPerBlock: 1 })].map(
      (row) => Object.fromEntries(row),
    )
    return checkAll(
      file,
      vectors,
      (vector, renaming) => check(vector, set, renaming),
      ({ id = '', q = '', ingest = stored, out }) =>
        seed === undefined ? noRenaming : renamingOf(id, seed, q, ingest, out),
    )
  })
}
