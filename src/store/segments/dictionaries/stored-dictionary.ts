import { headBytes } from '../layout.ts'
import { CHUNK_BYTES, PAGE_BYTES, SluiceError, lastThat, present } from '../../../base/index.ts'
import { crc32 } from '../../../system/index.ts'
import { decodeText, encodeText } from '../../../data/index.ts'
import type { DictionaryRecord } from '../../durable/manifest.ts'
import { entriesWithText, type DictionaryPages } from '../../memory/index.ts'
import { CachedPart, CachedParts, type BlockCache } from '../block-cache.ts'
import {
  FILTER_PAGE_BYTES,
  decodeDirectory,
  decodeFilterPage,
  decodePage,
  locationOf,
  PLACE_BYTES,
  type PageDirectory,
  type PageLocation,
} from './dictionary-pages.ts'
import { bytesAt, damaged, readRecord } from './dictionary-record.ts'
import type { Entries } from '../codings/entries.ts'
import type { BlockSource } from '../block-file.ts'
import { keyOfBytes, mayHave, pageOf, type FilterKey } from '../words/word-filter.ts'

/** Maximum number of entries of a dictionary that is always read whole, since that takes no longer than a few pages. */
export const FEW_ENTRIES = 8192
/** Memory of an entry without its text, bytes. */
export const ENTRY_BYTES = 13

/** Bytes that were read in advance, from offset `at` of the body of a record. */
interface Ahead {
  readonly at: number
  readonly bytes: Buffer
}

/** One record. A record without pages counts as a single page. */
class StoredRecord {
  /** The code of the record's first entry. */
  readonly firstCode: number
  readonly record: DictionaryRecord
  readonly #source: BlockSource
  readonly #cache: BlockCache
  readonly #directory: CachedPart<PageDirectory> | undefined
  readonly #filter: CachedParts<Buffer>
  readonly #pages: CachedParts<Entries>
  /** Bytes of later pages, which the last request has read too. */
  #ahead: Ahead | undefined

