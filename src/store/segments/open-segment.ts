import type { GroupMember, GrowingDictionary, Segment, StoredColumn, TimeMarks, WordIndex } from '../memory/index.ts'
import type { RowGroupEntry } from '../durable/manifest.ts'
import type { Entries } from './codings/entries.ts'
import { CachedPart, type BlockCache } from './block-cache.ts'
import { arrayParts, type ColumnSource } from './column-source.ts'
import type { StoredArray } from './layout.ts'
import { NEAR_BYTES, type BlockSource, type OpenContents } from './block-file.ts'
import { RowGroupFile } from './part-file.ts'
import { ElementParts } from './stored-array.ts'
import { StoredField } from './stored-field.ts'
import { StoredWords } from './words/stored-words.ts'

/** Returns the dictionary of a field, from the table of the segment. */
export type DictionaryOf = (field: string) => GrowingDictionary

export interface OpenSegmentOptions {
  readonly id: number
  readonly source: BlockSource
  /** Facts about the row group, from the manifest. */
  readonly summary: Pick<RowGroupEntry, 'rowCount' | 'epoch' | 'firstDelta' | 'lastDelta' | 'firstSequence'>
  /** The part of which the segment is a row group, and the number of the row group. */
  readonly group?: GroupMember | undefined
  readonly textField: string
  readonly dictionaryOf: DictionaryOf
  readonly cache: BlockCache
}

/** Estimated memory of the contents per 16 KiB of the file, bytes, without the blocks right before the contents. */
const CONTENTS_BYTES = 64

/** Maximum number of segments whose contents are prefetched. */
const MOST_AHEAD = 16

/**
 * A segment that is a row group of a part. Data are read on demand through the block cache and may be evicted again.
 * Any access throws SluiceError `durable/damaged` if the data it needs are damaged.
 */
export class StoredSegment implements Segment {
  readonly id: number
  readonly rowCount: number
  readonly epoch: number
  readonly firstDelta: number
  readonly lastDelta: number
  readonly sequenceBase: number
  readonly textField: string
  /** Always 0, because the cache counts the memory of its blocks. */
  readonly memoryBytes = 0
  readonly group: GroupMember | undefined
  readonly source: BlockSource
  readonly file: RowGroupFile
  readonly #cache: BlockCache
  readonly #dictionaryOf: DictionaryOf
  readonly #contents: CachedPart<OpenContents>
  #next: StoredSegment | undefined
  /** Number of segments that a scan opened in sequence right before this one. */
  #turn = 0
  #isReadAhead = false
  /** The parsed contents; `undefined` until a column is first requested. */
  #opened: Opened | undefined

