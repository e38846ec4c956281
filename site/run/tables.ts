import { runCooperatively } from '../../src/base/index.ts'
import { columnarBackend } from '../../src/backends/columnar/index.ts'
import { createEngine, Planner, type Engine } from '../../src/engine/index.ts'
import { standardFunctions } from '../../src/functions/index.ts'
import {
  emptyReport,
  formatOfName,
  openFormat,
  recordChunks,
  readRecordOptions,
  recordFormat,
  type RecordOptions,
} from '../../src/ingest/index.ts'
import { inputs, subqueries, type LogicalPlan } from '../../src/plan/index.ts'
import { createMemoryStore, standardCatalog, tableAsSaid, type MemoryTable } from '../../src/store/index.ts'
import type { Block, BlockFile, ReadFile } from './block.ts'

/** Current time of all blocks, ns since 1970: the end of the incident in the fixtures. */
export const NOW_NS = BigInt(Date.parse('2026-03-10T12:00:00Z')) * 1_000_000n

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

async function append(table: MemoryTable, name: string, bytes: Uint8Array, options: RecordOptions | undefined) {
  const reading = { nowNs: NOW_NS, options }
  const named = formatOfName(name)
  const report = emptyReport()
  const opened = await openFormat(once(bytes), named, reading)
  const reader = table.writer.reader(recordFormat(opened.format, named, options), reading)
  for await (const piece of recordChunks(opened, report)) {
    table.sealer.sealingLater(() => reader.append(piece, { ...reading, firstLine: report.lines + 1 }))
    report.lines += reader.take().lines
  }
  reader.flush()
  table.tails.closeAll()
  await runCooperatively(table.sealer.sealFull())
  table.seal()
}

/** The standard tables, extended by the tables that a block reads and by the field names in its options. */
function catalogOf(files: readonly BlockFile[], options: RecordOptions | undefined): typeof standardCatalog {
  const tables = new Map(standardCatalog.tables)
  for (const { table } of files) {
    const definition = standardCatalog.tables.get(table) ?? standardCatalog.tables.get('logs')
    if (definition !== undefined) {
      const { streamFields = definition.streamFields } = options ?? {}
      tables.set(table, { ...tableAsSaid(definition, options), streamFields, name: table })
    }
  }
  return { ...standardCatalog, tables }
}

/** Field that holds the file name of a row. */
const FILE_FIELD = '_file'

/** True if a bound plan reads neighbouring rows of a stream, as `stream_context` does. */
function readsStreams(plan: LogicalPlan): boolean {
  const isReader = plan.kind === 'table-apply' && standardFunctions.tables.get(plan.fn)?.needsStreamFields === true
  return isReader || [...inputs(plan), ...subqueries(plan)].some(readsStreams)
}

/** True if each file must be a stream of its own: the query reads streams, and several files share a table. */
function areFilesStreams({ language, query, files, options }: Block): boolean {
  const [first] = files
  const isOverSeveral = files.filter(({ table }) => table === first?.table).length > 1
  if (first === undefined || !isOverSeveral || (language !== 'native' && language !== 'logsql')) return false
  const planner = new Planner({
    catalog: catalogOf(
      files,
      readRecordOptions((word) => options[word]),
    ),
  })
  return readsStreams(planner.plan(query, { table: first.table, dialect: language, lint: 'off' }).bound)
}

async function load({ files, options }: Block, areStreams: boolean, read: ReadFile): Promise<Engine> {
  const given = readRecordOptions((word) => options[word])
  const table = standardCatalog.tables.get(files[0]?.table ?? 'logs')
  const records = areStreams ? { ...given, streamFields: [...(table?.streamFields ?? []), FILE_FIELD] } : given
  const hasNames = areStreams || options['with-file-name'] !== undefined
  const catalog = catalogOf(files, records)
  const store = createMemoryStore(catalog)
  // The catalog has the stream fields already, so the reader does not need them.
  const { streamFields: _, ...reading } = records ?? {}
  for (const file of files) {
    const named = hasNames ? { ...reading, extraFields: { [FILE_FIELD]: file.name } } : reading
    await append(store.table(file.table), file.name, await read(file.path), named)
  }
  return createEngine({ catalog, backends: [columnarBackend(store, standardFunctions)] })
}

/** Engines over the files of blocks. Blocks with the same files and options share one, so each file is read once. */
export class Tables {
  readonly #engines = new Map<string, Promise<Engine>>()
  readonly #read: ReadFile

  constructor(read: ReadFile) {
    this.#read = read
  }

  /**
   * Returns the engine over the files of a block. Rejects if a file cannot be read; a later call tries again. Rejects
   * with SluiceError for a query that cannot be planned.
   */
  async engineOf(block: Block): Promise<Engine> {
    const areStreams = areFilesStreams(block)
    const key = JSON.stringify([block.files, block.options, areStreams])
    const known = this.#engines.get(key)
    if (known !== undefined) return known
    const engine = load(block, areStreams, this.#read)
    this.#engines.set(key, engine)
    engine.catch(() => this.#engines.delete(key))
    return engine
  }
}
