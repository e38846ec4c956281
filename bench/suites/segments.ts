/**
 * Compares segments in files with the same segments in memory: bytes of each kind of block, the cost of writing,
 * merging and opening, and the 33 questions with an empty and a full block cache, as ratios to memory in one run.
 * Answers are compared.
 */
import fs, { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Budget, always, runToEnd, noReads, type StepwiseTask } from '../../src/base/index.ts'
import { columnarBackend } from '../../src/backends/columnar/index.ts'
import { RowWriter } from '../../src/data/index.ts'
import { standardFunctions } from '../../src/functions/index.ts'
import type { LogicalPlan } from '../../src/plan/index.ts'
import { MemoryTable, createMemoryStore, standardCatalog, type GrowingDictionary } from '../../src/store/index.ts'
import { diskFiles, type PartSummary } from '../../src/store/durable/index.ts'
import {
  BlockCache,
  DictionariesFile,
  MAX_ROW_GROUPS,
  PooledFiles,
  RowGroupFile,
  StoredPart,
  mergeParts,
  rowGroupSource,
  writePart,
  type OpenContents,
  type RowGroupContents,
} from '../../src/store/segments/index.ts'
import { jsonLineChunks } from '../datasets.ts'
import { plans } from '../plans.ts'

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: '1' },
    cache: { type: 'string', default: '256' },
    only: { type: 'string' },
  },
})
const rows = Number(values.rows)
const seed = Number(values.seed)
const cacheBytes = Number(values.cache) * 1024 * 1024
const only = values.only?.split(',')
const print = (line: string): void => console.log(line)

/** Yields the kinds of blocks in a file with their bytes. */
function* partsOf({
  deltas,
  sequenceOffsets,
  columns,
  words,
}: RowGroupContents): Generator<readonly [string, number, number]> {
  yield ['times', deltas.block, 1]
  if (sequenceOffsets !== undefined) yield ['sequence numbers', sequenceOffsets.block, 1]
  for (const { name, column, counts, zones, tops } of columns) {
    if (column.kind === 'dictionary') {
      yield [`${name}: codes`, column.codes.block, 1]
      yield [`${name}: values of codes`, column.values, 1]
    } else if (column.kind === 'float64') yield [`${name}: numbers`, column.values.block, 1]
    else if (column.kind === 'text') yield [`${name}: texts`, column.texts.block, column.texts.firstRows.length]
    if (counts !== undefined) yield ['counts of codes', counts.block, 1]
    for (const { mins, maxs } of zones === undefined ? [] : [zones]) {
      yield ['zones', mins.block, 1]
      yield ['zones', maxs.block, 1]
    }
    for (const { rows, numbers } of tops === undefined ? [] : [tops.highest, tops.lowest]) {
      yield ['highest and lowest numbers', rows.block, 1]
      yield ['highest and lowest numbers', numbers.block, 1]
    }
  }
  if (words === undefined) return
  yield ['words: directory', words.directory, 1]
  yield ['words: words and rows', words.words, words.groups]
  yield ['words: bitmaps', words.bitmaps, words.bitmapCount]
  if (words.templates === undefined) return
  yield ['templates: texts', words.templates.texts, 1]
  yield ['templates: codes', words.templates.codes.block, 1]
}

function addParts(sums: Map<string, number>, { contents, blocks }: OpenContents, fileBytes: number): void {
  const add = (name: string, bytes: number): void => void sums.set(name, (sums.get(name) ?? 0) + bytes)
  for (const [name, first, count] of partsOf(contents)) add(name, blocks.starts[first + count] - blocks.starts[first])
  add('contents', fileBytes - blocks.starts[blocks.count])
}

function threadMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

