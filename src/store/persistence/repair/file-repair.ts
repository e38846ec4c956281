import { join } from 'node:path'
import {
  InvariantError,
  SluiceError,
  runCooperatively,
  noReads,
  present,
  type StepwiseTask,
} from '../../../base/index.ts'
import {
  isOfOtherBuild,
  isReadFailed,
  liveRowGroups,
  makeFolder,
  type Files,
  type Manifest,
  type ManifestState,
  type PartEntry,
  type RowGroupEntry,
  type TableEdit,
} from '../../durable/index.ts'
import { epochStartNs } from '../../memory/index.ts'
import { SampleFile } from '../../sample-files/index.ts'
import {
  BlockCache,
  PartFile,
  PooledFiles,
  RowGroupFile,
  StoredPart,
  hashesInFile,
  mergeParts,
  openDictionaries,
  rowGroupSource,
  type BlockSource,
} from '../../segments/index.ts'
import { asideFolder, backendFolder, folderName, partFile } from '../folders.ts'
import { SAMPLES_TABLE, samplesIn } from '../samples/named-samples.ts'
import { writeNewFile } from '../new-file.ts'
import { isWithoutLinks } from '../snapshot.ts'

/** A damaged file of rows or samples. */
export interface DamagedFile {
  readonly backend: string
  readonly table: string
  readonly name: string
  /** A description of the damage. */
  readonly damage: string
}

/** The total number of rows of several row groups, and their time range. */
export interface Extent {
  readonly rows: number
  /** The times of the first and the last row, in nanoseconds since 1970. */
  readonly firstNs: bigint
  readonly lastNs: bigint
}

/** A damaged part, with the state of its row groups. */
export interface DamagedPart extends DamagedFile {
  readonly entry: PartEntry
  /** The numbers of its undamaged row groups. */
  readonly whole: readonly number[]
  /** The extent of its damaged row groups; `undefined` if only other bytes are damaged. */
  readonly lost: Extent | undefined
}

/** The result of checking all files of a manifest. */
export interface FilesSurvey {
  readonly whole: number
  readonly parts: readonly DamagedPart[]
  /** Damaged dictionaries. No data are lost, since dictionaries are rebuilt from the parts. */
  readonly dictionaries: readonly DamagedFile[]
}

/**
 * Runs a check and returns a description of the damage; `undefined` if there is none. Throws SluiceError
 * `durable/read-failed` if the system cannot read the file now, and `durable/newer-version` if a later release wrote
 * it: neither proves damage.
 */
export function damageOf(check: () => void): string | undefined {
  try {
    check()
    return undefined
  } catch (error) {
    if (error instanceof SluiceError && !isReadFailed(error) && !isOfOtherBuild(error)) return error.message
    throw error
  }
}

const OTHER = 'it is another than the manifest says'

function checkSamples(source: BlockSource, entry: PartEntry): void {
  // A check reads each block once, so it needs no cache.
  const file = new SampleFile(source, new BlockCache(0))
  file.check()
  if (file.sampleCount !== samplesIn(entry).rowCount) throw new PartFile(source, noReads()).damaged(OTHER)
}

function checkRowGroup(source: BlockSource, entry: PartEntry, number: number): void {
  const expected = present(entry.rowGroups[number], 'a row group of the part')
  const file = new RowGroupFile(rowGroupSource(source, number, expected), noReads())
  const { rowCount, epoch, sequenceBase } = file.check().contents
  const isSame = rowCount === expected.rowCount && epoch === expected.epoch && sequenceBase === expected.firstSequence
  if (!isSame) throw file.damaged(OTHER)
}

/** Reads a whole file of rows or samples. Throws SluiceError if the file does not match its manifest entry. */
export function checkFile(table: string, source: BlockSource, entry: PartEntry): void {
  if (table === SAMPLES_TABLE) checkSamples(source, entry)
  else {
    for (const number of entry.rowGroups.keys()) checkRowGroup(source, entry, number)
    new PartFile(source, noReads()).check()
  }
}

/** Returns the number of rows and the time range of row groups; `undefined` if there are none. */
export function extentOf(rowGroups: readonly RowGroupEntry[]): Extent | undefined {
  let extent: Extent | undefined
  for (const { rowCount, epoch, firstDelta, lastDelta } of rowGroups) {
    const startNs = epochStartNs(epoch)
    const firstNs = startNs + BigInt(firstDelta)
    const lastNs = startNs + BigInt(lastDelta)
    extent = {
      rows: rowCount + (extent?.rows ?? 0),
      firstNs: extent !== undefined && extent.firstNs < firstNs ? extent.firstNs : firstNs,
      lastNs: extent !== undefined && extent.lastNs > lastNs ? extent.lastNs : lastNs,
    }
  }
  return extent
}

/** Returns the entries of a part's row groups, except removed ones. */
export function liveEntries(part: PartEntry): readonly RowGroupEntry[] {
  return liveRowGroups(part).map((number) => present(part.rowGroups[number]))
}