  constructor(source: BlockSource, record: DictionaryRecord, firstCode: number, cache: BlockCache) {
    this.#source = source
    this.record = record
    this.firstCode = firstCode
    this.#cache = cache
    this.#filter = new CachedParts(
      cache,
      () => PAGE_BYTES,
      (number) => this.#readFilterPage(number),
    )
    this.#pages = new CachedParts(
      cache,
      (number) => this.#bytesOfPage(number),
      (number) => this.#readPage(number),
    )
    const { directory } = record
    if (directory === undefined) return
    // In memory a page also has an offset and a first code, 8 bytes together.
    const bytes = Math.ceil(directory.bytes * (1 + 8 / PLACE_BYTES))
    this.#directory = new CachedPart(cache, bytes, () => this.#readDirectory(directory))
  }

  get #at(): number {
    return this.record.at + headBytes.dictionaryRecord
  }

  #damaged(what: string): SluiceError {
    return damaged(this.#source, `the record at ${this.record.at}: ${what}`)
  }

  #bytes(at: number, length: number): Buffer {
    this.#cache.countRead(length)
    return bytesAt(this.#source, at, length)
  }

  #readDirectory({ bytes, checksum }: Required<DictionaryRecord>['directory']): PageDirectory {
    const read = this.#bytes(this.#at, bytes)
    const directory = crc32(read) === checksum ? decodeDirectory(read) : undefined
    if (directory?.firstCodes[0] !== this.firstCode || directory.firstCodes.at(-1) !== this.record.size)
      throw this.#damaged('its directory is another than the manifest says')
    return directory
  }

  /** True if the record may contain the folded text with this key. */
  mayHave(key: FilterKey): boolean {
    const { directory } = this.record
    if (directory === undefined) return true
    const number = pageOf(directory.filterPages, key)
    return mayHave(this.#filter.get(number), key)
  }

  #readFilterPage(number: number): Buffer {
    const { bytes, checksum } = present(this.record.directory)
    const page = decodeFilterPage(
      this.#bytes(this.#at + bytes + number * FILTER_PAGE_BYTES, FILTER_PAGE_BYTES),
      checksum,
    )
    if (page === undefined) throw this.#damaged('a page of its filter does not match its checksum')
    return page
  }

  get pageCount(): number {
    return this.#directory === undefined ? 1 : this.#directory.get().firstCodes.length - 1
  }

  /** Returns the entries of page `number`. */
  page(number: number): Entries {
    return this.#pages.get(number)
  }

  #bytesOfPage(number: number): number {
    const location = this.#directory && locationOf(this.#directory.get(), number)
    const entries = location?.entries ?? this.record.size - this.firstCode
    const textBytes = location?.plainBytes ?? this.record.bytes * 2
    return textBytes + entries * ENTRY_BYTES
  }

  #readPage(number: number): Entries {
    if (this.#directory === undefined) {
      this.#cache.countRead(this.record.bytes)
      return readRecord(this.#source, this.record, this.firstCode)
    }
    const location = locationOf(this.#directory.get(), number)
    const page = decodePage(
      this.#aheadBytes(location) ?? this.#bytes(this.#at + location.at, location.storedBytes),
      location,
    )
    if (typeof page === 'string') throw this.#damaged(page)
    return page
  }

  #aheadBytes({ at, storedBytes }: PageLocation): Buffer | undefined {
    if (this.#ahead === undefined) return undefined
    const from = at - this.#ahead.at
    return this.#ahead.bytes.subarray(from, from + storedBytes)
  }

  /** Yields the entries of all pages, in order. Pages that are not cached are read with few long requests. */
  *pages(): Generator<Entries> {
    const directory = this.#directory?.get()
    let ahead: Ahead | undefined
    for (let number = 0; number < this.pageCount; number++) {
      if (directory !== undefined && !this.#pages.isHeld(number)) {
        const { at, storedBytes } = locationOf(directory, number)
        if (ahead === undefined || at + storedBytes > ahead.at + ahead.bytes.length) {
          const length = Math.max(storedBytes, Math.min(CHUNK_BYTES, directory.starts[this.pageCount] - at))
          ahead = { at, bytes: this.#bytes(this.#at + at, length) }
        }
        this.#ahead = ahead
      }
      let page: Entries
      try {
        page = this.page(number)
      } finally {
        this.#ahead = undefined
      }
      yield page
    }
  }

  /** Returns the entries of the page that contains a code. */
  pageOf(code: number): Entries {
    if (this.#directory === undefined) return this.page(0)
    const { firstCodes } = this.#directory.get()
    return this.page(lastThat(firstCodes.length - 1, (i) => firstCodes[i] <= code))
  }
}

/** Reads single texts of a long dictionary in a file. */
class StoredPages implements DictionaryPages {
  readonly #records: readonly StoredRecord[]

  constructor(source: BlockSource, records: readonly DictionaryRecord[], cache: BlockCache) {
    let firstCode = 1
    this.#records = records.map((record) => {
      const made = new StoredRecord(source, record, firstCode, cache)
      firstCode = record.size
      return made
    })
  }

  /**
   * Returns the result of `read`; `undefined` if the data are damaged. The caller then reads the whole dictionary,
   * which can be repaired.
   */
  #unlessDamaged<T>(read: () => T): T | undefined {
    try {
      return read()
    } catch (error) {
      if (error instanceof SluiceError && error.code === 'durable/damaged') return undefined
      throw error
    }
  }

  valueAt(code: number): string | undefined {
    return this.#unlessDamaged(() => {
      const number = lastThat(this.#records.length, (i) => this.#records[i].firstCode <= code)
      const { codes, bytes, offsets } = this.#records[number].pageOf(code)
      const i = code - codes[0]
      return decodeText(bytes, offsets[i], offsets[i + 1])
    })
  }

  findFolded(folded: string): readonly number[] | undefined {
    return this.#unlessDamaged(() => {
      const bytes = encodeText(folded)
      const key = keyOfBytes(bytes)
      const found: number[] = []
      for (const record of this.#records) {
        if (!record.mayHave(key)) continue
        for (const page of record.pages()) {
          for (const i of entriesWithText(page, { from: 0, to: page.codes.length }, folded, bytes))
            found.push(page.codes[i])
        }
      }
      return found
    })
  }
}

/**
 * Returns a reader of single entries; `undefined` if the dictionary must be read whole, because it is short or has
 * entries other than texts.
 */
export function storedPages(
  source: BlockSource,
  records: readonly DictionaryRecord[],
  cache: BlockCache,
  fewEntries: number,
): DictionaryPages | undefined {
  const last = records.at(-1)
  if (last?.otherEntries !== 0 || last.size <= fewEntries) return undefined
  return new StoredPages(source, records, cache)
}