  constructor({ id, source, summary, group, textField, dictionaryOf, cache }: OpenSegmentOptions) {
    this.id = id
    this.source = source
    this.group = group
    this.rowCount = summary.rowCount
    this.epoch = summary.epoch
    this.firstDelta = summary.firstDelta
    this.lastDelta = summary.lastDelta
    this.sequenceBase = summary.firstSequence
    this.textField = textField
    this.#dictionaryOf = dictionaryOf
    this.#cache = cache
    this.file = new RowGroupFile(source, cache.counts)
    this.#contents = new CachedPart(cache, Math.ceil(source.bytes / 16_384) * CONTENTS_BYTES + NEAR_BYTES, () =>
      this.#open(),
    )
  }

  followedBy(next: Segment | undefined): void {
    this.#next = next instanceof StoredSegment ? next : undefined
  }

  readAhead(): void {
    if (this.#isReadAhead || this.#contents.isHeld) return
    this.#isReadAhead = true
    this.file.openAhead()
  }

  /**
   * Prefetches the contents of the next segments: twice as many as were opened in sequence. A query that needs only the
   * newest segment therefore prefetches nothing.
   */
  #openAhead(): void {
    if (this.#next !== undefined) this.#next.#turn = this.#turn + 1
    let ahead = this.#next
    for (let left = Math.min(MOST_AHEAD, this.#turn * 2); left > 0 && ahead !== undefined; left--) {
      ahead.readAhead()
      ahead = ahead.#next
    }
    this.#isReadAhead = false
  }

  #open(): OpenContents {
    this.#openAhead()
    const open = this.file.open()
    const { rowCount, epoch, sequenceBase, textField } = open.contents
    const isSame =
      rowCount === this.rowCount &&
      epoch === this.epoch &&
      sequenceBase === this.sequenceBase &&
      textField === this.textField
    if (!isSame) throw this.file.damaged('it is another row group than the manifest says')
    return open
  }

  #made(): Opened {
    this.#opened ??= new Opened(this.file, this.#cache, () => this.#contents.get(), this.#dictionaryOf)
    return this.#opened
  }

  get deltas(): Float64Array {
    return this.#made().source.deltas.get()
  }

  deltaOf(row: number): number {
    return this.#made().source.deltas.at(row)
  }

  get timeMarks(): TimeMarks | undefined {
    return this.#made().timeMarks?.get()
  }

  get sequenceOffsets(): Segment['sequenceOffsets'] {
    return this.#made().sequenceOffsets?.get()
  }

  sequenceOffsetOf(row: number): number {
    const { sequenceOffsets } = this.#made()
    return sequenceOffsets === undefined ? row : sequenceOffsets.at(row)
  }

  get columns(): ReadonlyMap<string, StoredColumn> {
    return this.#made().columns
  }

  get words(): WordIndex | undefined {
    return this.#made().words
  }

  /**
   * Yields the values of the codes that a field has in this segment, as stored in the segment's own file. Throws
   * SluiceError `durable/damaged`.
   */
  *entriesOf(field: string): Generator<Entries> {
    for (const [, entries] of this.file.entries(this.#contents.get(), field)) yield entries
  }
}

class Opened {
  readonly source: ColumnSource
  readonly columns: ReadonlyMap<string, StoredColumn>
  readonly words: StoredWords | undefined
  readonly timeMarks: CachedPart<TimeMarks> | undefined
  readonly sequenceOffsets: ElementParts<Uint16Array | Uint32Array | Float64Array> | undefined

  constructor(file: RowGroupFile, cache: BlockCache, open: () => OpenContents, dictionary: DictionaryOf) {
    const { contents } = open()
    const { rowCount, deltas, timeMarks, sequenceOffsets, columns, words } = contents
    if (deltas.length !== rowCount) throw file.damaged('its times are not those of its rows')
    const times = new ElementParts({ file, cache, open }, deltas, Float64Array)
    const arrays = new Map([[deltas.block, times]])
    this.source = { file, cache, open, dictionary, deltas: times, deltasBlock: deltas.block, arrays }
    if (timeMarks !== undefined) {
      const { unitNs, firstDelta, rows } = timeMarks
      this.timeMarks = new CachedPart(cache, file.bytesOf(rows), () => ({
        unitNs,
        firstDelta,
        rows: file.typed(open(), rows, Uint16Array),
      }))
    }
    if (sequenceOffsets !== undefined) {
      if (sequenceOffsets.length !== rowCount) throw file.damaged('its sequence numbers are not those of its rows')
      this.sequenceOffsets = this.#sequenceOffsets(sequenceOffsets)
    }
    this.columns = new Map(columns.map((field) => [field.name, new StoredField(this.source, field, rowCount)]))
    if (words !== undefined) this.words = new StoredWords(file, open, cache, rowCount, words)
  }

  #sequenceOffsets(stored: StoredArray): ElementParts<Uint16Array | Uint32Array | Float64Array> {
    const { source } = this
    switch (stored.type) {
      case 'u16':
        return arrayParts(source, stored, stored.length, Uint16Array)
      case 'f64':
        return arrayParts(source, stored, stored.length, Float64Array)
      default:
        return arrayParts(source, stored, stored.length, Uint32Array)
    }
  }
}

export function openSegment(options: OpenSegmentOptions): StoredSegment {
  return new StoredSegment(options)
}