/** Checks each row group of a damaged part. */
function* survey(
  table: string,
  source: BlockSource,
  entry: PartEntry,
): StepwiseTask<Pick<DamagedPart, 'whole' | 'lost'>> {
  const whole: number[] = []
  const lost: RowGroupEntry[] = []
  for (const number of liveRowGroups(entry)) {
    const isWhole = table !== SAMPLES_TABLE && damageOf(() => checkRowGroup(source, entry, number)) === undefined
    if (isWhole) whole.push(number)
    else lost.push(present(entry.rowGroups[number]))
    yield
  }
  return { whole, lost: extentOf(lost) }
}

/**
 * Reads every file of the manifest and returns the damaged ones. Changes nothing. The caller must hold the lock of the
 * folder.
 */
export function* surveyFiles(files: Files, folder: string, { tables }: ManifestState): StepwiseTask<FilesSurvey> {
  const pool = new PooledFiles(files)
  const damaged: DamagedPart[] = []
  const dictionaries: DamagedFile[] = []
  let whole = 0
  try {
    for (const { backend, table, parts, dictionaries: own } of tables.values()) {
      const backendPath = backendFolder(folder, backend)
      for (const entry of parts) {
        const { name, bytes, crc } = entry
        const source = pool.source(join(backendPath, name), bytes, name, crc)
        const damage = damageOf(() => checkFile(table, source, entry))
        if (damage === undefined) whole++
        else damaged.push({ backend, table, name, damage, entry, ...(yield* survey(table, source, entry)) })
        pool.close(join(backendPath, name))
        yield
      }
      if (own === undefined) continue
      const { name, bytes, records } = own
      const source = pool.source(join(backendPath, name), bytes)
      const damage = damageOf(() => {
        const file = openDictionaries(source, records)
        for (const field of file.fields) file.read(source, field)
      })
      if (damage === undefined) whole++
      else dictionaries.push({ backend, table, name, damage })
    }
  } finally {
    pool.closeAll()
  }
  return { whole, parts: damaged, dictionaries }
}

/**
 * Sets a file aside: creates a hard link and leaves the original. Where hard links are impossible, as for a directory,
 * the original is renamed at once: a missing part is no worse than a damaged one.
 */
function moveAside(files: Files, from: string, to: string): void {
  try {
    files.link(from, to)
  } catch (error) {
    if (!isWithoutLinks(error)) throw error
    files.rename(from, to)
  }
}

/**
 * Writes the undamaged row groups of a damaged part to a new part with a new filter; returns `undefined` if there are
 * none.
 */
async function salvage(
  files: Files,
  backendPath: string,
  { table, entry, whole }: DamagedPart,
  number: number,
): Promise<readonly PartEntry[]> {
  const [first] = whole
  if (first === undefined) return []
  const pool = new PooledFiles(files)
  try {
    const source = pool.source(join(backendPath, entry.name), entry.bytes, entry.name, entry.crc)
    const firstRowGroup = rowGroupSource(source, first, present(entry.rowGroups[first]))
    const { textField } = new RowGroupFile(firstRowGroup, noReads()).open().contents
    const part = new StoredPart({ source, textField, cache: new BlockCache(0) })
    const hashes = new Map<number, Uint32Array>()
    for (const each of whole) {
      const rowGroup = part.rowGroup(each, present(entry.rowGroups[each]), { id: each, dictionaryOf: noDictionary })
      hashes.set(each, await runCooperatively(hashesInFile(rowGroup)))
    }
    const name = partFile(table, number)
    const input = { part, rowGroups: entry.rowGroups, chosen: whole, hashes }
    const summary = await writeNewFile(files, join(backendPath, name), (write) =>
      runCooperatively(mergeParts([input], table, write)),
    )
    return [{ name, ...summary, createdMs: entry.createdMs }]
  } finally {
    pool.closeAll()
  }
}

function noDictionary(): never {
  throw new InvariantError('codes are not looked up in a repair')
}

/**
 * Removes damaged parts from the manifest, so that queries of their tables work again, without the lost rows. Undamaged
 * row groups are written to a new part. The damaged files are moved to a new folder, whose path is returned. The
 * manifest remembers files with lost rows, so that they can be restored. An interrupted call can be repeated.
 */
export async function setPartsAside(
  files: Files,
  folder: string,
  manifest: Manifest,
  damaged: readonly DamagedPart[],
): Promise<string> {
  const aside = asideFolder(files, folder)
  const tables: TableEdit[] = []
  let { nextFile } = manifest.state
  for (const part of damaged) {
    const { backend, table, name, entry, whole, lost } = part
    const backendPath = backendFolder(folder, backend)
    const add = await salvage(files, backendPath, part, nextFile++)
    files.syncFolder(backendPath)
    const to = join(aside, folderName(backend))
    makeFolder(files, to)
    if (files.exists(join(backendPath, name))) moveAside(files, join(backendPath, name), join(to, name))
    files.syncFolder(to)
    const gone = [...(entry.gone ?? []), ...whole]
    tables.push({ backend, table, add, remove: [name], addAside: lost === undefined ? [] : [{ ...entry, gone }] })
  }
  await manifest.commit({ nextFile, tables })
  for (const { backend, name } of damaged) {
    const from = join(backendFolder(folder, backend), name)
    if (files.exists(from)) files.remove(from)
  }
  return aside
}
