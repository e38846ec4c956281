import { CHUNK_BYTES, present, type StepwiseTask } from '../../base/index.ts'
import { crc32 } from '../../system/index.ts'
import { readFailure } from '../durable/diagnostics.ts'
import type { PartSummary, RowGroupEntry } from '../durable/manifest.ts'
import type { Segment } from '../memory/index.ts'
import { BlockWriter } from './block-writer.ts'
import type { BlockSource } from './block-file.ts'
import { pieceSizes } from './codings/codings.ts'
import { PART_MAGIC, PART_VERSION, type PartContents, type WrittenContents } from './layout.ts'
import { SortedRun, writeFilter, type HashRun } from './part-filter.ts'
import type { StoredPart } from './stored-part.ts'
import { hashesInMemory } from './value-hashes.ts'
import { writeRowGroup, type TableNames } from './write-row-group.ts'

function* finish(
  writer: BlockWriter,
  table: string,
  rowGroups: readonly RowGroupEntry[],
  runs: readonly HashRun[],
): StepwiseTask<PartSummary> {
  const filter = yield* writeFilter(writer, runs, rowGroups.length)
  const contents: Omit<PartContents, keyof WrittenContents> = { table, rowGroups: rowGroups.length, filter }
  writer.finish(contents)
  return { bytes: writer.bytes, crc: writer.checksum, rowGroups }
}

/** Writes a segment in memory as a part with one row group. `write` must copy the bytes that it receives. */
export function* writePart(
  segment: Segment,
  names: TableNames,
  write: (bytes: Uint8Array) => void,
  sizes = pieceSizes,
): StepwiseTask<PartSummary> {
  const writer = new BlockWriter(write, PART_MAGIC, PART_VERSION)
  const rowGroup = yield* writeRowGroup(writer, segment, names, sizes)
  const hashes = yield* hashesInMemory(segment)
  return yield* finish(writer, names.table, [rowGroup], [new SortedRun(hashes, 0)])
}

/** A part from which row groups are copied. */
export interface MergeInput {
  readonly part: StoredPart
  /** The manifest entries of all row groups of the part, by number. */
  readonly rowGroups: readonly RowGroupEntry[]
  /** The numbers of the row groups to copy. */
  readonly chosen: readonly number[]
  /** For each row group number, the hashes of the row group. If given, they are used instead of the part's filter. */
  readonly hashes?: ReadonlyMap<number, Uint32Array> | undefined
}

function read(source: BlockSource, into: Uint8Array, at: number): number {
  try {
    return source.read(into, at)
  } catch (error) {
    throw readFailure(source.name, error)
  }
}

/** Copies a row group; returns true if its bytes match the checksum of the manifest. */
function* copyRowGroup(
  source: BlockSource,
  { at, bytes, crc }: RowGroupEntry,
  take: (bytes: Uint8Array) => void,
): StepwiseTask<boolean> {
  const buffer = Buffer.allocUnsafeSlow(Math.min(bytes, CHUNK_BYTES))
  let checksum = 0
  for (let from = 0; from < bytes; from += CHUNK_BYTES) {
    const some = buffer.subarray(0, Math.min(CHUNK_BYTES, bytes - from))
    if (read(source, some, at + from) !== some.length) return false
    checksum = crc32(some, checksum)
    take(some)
    yield
  }
  return checksum === crc
}

/**
 * Writes a part with row groups of other parts. Row groups are copied as bytes and keep their order. Throws SluiceError
 * `durable/damaged` if a row group or a filter is damaged.
 */
export function* mergeParts(
  inputs: readonly MergeInput[],
  table: string,
  write: (bytes: Uint8Array) => void,
): StepwiseTask<PartSummary> {
  const writer = new BlockWriter(write, PART_MAGIC, PART_VERSION)
  const rowGroups: RowGroupEntry[] = []
  const runs: HashRun[] = []
  for (const { part, rowGroups: own, chosen, hashes } of inputs) {
    const newNumbers = new Map<number, number>()
    for (const number of chosen) {
      const entry = present(own[number], 'a row group of the part')
      const { at, value: isWhole } = yield* writer.copied((take) => copyRowGroup(part.source, entry, take))
      if (!isWhole) throw part.file.damaged(`row group ${number} does not match its checksum`)
      newNumbers.set(number, rowGroups.length)
      rowGroups.push({ ...entry, at })
    }
    if (hashes === undefined) runs.push(part.hashes((number) => newNumbers.get(number)))
    else for (const [number, newNumber] of newNumbers) runs.push(new SortedRun(present(hashes.get(number)), newNumber))
  }
  return yield* finish(writer, table, rowGroups, runs)
}
