import { join } from 'node:path'
import { SluiceError, noReads, type Turns } from '../../base/index.ts'
import {
  isReadFailed,
  makeFolder,
  type Files,
  type Manifest,
  type ManifestState,
  type SegmentEntry,
} from '../durable/index.ts'
import { epochStartNs } from '../memory/index.ts'
import { SampleFile } from '../sample-files/index.ts'
import {
  BlockCache,
  BlockFile,
  groupKind,
  openDictionaries,
  PooledFiles,
  SegmentFile,
  type SegmentSource,
} from '../segments/index.ts'
import { asideFolder, backendFolder, folderName } from './folders.ts'
import { SAMPLES_TABLE } from './named-samples.ts'
import { isWithoutLinks } from './snapshot.ts'

/** A file of rows that is not as it was written. */
export interface DamagedFile {
  readonly backend: string
  readonly table: string
  readonly name: string
  /** What is wrong, in words. */
  readonly damage: string
}

/** A segment whose rows cannot be read, and the times of the first and the last of them. */
export interface DamagedSegment extends DamagedFile {
  readonly entry: SegmentEntry
  readonly firstNs: bigint
  readonly lastNs: bigint
}

/** What of the files that a manifest names is as it was written. */
export interface FilesSurvey {
  readonly whole: number
  readonly segments: readonly DamagedSegment[]
  /** Dictionaries, and filters of groups. Of these nothing is lost: they are made again from the segments. */
  readonly dictionaries: readonly DamagedFile[]
}

/** In words, how a check fails. Throws `durable/read-failed` where the system cannot read now: that tells nothing of the file. */
export function damageOf(check: () => void): string | undefined {
  try {
    check()
    return undefined
  } catch (error) {
    if (error instanceof SluiceError && !isReadFailed(error)) return error.message
    throw error
  }
}

const OTHER = 'it is another than the manifest says'

function checkSamples(source: SegmentSource, { rowCount }: SegmentEntry): void {
  // Of a check nothing is held.
  const file = new SampleFile(source, new BlockCache(0))
  file.check()
  if (file.sampleCount !== rowCount) throw new SegmentFile(source, noReads()).damaged(OTHER)
}

function checkSegment(source: SegmentSource, entry: SegmentEntry): void {
  const file = new SegmentFile(source, noReads())
  const { rowCount, epoch, sequenceBase } = file.check().contents
  const isSame = rowCount === entry.rowCount && epoch === entry.epoch && sequenceBase === entry.firstSequence
  if (!isSame) throw file.damaged(OTHER)
}

/** Reads a whole file of rows. Throws SluiceError where it is not the one that an entry names. */
export function checkFile(table: string, source: SegmentSource, entry: SegmentEntry): void {
  if (table === SAMPLES_TABLE) checkSamples(source, entry)
  else checkSegment(source, entry)
}

/** When the first and the last row of a segment were. */
export function timesOf({ epoch, firstDelta, lastDelta }: SegmentEntry): {
  readonly firstNs: bigint
  readonly lastNs: bigint
} {
  const startNs = epochStartNs(epoch)
  return { firstNs: startNs + BigInt(firstDelta), lastNs: startNs + BigInt(lastDelta) }
}

/** Reads every file of rows that the manifest names, and changes nothing; whoever calls holds the lock. */
export function* surveyFiles(files: Files, folder: string, { tables }: ManifestState): Turns<FilesSurvey> {
  const pool = new PooledFiles(files)
  const damaged: DamagedSegment[] = []
  const dictionaries: DamagedFile[] = []
  let whole = 0
  try {
    for (const { backend, table, segments, groups, dictionaries: own } of tables.values()) {
      const place = backendFolder(folder, backend)
      for (const entry of segments) {
        const { name, bytes, crc } = entry
        const source = pool.source(join(place, name), bytes, name, crc)
        const damage = damageOf(() => checkFile(table, source, entry))
        pool.close(join(place, name))
        if (damage === undefined) whole++
        else damaged.push({ backend, table, name, damage, entry, ...timesOf(entry) })
        yield
      }
      for (const { name, bytes, crc } of groups) {
        const file = new BlockFile(pool.source(join(place, name), bytes, name, crc), noReads(), groupKind)
        const damage = damageOf(() => file.check())
        pool.close(join(place, name))
        if (damage === undefined) whole++
        else dictionaries.push({ backend, table, name, damage })
        yield
      }
      if (own === undefined) continue
      const { name, bytes, records } = own
      const source = pool.source(join(place, name), bytes)
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
  return { whole, segments: damaged, dictionaries }
}

/** What can have no second name, such as a folder in the place of a file, moves at once: a segment that is missing is as damaged as before. */
function moveAside(files: Files, from: string, to: string): void {
  try {
    files.link(from, to)
  } catch (error) {
    if (!isWithoutLinks(error)) throw error
    files.rename(from, to)
  }
}

/**
 * Takes damaged segments out of the manifest, so that their table is answered again without their rows. The files are kept in
 * a folder of their own, whose path it gives, and the manifest remembers them. Interrupted anywhere, it can be started again.
 */
export async function setSegmentsAside(
  files: Files,
  folder: string,
  manifest: Manifest,
  damaged: readonly DamagedSegment[],
): Promise<string> {
  const aside = asideFolder(files, folder)
  for (const { backend, name } of damaged) {
    const from = join(backendFolder(folder, backend), name)
    const to = join(aside, folderName(backend))
    makeFolder(files, to)
    if (files.exists(from)) moveAside(files, from, join(to, name))
    files.syncFolder(to)
  }
  const tables = damaged.map(({ backend, table, name, entry }) => ({
    backend,
    table,
    remove: [name],
    addAside: [entry],
  }))
  await manifest.commit({ tables })
  for (const { backend, name } of damaged) {
    const from = join(backendFolder(folder, backend), name)
    if (files.exists(from)) files.remove(from)
  }
  return aside
}
