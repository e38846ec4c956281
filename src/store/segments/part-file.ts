import { type BlockReads } from '../../base/index.ts'
import type { RowGroupEntry } from '../durable/manifest.ts'
import { PART_MAGIC, PART_VERSION, ROW_GROUP_MAGIC, type PartContents, type RowGroupContents } from './layout.ts'
import { decodeEntries, type Entries } from './codings/entries.ts'
import { isPartContents, isRowGroupContents } from './contents-shape.ts'
import { BlockFile, type BlockFileKind, type BlockSource, type OpenContents } from './block-file.ts'

const partKind: BlockFileKind = {
  magic: PART_MAGIC,
  version: PART_VERSION,
  what: 'a part',
  isContents: isPartContents,
}

/** The file of a part. Its first blocks are its row groups. */
export class PartFile extends BlockFile<PartContents> {
  /** `counts` receives the number of reads and bytes. */
  constructor(source: BlockSource, counts: BlockReads) {
    super(source, counts, partKind)
  }
}

/** Returns a source for the bytes of one row group inside the file of a part. */
export function rowGroupSource(
  part: BlockSource,
  number: number,
  { at, bytes, crc }: Pick<RowGroupEntry, 'at' | 'bytes' | 'crc'>,
): BlockSource {
  const within = (from: number, length: number): number => Math.max(0, Math.min(length, bytes - from))
  return {
    name: part.name,
    section: `row group ${number}`,
    bytes,
    crc,
    key: part.key,
    rowGroup: number,
    read: (into, from) => part.read(into.subarray(0, within(from, into.length)), at + from),
    readAhead: (from, length) => part.readAhead?.(at + from, within(from, length)),
  }
}

const rowGroupKind: BlockFileKind = {
  magic: ROW_GROUP_MAGIC,
  version: PART_VERSION,
  what: 'a row group',
  isContents: isRowGroupContents,
}

/** A row group: a block file inside the file of its part. */
export class RowGroupFile extends BlockFile<RowGroupContents> {
  /** `counts` receives the number of reads and bytes. */
  constructor(source: BlockSource, counts: BlockReads) {
    super(source, counts, rowGroupKind)
  }

  /** Yields the values of the codes that are used in all fields, or in one. Dictionaries can be rebuilt from them. */
  *entries(open: OpenContents, field?: string): Generator<readonly [string, Entries]> {
    for (const { name, column } of open.contents.columns) {
      if (field !== undefined && name !== field) continue
      const coded = column.kind === 'sparse' ? column.present : column
      if (coded.kind !== 'dictionary') continue
      const entries = decodeEntries(this.plainBlock(open, coded.values))
      if (entries === undefined) throw this.damaged(`block ${coded.values} is not values of codes`)
      yield [name, entries]
    }
  }
}