const folder = mkdtempSync(join(tmpdir(), 'sluice-segments-bench-'))
try {
  const memory = createMemoryStore(standardCatalog)
  const table = memory.table('logs')
  for (const chunk of jsonLineChunks({ rows, seed, bodies: [] })) table.writer.appendJsonLines(chunk, { nowNs: 0n })
  table.seal()
  const usage = table.view.usage()
  print(`${usage.rows} rows in ${usage.segments} segments, ${(usage.memoryBytes / rows).toFixed(1)} B a row in memory`)

  const { name, timeField, textField } = table.definition
  interface Written {
    readonly path: string
    readonly summary: PartSummary
  }
  const toFile = (path: string, write: (take: (bytes: Uint8Array) => void) => StepwiseTask<PartSummary>): Written => {
    const file = fs.openSync(path, 'w')
    const summary = runToEnd(write((bytes) => fs.writeSync(file, bytes)))
    fs.closeSync(file)
    return { path, summary }
  }
  let startMs = threadMs()
  const small = table.segments.all.map((segment, i) =>
    toFile(join(folder, `small-${i}`), (write) => writePart(segment, { table: name, timeField }, write)),
  )
  const writeMs = threadMs() - startMs
  const pool = new PooledFiles(diskFiles)
  const partOf = ({ path, summary }: Written, cache: BlockCache): StoredPart =>
    new StoredPart({ source: pool.source(path, summary.bytes, undefined, summary.crc), textField, cache })
  startMs = threadMs()
  const mergeCache = new BlockCache(cacheBytes)
  const written: Written[] = []
  for (let from = 0; from < small.length; from += MAX_ROW_GROUPS) {
    const inputs = small.slice(from, from + MAX_ROW_GROUPS).map((each) => {
      const { rowGroups } = each.summary
      return { part: partOf(each, mergeCache), rowGroups, chosen: [...rowGroups.keys()] }
    })
    written.push(toFile(join(folder, `merged-${from}`), (write) => mergeParts(inputs, name, write)))
  }
  print(`${(((threadMs() - startMs) * 1000) / rows).toFixed(2)} µs a row of processor time to merge parts`)
  const dictionariesPath = join(folder, 'dictionaries')
  const dictionariesFile = new DictionariesFile()
  const dictionaryChanges = dictionariesFile.changes(table.fields.dictionaries())
  fs.writeFileSync(dictionariesPath, Buffer.concat(dictionaryChanges.chunks))
  dictionaryChanges.commit()
  const dictionaryBytes = fs.statSync(dictionariesPath).size
  const fileBytes = written.reduce((sum, { summary }) => sum + summary.bytes, 0)
  print(
    `${((fileBytes + dictionaryBytes) / rows).toFixed(1)} B a row on disk, of these ${(dictionaryBytes / rows).toFixed(1)} dictionaries; ` +
      `${Math.round((rows / writeMs) * 1000)} rows a second of processor time to write`,
  )

  const sums = new Map<string, number>()
  const counts = noReads()
  for (const { path, summary } of written) {
    const source = pool.source(path, summary.bytes)
    let rowGroupBytes = 0
    for (const [number, rowGroup] of summary.rowGroups.entries()) {
      addParts(sums, new RowGroupFile(rowGroupSource(source, number, rowGroup), counts).open(), rowGroup.bytes)
      rowGroupBytes += rowGroup.bytes
    }
    sums.set('filter and footer', (sums.get('filter and footer') ?? 0) + summary.bytes - rowGroupBytes)
  }
  for (const [part, bytes] of [...sums].sort((a, b) => b[1] - a[1]))
    print(`  ${part.padEnd(28)} ${(bytes / rows).toFixed(2).padStart(8)} B a row`)

  let openMs = threadMs()
  const dictionariesSource = pool.source(dictionariesPath, dictionaryBytes)
  const dictionaries = Array.from(dictionariesFile.fields, (field) => {
    const read = dictionariesFile.read(dictionariesSource, field)
    return [field, { size: read.size, read: () => read }] as const
  })
  print(`${(threadMs() - openMs).toFixed(0)} ms to read the dictionaries`)
  const freshTable = (cache = new BlockCache(cacheBytes)): MemoryTable => {
    const made = new MemoryTable(table.definition)
    made.fields.restoreDictionaries(dictionaries)
    const dictionaryOf = (field: string): GrowingDictionary => made.fields.dictionary(field)
    let id = 0
    for (const each of written) {
      const part = partOf(each, cache)
      made.segments.add(
        each.summary.rowGroups.map((rowGroup, number) => part.rowGroup(number, rowGroup, { id: id++, dictionaryOf })),
      )
    }
    return made
  }
  openMs = threadMs()
  freshTable()
  print(`${(threadMs() - openMs).toFixed(2)} ms to open ${written.length} parts`)

  const answerOf = async (tables: MemoryTable, plan: LogicalPlan): Promise<readonly string[]> => {
    const backend = columnarBackend({ tables: new Map([[name, tables.view]]) }, standardFunctions)
    const budget = new Budget({ memoryBytes: 4 * 2 ** 30, timeoutMs: 600_000, scanRows: Infinity }, () =>
      performance.now(),
    )
    const lines: string[] = []
    const writer = new RowWriter()
    for await (const batch of backend.prepare(plan, { budget, nowNs: 0n, range: always, batchRows: 4096 }).run())
      for (const line of writer.batch(batch)) lines.push(line)
    return lines
  }
  /** Returns the mean processor time of a run, including the system's time for reading files. */
  const mean = async (run: () => Promise<unknown>): Promise<number> => {
    await run()
    const from = threadMs()
    let times = 0
    while (times < 3 || (threadMs() - from < 200 && times < 2000)) {
      await run()
      times++
    }
    return (threadMs() - from) / times
  }
  print(
    `${''.padEnd(30)} ${'memory ms'.padStart(10)} ${'cold ms'.padStart(10)} ${'warm ms'.padStart(10)}   cold/memory   warm/memory   blocks read   MiB read`,
  )
  const ratios: number[] = []
  for (const [title, plan] of plans(seed, rows)) {
    if (only !== undefined && !only.some((id) => title.startsWith(id))) continue
    const expected = await answerOf(table, plan)
    const inMemory = await mean(() => answerOf(table, plan))
    const cache = new BlockCache(cacheBytes)
    const stored = freshTable(cache)
    const found = await answerOf(stored, plan)
    if (found.join('\n') !== expected.join('\n')) throw new Error(`${title}: another answer from files`)
    const { blocks } = cache.counts
    const mebibytes = cache.counts.bytes / 2 ** 20
    const warmMs = await mean(() => answerOf(stored, plan))
    const coldMs = await mean(() => answerOf(freshTable(), plan))
    ratios.push(warmMs / inMemory)
    print(
      `${title.padEnd(30)} ${inMemory.toFixed(2).padStart(10)} ${coldMs.toFixed(2).padStart(10)} ${warmMs.toFixed(2).padStart(10)}   ` +
        `${(coldMs / inMemory).toFixed(1).padStart(11)}   ${(warmMs / inMemory).toFixed(2).padStart(11)}   ${String(blocks).padStart(11)}   ${mebibytes.toFixed(1).padStart(8)}`,
    )
  }
  ratios.sort((a, b) => a - b)
  print(`median warm/memory ${ratios[ratios.length >> 1].toFixed(2)}`)
  pool.closeAll()
} finally {
  rmSync(folder, { recursive: true, force: true })
}
