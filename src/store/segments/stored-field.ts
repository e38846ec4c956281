import { readsOfWork, type BlockReads } from '../../base/index.ts'
import {
  codeOrder,
  type CodeOrder,
  type FieldRows,
  type StoredColumn,
  type TopEnd,
  type TopList,
  type TopValues,
  type ZoneMap,
} from '../memory/index.ts'
import { CachedPart } from './block-cache.ts'
import { arrayParts, type ColumnSource } from './column-source.ts'
import { storedColumn, type ReadColumn } from './columns/index.ts'
import { doubleOfHex, type FieldContents, type StoredTopList, type StoredZones } from './layout.ts'
import type { ElementParts } from './stored-array.ts'
import { readPieces, type WantedPiece } from './wanted-pieces.ts'

/** A field of a segment in a file. */
export class StoredField implements StoredColumn {
  readonly missingCount: number
  readonly #source: ColumnSource
  readonly #contents: FieldContents
  readonly #rowCount: number
  #column: ReadColumn | undefined
  #counts: ElementParts<Uint32Array> | undefined
  #order: CachedPart<CodeOrder> | undefined
  /** Counters of the query that first requested `order`. They identify this query. */
  #orderWantedBy: BlockReads | undefined
  #isOrderWanted = false
  #zones: ZoneMap | undefined
  #tops: TopValues | undefined

  constructor(source: ColumnSource, contents: FieldContents, rowCount: number) {
    this.#source = source
    this.#contents = contents
    this.#rowCount = rowCount
    this.missingCount = contents.missingCount
  }

  get column(): ReadColumn {
    return (this.#column ??= this.#made())
  }

  #made(): ReadColumn {
    const { name, column } = this.#contents
    if (column.length !== this.#rowCount)
      throw this.#source.file.damaged(`its field \`${name}\` has ${column.length} rows, not ${this.#rowCount}`)
    return storedColumn(this.#source, name, column)
  }

  get counts(): Uint32Array | undefined {
    const { counts } = this.#contents
    if (counts === undefined) return undefined
    return (this.#counts ??= arrayParts(this.#source, counts, counts.length, Uint32Array)).get()
  }

  get hasOrder(): boolean {
    return this.#contents.hasOrder
  }

  /**
   * The rows by code. Deriving them from the codes is faster than reading them, and not storing them saves a third of
   * the space of the codes.
   */
  get order(): CodeOrder | undefined {
    if (!this.#contents.hasOrder) return undefined
    this.#order ??= new CachedPart(
      this.#source.cache,
      this.#rowCount * 2 + (this.#contents.counts?.length ?? 0) * 6,
      () => {
        const { column } = this
        if (column.kind !== 'dictionary') throw this.#source.file.damaged('rows by code of a field without codes')
        return codeOrder(column.codes, this.counts)
      },
    )
    return this.#order.get()
  }

  get isOrderMade(): boolean {
    return this.#order?.isHeld === true
  }

  wantsOrder(): boolean {
    const reads = readsOfWork()
    const isWanted = this.isOrderMade || (this.#isOrderWanted && (reads === undefined || reads !== this.#orderWantedBy))
    this.#isOrderWanted = true
    this.#orderWantedBy ??= reads
    return isWanted
  }

  get zones(): ZoneMap | undefined {
    const { zones } = this.#contents
    if (zones === undefined) return undefined
    return (this.#zones ??= new LazyZoneMap(this.#source, zones))
  }

  get tops(): TopValues | undefined {
    const { tops } = this.#contents
    if (tops === undefined) return undefined
    return (this.#tops ??= new LazyTops(this.#source, tops, this.#rowCount))
  }

  readAhead(): boolean {
    const { column } = this.#contents
    if (column.kind !== 'dictionary') return false
    if (this.isOrderMade || this.column.kind !== 'dictionary') return false
    // Prefetches only the codes. If further conditions leave few rows, only the data of these rows are read later.
    return this.#source.arrays.get(column.codes.block)?.wholeAhead() === true
  }

  rowsAhead(rows: Uint32Array): boolean {
    return this.column.readAhead?.(rows) === true
  }

  readTogether(all: readonly FieldRows[]): void {
    const wanted: WantedPiece[] = []
    for (const { field, rows } of all)
      if (field instanceof StoredField) wanted.push(...(field.column.wanted?.(rows) ?? []))
    readPieces(wanted)
  }
}

/** Smallest and largest number of each zone, read on first use. */
class LazyBounds {
  readonly #bounds: CachedPart<Pick<ZoneMap, 'mins' | 'maxs'>>

  constructor(source: ColumnSource, { mins, maxs }: Pick<StoredZones, 'mins' | 'maxs'>) {
    const { file, cache } = source
    this.#bounds = new CachedPart(cache, mins.length * 16, () => {
      const open = source.open()
      return { mins: file.typed(open, mins, Float64Array), maxs: file.typed(open, maxs, Float64Array) }
    })
  }

  get mins(): Float64Array {
    return this.#bounds.get().mins
  }

  get maxs(): Float64Array {
    return this.#bounds.get().maxs
  }
}

/**
 * The zone map of a field. The bounds of the whole field are in the contents and suffice for most segments; those of
 * zones are read on first use.
 */
class LazyZoneMap extends LazyBounds implements ZoneMap {
  readonly hasNan: boolean
  readonly isInteger: boolean
  readonly min: number
  readonly max: number

  constructor(source: ColumnSource, stored: StoredZones) {
    super(source, stored)
    this.hasNan = stored.hasNan
    this.isInteger = stored.isInteger
    this.min = doubleOfHex(stored.min)
    this.max = doubleOfHex(stored.max)
  }
}

/** The top values of a field. Each list is read separately, since a query needs only one. */
class LazyTops implements TopValues {
  readonly #highest: CachedPart<TopList>
  readonly #lowest: CachedPart<TopList>

  constructor(source: ColumnSource, { highest, lowest }: NonNullable<FieldContents['tops']>, rowCount: number) {
    const { file, cache } = source
    const list = ({ rows: storedRows, numbers: storedNumbers }: StoredTopList): CachedPart<TopList> =>
      new CachedPart(cache, file.bytesOf(storedRows) + file.bytesOf(storedNumbers), () => {
        const open = source.open()
        const rows = file.typed(open, storedRows, Uint16Array)
        const numbers = file.typed(open, storedNumbers, Float64Array)
        if (rows.length !== numbers.length || rows.some((row) => row >= rowCount))
          throw file.damaged(`block ${storedRows.block} lists rows that it does not have`)
        return { rows, numbers }
      })
    this.#highest = list(highest)
    this.#lowest = list(lowest)
  }

  get highest(): TopList {
    return this.#highest.get()
  }

  get lowest(): TopList {
    return this.#lowest.get()
  }

  isHeld(end: TopEnd): boolean {
    return (end === 'highest' ? this.#highest : this.#lowest).isHeld
  }
}
