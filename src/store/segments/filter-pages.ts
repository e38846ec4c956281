import { CachedPart, type BlockCache } from './block-cache.ts'
import type { StoredFilter } from './layout.ts'
import type { OpenContents, SegmentFile } from './segment-file.ts'
import { PAGE_BYTES, mayHave, pageOf, type FilterKey } from './word-filter.ts'

/** A filter in a segment file, of which the pages are read that are asked. */
export class FilterPages {
  readonly #file: SegmentFile
  readonly #open: () => OpenContents
  readonly #cache: BlockCache
  readonly #filter: StoredFilter
  readonly #pages = new Map<number, CachedPart<Buffer>>()

  constructor(file: SegmentFile, open: () => OpenContents, cache: BlockCache, filter: StoredFilter) {
    this.#file = file
    this.#open = open
    this.#cache = cache
    this.#filter = filter
  }

  /** False where nothing with this key was put in. Throws SluiceError `durable/damaged`. */
  mayHave(key: FilterKey): boolean {
    const number = this.#filter.block + pageOf(this.#filter, key)
    let page = this.#pages.get(number)
    if (page === undefined) {
      page = new CachedPart(this.#cache, PAGE_BYTES, () => this.#read(number))
      this.#pages.set(number, page)
    }
    return mayHave(page.get(), key)
  }

  /** Whether the page that `mayHave` looks at is there. */
  isHeld(key: FilterKey): boolean {
    return this.#pages.get(this.#filter.block + pageOf(this.#filter, key))?.isHeld === true
  }

  /** Has the system read that page. */
  readAhead(key: FilterKey): void {
    this.#file.blocksAhead(this.#open(), this.#filter.block + pageOf(this.#filter, key))
  }

  #read(number: number): Buffer {
    const page = this.#file.plainBlock(this.#open(), number)
    if (page.length !== PAGE_BYTES) throw this.#file.damaged(`block ${number} is not a page of a filter`)
    return page
  }

  parts(): Iterable<CachedPart<unknown>> {
    return this.#pages.values()
  }
}
