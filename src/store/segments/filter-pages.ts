import { CachedParts, type BlockCache, type CachedPart } from './block-cache.ts'
import type { StoredFilter } from './layout.ts'
import type { OpenContents, SegmentFile } from './segment-file.ts'
import { PAGE_BYTES, mayHave, pageOf, type FilterKey } from './word-filter.ts'

/** A filter in a segment file, of which the pages are read that are asked. */
export class FilterPages {
  readonly #file: SegmentFile
  readonly #open: () => OpenContents
  readonly #filter: StoredFilter
  readonly #pages: CachedParts<Buffer>

  constructor(file: SegmentFile, open: () => OpenContents, cache: BlockCache, filter: StoredFilter) {
    this.#file = file
    this.#open = open
    this.#filter = filter
    this.#pages = new CachedParts(
      cache,
      () => PAGE_BYTES,
      (block) => this.#read(block),
    )
  }

  /** False where nothing with this key was put in. Throws SluiceError `durable/damaged`. */
  mayHave(key: FilterKey): boolean {
    return mayHave(this.#pages.get(this.#blockOf(key)), key)
  }

  /** Whether the page that `mayHave` looks at is there. */
  isHeld(key: FilterKey): boolean {
    return this.#pages.isHeld(this.#blockOf(key))
  }

  /** Has the system read that page. */
  readAhead(key: FilterKey): void {
    this.#file.blocksAhead(this.#open(), this.#blockOf(key))
  }

  #blockOf(key: FilterKey): number {
    return this.#filter.block + pageOf(this.#filter, key)
  }

  #read(block: number): Buffer {
    const page = this.#file.plainBlock(this.#open(), block)
    if (page.length !== PAGE_BYTES) throw this.#file.damaged(`block ${block} is not a page of a filter`)
    return page
  }

  parts(): Iterable<CachedPart<unknown>> {
    return this.#pages.parts()
  }
}
