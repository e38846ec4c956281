import { join } from 'node:path'
import { runCooperatively, noReads, present, type StepwiseTask } from '../../../base/index.ts'
import {
  liveRowGroups,
  makeFolder,
  type Files,
  type Manifest,
  type ManifestState,
  type PartEntry,
  type TableEntry,
} from '../../durable/index.ts'
import type { GrowingDictionary } from '../../memory/index.ts'
import {
  PartFile,
  PooledFiles,
  RowGroupFile,
  openDictionaries,
  rowGroupSource,
  type BlockSource,
  type Entries,
} from '../../segments/index.ts'
import { checkFile, damageOf, liveEntries } from './file-repair.ts'
import { backendFolder, folderName, SEGMENTS } from '../folders.ts'
import { SAMPLES_TABLE, samplesIn } from '../samples/named-samples.ts'
import { linkFile } from '../snapshot.ts'

/** A part that a repair set aside, and whether it can be restored. */
export interface AsideFile {
  readonly backend: string
  readonly table: string
  readonly entry: PartEntry
  /** The path of a file with the part's name; `undefined` if there is none. */
  readonly path: string | undefined
  /** The reason why the part cannot be restored; `undefined` if it can. */
  readonly damage: string | undefined
}

/** True if entry `i` of a segment has the same value as `code` in the dictionary. */
function isSame(dictionary: GrowingDictionary, code: number, entries: Entries, i: number): boolean {
  if (code >= dictionary.size || dictionary.tags[code] !== entries.tags[i]) return false
  if ((dictionary.numbers[code] ?? 0) !== (entries.numbers[i] ?? 0)) return false
  const own = dictionary.bytes.subarray(dictionary.offsets[code], dictionary.offsets[code + 1])
  const other = entries.bytes.subarray(entries.offsets[i], entries.offsets[i + 1])
  return Buffer.compare(own, other) === 0
}

/**
 * Throws SluiceError if codes of the part have other values in the table now, because dictionaries were rebuilt without
 * the part.
 */
function checkValues(source: BlockSource, part: PartEntry, dictionaries: ReadonlyMap<string, GrowingDictionary>): void {
  for (const number of liveRowGroups(part)) {
    const file = new RowGroupFile(rowGroupSource(source, number, present(part.rowGroups[number])), noReads())
    for (const [field, entries] of file.entries(file.open())) {
      const dictionary = dictionaries.get(field)
      const isKnown = entries.codes.every((code, i) => dictionary !== undefined && isSame(dictionary, code, entries, i))
      if (!isKnown) throw file.damaged(`values of \`${field}\` have left the dictionaries since`)
    }
  }
}

/** Throws SluiceError if the table may already have rows of the part, or may get them by a replay of the log. */
function checkPlace(
  source: BlockSource,
  entry: PartEntry,
  { table, covered, parts }: TableEntry,
  samplesTo: number,
): void {
  const isSamples = table === SAMPLES_TABLE
  const isCovered = liveEntries(entry).every(
    ({ epoch, endSequence }) => endSequence <= (isSamples ? samplesTo : (covered.get(epoch) ?? 0)),
  )
  const overlaps =
    isSamples &&
    parts.some((each) => {
      const [own, other] = [samplesIn(entry), samplesIn(each)]
      return other.firstSequence < own.endSequence && own.firstSequence < other.endSequence
    })
  if (!isCovered || overlaps) throw new PartFile(source, noReads()).damaged('its rows may be there already')
}

function dictionariesOf(
  pool: PooledFiles,
  destination: string,
  { dictionaries }: TableEntry,
): ReadonlyMap<string, GrowingDictionary> {
  if (dictionaries === undefined) return new Map()
  const { name, bytes, records } = dictionaries
  const source = pool.source(join(destination, name), bytes)
  const file = openDictionaries(source, records)
  return new Map(Array.from(file.fields, (field) => [field, file.read(source, field)] as const))
}

/**
 * Searches a folder, such as `segments-aside-1` or a snapshot, for files of parts that repairs set aside, and checks
 * them. Changes nothing. The caller must hold the lock of the data folder.
 */
export function* asideFiles(
  files: Files,
  folder: string,
  { tables, samplesTo }: ManifestState,
  from: string,
): StepwiseTask<readonly AsideFile[]> {
  const pool = new PooledFiles(files)
  const found: AsideFile[] = []
  try {
    for (const each of tables.values()) {
      const { backend, table, aside } = each
      if (aside.length === 0) continue
      let dictionaries: ReadonlyMap<string, GrowingDictionary> | undefined
      for (const entry of aside) {
        const { name, bytes, crc } = entry
        const places = [join(from, folderName(backend), name), join(from, SEGMENTS, folderName(backend), name)]
        const path = places.find((destination) => files.exists(destination))
        const damage =
          path &&
          damageOf(() => {
            const source = pool.source(path, bytes, name, crc)
            checkFile(table, source, entry)
            checkPlace(source, entry, each, samplesTo)
            if (table === SAMPLES_TABLE) return
            dictionaries ??= dictionariesOf(pool, backendFolder(folder, backend), each)
            checkValues(source, entry, dictionaries)
          })
        found.push({ backend, table, entry, path, damage })
        yield
      }
    }
  } finally {
    pool.closeAll()
  }
  return found
}

/**
 * Copies undamaged files back and restores their parts with one manifest edit. A crash before the edit leaves copies
 * that the next start removes. The original files are not changed.
 */
export async function restoreAside(
  files: Files,
  folder: string,
  manifest: Manifest,
  found: readonly (AsideFile & { readonly path: string })[],
): Promise<void> {
  const places = new Set<string>()
  const pool = new PooledFiles(files)
  for (const { backend, table, entry, path } of found) {
    const { name, bytes, crc } = entry
    const destination = backendFolder(folder, backend)
    const to = join(destination, name)
    makeFolder(files, destination)
    // The file found may already be in its place.
    const isThere =
      files.exists(to) && damageOf(() => checkFile(table, pool.source(to, bytes, name, crc), entry)) === undefined
    pool.closeAll()
    if (!isThere) await runCooperatively(linkFile(files, path, to, bytes))
    places.add(destination)
  }
  for (const destination of places) files.syncFolder(destination)
  await manifest.commit({ tables: found.map(({ backend, table, entry }) => ({ backend, table, add: [entry] })) })
}
