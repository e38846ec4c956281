import { SluiceError } from '../../base/index.ts'
import type { Bitmap } from '../../data/index.ts'
import { isReadFailed } from '../durable/diagnostics.ts'
import type { RowGroupEntry } from '../durable/manifest.ts'
import { cutWord, type SegmentGroup } from '../memory/index.ts'
import { CachedPart, type BlockCache } from './block-cache.ts'
import type { BlockSource, OpenContents } from './block-file.ts'
import { PartFile, rowGroupSource } from './part-file.ts'
import type { PartContents } from './layout.ts'
import { StoredSegment, openSegment, type DictionaryOf } from './open-segment.ts'
import { PartFilter, type HashRun } from './part-filter.ts'
import { fieldHashes, hashOfWord } from './value-hashes.ts'

/** Maximum number of strings in a condition that uses filters. Each string costs reading a page per part. */
const MAX_STRINGS = 64

export interface PartOptions {
  readonly source: BlockSource
  readonly textField: string
  readonly cache: BlockCache
  /** Called once if the filter is damaged. Answers stay right, since then all row groups are read. */
  readonly onDamage?: (error: SluiceError) => void
}

/** Data for opening a row group, in addition to its manifest entry. */
export interface RowGroupOptions {
  readonly id: number
  readonly dictionaryOf: DictionaryOf
}

/** A part in a file. Its footer and its filter are read when a condition first needs them. */
export class StoredPart implements SegmentGroup {
  readonly textField: string
  readonly source: BlockSource
  readonly file: PartFile
  readonly #cache: BlockCache
  readonly #footer: CachedPart<OpenContents<PartContents>>
  readonly #filter: PartFilter
  readonly #onDamage: PartOptions['onDamage']
  #isFilterDamaged = false

  constructor({ source, textField, cache, onDamage }: PartOptions) {
    this.textField = textField
    this.source = source
    this.#cache = cache
    this.#onDamage = onDamage
    this.file = new PartFile(source, cache.counts)
    // Estimate: the footer has a checksum, lengths and an offset for each page of the filter.
    this.#footer = new CachedPart(cache, Math.ceil(source.bytes / 1024), () => this.file.open())
    this.#filter = new PartFilter(this.file, () => this.#footer.get(), cache)
  }

  /** Returns the row group with this number as a segment. `summary` is its manifest entry. */
  rowGroup(number: number, summary: RowGroupEntry, { id, dictionaryOf }: RowGroupOptions): StoredSegment {
    return openSegment({
      id,
      source: rowGroupSource(this.source, number, summary),
      summary,
      group: { group: this, number },
      textField: this.textField,
      dictionaryOf,
      cache: this.#cache,
    })
  }

  withWord(word: Uint8Array): Bitmap | undefined {
    return this.#rowGroupsOf([hashOfWord(cutWord(word))])
  }

  withTexts(field: string, folded: readonly Uint8Array[]): Bitmap | undefined {
    if (folded.length > MAX_STRINGS) return undefined
    const hashes = fieldHashes(field)
    return this.#rowGroupsOf([hashes.isOther, ...folded.map((text) => hashes.ofText(text))])
  }

  #rowGroupsOf(hashes: readonly number[]): Bitmap | undefined {
    if (this.#isFilterDamaged) return undefined
    try {
      const found = new Uint32Array((this.#footer.get().contents.rowGroups + 31) >>> 5)
      for (const hash of hashes) this.#filter.addRowGroups(hash, found)
      return found
    } catch (error) {
      if (!(error instanceof SluiceError)) throw error
      if (isReadFailed(error)) return undefined
      this.#isFilterDamaged = true
      this.#onDamage?.(error)
      return undefined
    }
  }

  /** Returns all hashes of the filter, as `PartFilter.run` does. Throws SluiceError `durable/damaged`. */
  hashes(newNumberOf: (rowGroup: number) => number | undefined): HashRun {
    return this.#filter.run(newNumberOf)
  }
}
