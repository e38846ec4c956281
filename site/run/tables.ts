import { runCooperatively } from '../../src/base/index.ts'
import { columnarBackend } from '../../src/backends/columnar/index.ts'
import { createEngine, type Engine } from '../../src/engine/index.ts'
import { standardFunctions } from '../../src/functions/index.ts'
import {
  emptyReport,
  formatOfName,
  openFormat,
  pieces,
  readRecordOptions,
  recordFormat,
  type RecordOptions,
} from '../../src/ingest/index.ts'
import { createMemoryStore, standardCatalog, tableAsSaid, type MemoryTable } from '../../src/store/index.ts'
import type { Block, BlockFile, ReadFile } from './block.ts'

/** The time at which blocks run, in ns since 1970: the end of the story that the fixtures tell. */
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
  for await (const piece of pieces(opened, report)) {
    table.sealer.sealingLater(() => reader.append(piece, { ...reading, firstLine: report.lines + 1 }))
    report.lines += reader.take().lines
  }
  reader.flush()
  table.tails.closeAll()
  await runCooperatively(table.sealer.sealFull())
  table.seal()
}

/** The standard tables, with those that a block names and the names that its options give to fields. */
function catalogOf(files: readonly BlockFile[], options: RecordOptions | undefined): typeof standardCatalog {
  const tables = new Map(standardCatalog.tables)
  for (const { table } of files) {
    const definition = standardCatalog.tables.get(table) ?? standardCatalog.tables.get('logs')
    if (definition !== undefined) tables.set(table, { ...tableAsSaid(definition, options), name: table })
  }
  return { ...standardCatalog, tables }
}

async function load({ files, options }: Block, read: ReadFile): Promise<Engine> {
  const records = readRecordOptions((word) => options[word])
  const catalog = catalogOf(files, records)
  const store = createMemoryStore(catalog)
  for (const { table, name, path } of files) await append(store.table(table), name, await read(path), records)
  return createEngine({ catalog, backends: [columnarBackend(store, standardFunctions)] })
}

/** Engines over the files of blocks. Blocks with the same files and options share one, so each file is read once. */
export class Tables {
  readonly #engines = new Map<string, Promise<Engine>>()
  readonly #read: ReadFile

  constructor(read: ReadFile) {
    this.#read = read
  }

  /** Returns the engine over the files of a block. Rejects if a file cannot be read; a later call tries again. */
  engineOf(block: Block): Promise<Engine> {
    const key = JSON.stringify([block.files, block.options])
    const known = this.#engines.get(key)
    if (known !== undefined) return known
    const engine = load(block, this.#read)
    this.#engines.set(key, engine)
    engine.catch(() => this.#engines.delete(key))
    return engine
  }
}
