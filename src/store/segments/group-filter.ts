import { SluiceError, type Turns } from '../../base/index.ts'
import type { Bitmap } from '../../data/index.ts'
import { isReadFailed } from '../durable/diagnostics.ts'
import { cutWord, type SegmentGroup } from '../memory/index.ts'
import { CachedPart, CachedParts, type BlockCache } from './block-cache.ts'
import { BlockWriter } from './block-writer.ts'
import { DigitSorter } from './digit-sorter.ts'
import { fieldHashes, hashOfWord } from './group-items.ts'
import { GroupPage, bitsBelow, encodePage } from './group-page.ts'
import { isCount, isText, listOf, shapeOf } from './shape.ts'
import { BlockFile, type BlockFileKind, type OpenContents, type SegmentSource } from './segment-file.ts'

/** A place is a byte. */
const PLACE_BITS = 8
/** Segments of a group at most. */
export const MOST_PLACES = 1 << PLACE_BITS
/** Bits of hashes in files at most. */
const MOST_HASH_BITS = 30
/** Those of one page, with their places, are numbers of 32 bits. */
const PAGE_HASH_BITS = 24
/** What an item takes about, for pages to have some 8 KiB. */
const ITEM_BITS = 12
const PAGE_BITS = 8192 * 8
/** So many times more hashes than items: one absent thing in so many is found in a segment by mistake. */
const SPARE_BITS = 1
/** More texts than this are not looked up. */
const MOST_TEXTS = 64

/** What the file of a group says of itself; page `n` is block `n`. */
export interface GroupContents {
  readonly table: string
  readonly textField: string
  /** Names of the segments, by their places. */
  readonly segments: readonly string[]
  readonly hashBits: number
  readonly pages: number
}

export const groupKind: BlockFileKind = {
  magic: Buffer.from('SLUICEGF'),
  version: 1,
  what: 'the filter of a group of segments',
  isContents: shapeOf<GroupContents>(
    { table: isText, textField: isText, segments: listOf(isText), hashBits: isCount, pages: isCount },
    ({ segments, hashBits, pages }, blocks) =>
      segments.length <= MOST_PLACES && hashBits <= MOST_HASH_BITS && pages > 0 && pages === blocks,
  ),
}

/** Hashes of a page: from `start` up to `end`. */
function pageRange(page: number, { hashBits, pages }: Pick<GroupContents, 'hashBits' | 'pages'>) {
  const all = 2 ** hashBits
  return { start: Math.ceil((page * all) / pages), end: Math.ceil(((page + 1) * all) / pages) }
}

function pageOf(hash: number, { hashBits, pages }: Pick<GroupContents, 'hashBits' | 'pages'>): number {
  return Math.floor((hash * pages) / 2 ** hashBits)
}

/** Where hashes of segments come from, in ascending order. */
export interface ItemRun {
  /** About so many. */
  readonly count: number
  /** Bits that are known of each hash. */
  readonly hashBits: number
  /** Gives what is left below a hash of 32 bits. */
  take(below: number, give: (hash: number, place: number) => void): void
}

/** Of one segment, by a sorted array of its hashes. */
export function sortedRun(hashes: Uint32Array, place: number): ItemRun {
  let at = 0
  return {
    count: hashes.length,
    hashBits: 32,
    take(below, give) {
      for (; at < hashes.length && hashes[at] < below; at++) give(hashes[at], place)
    },
  }
}

/** A file of a group in the making, from runs in the order of the places that they give. `segments` are names by places. */
export function* writeGroup(
  runs: readonly ItemRun[],
  about: Pick<GroupContents, 'table' | 'textField' | 'segments'>,
  write: (bytes: Uint8Array) => void,
): Turns<{ readonly bytes: number; readonly crc: number }> {
  const places = about.segments.length
  let count = 0
  let known = MOST_HASH_BITS
  for (const run of runs) {
    count += run.count
    known = Math.min(known, run.hashBits)
  }
  // A group that others will be put together with keeps what tells its items from theirs.
  const growthBits = Math.ceil(Math.log2(MOST_PLACES / places))
  const wanted = Math.ceil(Math.log2(count + 1)) + growthBits + SPARE_BITS
  const pages = Math.max(1, Math.ceil((count * ITEM_BITS) / PAGE_BITS))
  const shape = { hashBits: Math.min(known, wanted, PAGE_HASH_BITS + Math.floor(Math.log2(pages))), pages }
  const shift = 32 - shape.hashBits
  const writer = new BlockWriter(write, groupKind.magic, groupKind.version)
  const sorter = new DigitSorter()
  let items = new Uint32Array(8192)
  for (let page = 0; page < shape.pages; page++) {
    const { start, end } = pageRange(page, shape)
    let length = 0
    const give = (hash: number, place: number): void => {
      if (length === items.length) {
        const longer = new Uint32Array(length * 2)
        longer.set(items)
        items = longer
      }
      items[length++] = (((hash >>> shift) - start) << 8) | place
    }
    for (const run of runs) run.take(end * 2 ** shift, give)
    // Runs come in the order of their places, so that hashes alone have to be put in order.
    const sorted = items.subarray(0, length)
    sorter.sort(sorted, PLACE_BITS, PLACE_BITS + bitsBelow(end - start))
    const words = encodePage(distinct(sorted), { range: end - start, places })
    writer.block(Buffer.from(words.buffer))
    yield
  }
  const contents: GroupContents = { ...about, ...shape }
  writer.finish(contents)
  return { bytes: writer.bytes, crc: writer.checksum }
}

function distinct(sorted: Uint32Array): Uint32Array {
  let count = 0
  for (let i = 0; i < sorted.length; i++) if (i === 0 || sorted[i] !== sorted[i - 1]) sorted[count++] = sorted[i]
  return sorted.subarray(0, count)
}

/** Those of segments that may have one of some texts in a field. */
function textHashes(field: string, folded: readonly Uint8Array[]): readonly number[] {
  const hashes = fieldHashes(field)
  return [hashes.isOther, ...folded.map((text) => hashes.ofText(text))]
}

export interface GroupOptions {
  readonly source: SegmentSource
  /** As the manifest has them. */
  readonly segments: readonly string[]
  readonly textField: string
  readonly cache: BlockCache
  /** Told once of a file that cannot be read: its segments are asked one by one then. */
  readonly onDamage: (error: SluiceError) => void
}

/** The filter of a group, of which the pages are read that are asked. Where it is damaged it knows nothing, and says so once. */
export class GroupFilter implements SegmentGroup {
  readonly textField: string
  readonly #segments: readonly string[]
  readonly #file: BlockFile<GroupContents>
  readonly #contents: CachedPart<OpenContents<GroupContents>>
  readonly #pages: CachedParts<GroupPage>
  readonly #onDamage: GroupOptions['onDamage']
  #isDamaged = false
  #ahead: SegmentGroup | undefined

  constructor({ source, segments, textField, cache, onDamage }: GroupOptions) {
    this.textField = textField
    this.#segments = segments
    this.#onDamage = onDamage
    this.#file = new BlockFile<GroupContents>(source, cache.counts, groupKind)
    // Of each page there are a checksum, lengths and a place.
    this.#contents = new CachedPart(cache, Math.ceil(source.bytes / 8192) * 32, () => this.#open())
    this.#pages = new CachedParts(
      cache,
      (number) => this.#contents.get().blocks.plainBytes[number],
      (number) => this.#read(number),
    )
  }

  #open(): OpenContents<GroupContents> {
    const open = this.#file.open()
    const { segments, pages, hashBits, textField } = open.contents
    const isSame =
      textField === this.textField &&
      pages === open.blocks.count &&
      hashBits <= MOST_HASH_BITS &&
      segments.length === this.#segments.length &&
      segments.every((name, place) => name === this.#segments[place])
    if (!isSame) throw this.#file.damaged('it is of other segments than the manifest says')
    return open
  }

  readAhead(): void {
    if (!this.#isDamaged && !this.#contents.isHeld) this.#file.openAhead()
  }

  #read(number: number): GroupPage {
    const open = this.#contents.get()
    const bytes = this.#file.plainBlock(open, number)
    const { start, end } = pageRange(number, open.contents)
    const words = new Uint32Array(bytes.length >>> 2)
    new Uint8Array(words.buffer).set(bytes.subarray(0, words.byteLength))
    const page = GroupPage.of(words, { range: end - start, places: this.#segments.length })
    if (page === undefined) throw this.#file.damaged(`block ${number} is not a page of hashes`)
    return page
  }

  /** Adds the places that have a hash. */
  #add(hash: number, to: Bitmap): void {
    const { hashBits, pages } = this.#contents.get().contents
    const known = hash >>> (32 - hashBits)
    const number = pageOf(known, { hashBits, pages })
    this.#pages.get(number).addPlaces(known - pageRange(number, { hashBits, pages }).start, to)
  }

  /** Has the pages read that have these hashes. */
  #pagesAhead(hashes: () => readonly number[]): undefined {
    this.#found(() => {
      const open = this.#contents.get()
      for (const hash of hashes()) {
        const number = pageOf(hash >>> (32 - open.contents.hashBits), open.contents)
        if (!this.#pages.isHeld(number)) this.#file.blocksAhead(open, number)
      }
    })
  }

  #found(add: (to: Bitmap) => void): Bitmap | undefined {
    if (this.#isDamaged) return undefined
    const found = new Uint32Array((this.#segments.length + 31) >>> 5)
    try {
      add(found)
      return found
    } catch (error) {
      if (this.#noteDamage(error)) return undefined
      throw error
    }
  }

  /** Whether an error says that the file is damaged, of a later version, or cannot be read now, which is no damage. */
  #noteDamage(error: unknown): boolean {
    if (!(error instanceof SluiceError)) return false
    if (isReadFailed(error)) return true
    if (!this.#isDamaged) this.#onDamage(error)
    this.#isDamaged = true
    return true
  }

  withWord(word: Uint8Array): Bitmap | undefined {
    return this.#found((to) => this.#add(hashOfWord(cutWord(word)), to))
  }

  withTexts(field: string, folded: readonly Uint8Array[]): Bitmap | undefined {
    if (folded.length > MOST_TEXTS) return undefined
    return this.#found((to) => {
      for (const hash of textHashes(field, folded)) this.#add(hash, to)
    })
  }

  get ahead(): SegmentGroup {
    return (this.#ahead ??= {
      textField: this.textField,
      withWord: (word) => this.#pagesAhead(() => [hashOfWord(cutWord(word))]),
      withTexts: (field, folded) =>
        folded.length > MOST_TEXTS ? undefined : this.#pagesAhead(() => textHashes(field, folded)),
    })
  }

  /**
   * All that it has, for a larger group: its places become others, or leave where there is none. Reads page after page. Throws
   * SluiceError `durable/damaged`.
   */
  run(placeOf: (place: number) => number | undefined): ItemRun {
    try {
      return this.#run(placeOf)
    } catch (error) {
      this.#noteDamage(error)
      throw error
    }
  }

  #run(placeOf: (place: number) => number | undefined): ItemRun {
    const open = this.#open()
    const { hashBits, pages } = open.contents
    let count = 0
    for (let page = 0; page < pages; page++) count += open.blocks.plainBytes[page]
    const placesNow = Array.from(this.#segments, (_, place) => placeOf(place))
    let page = 0
    let start = 0
    let items: Uint32Array = new Uint32Array(0)
    let at = 0
    const next = (): boolean => {
      if (page === pages) return false
      ;({ start } = pageRange(page, open.contents))
      items = this.#read(page++).items()
      at = 0
      return true
    }
    const shift = 2 ** (32 - hashBits)
    return {
      count: (count * 8) / ITEM_BITS,
      hashBits,
      take: (below, give) => {
        const end = below / shift
        try {
          for (;;) {
            for (; at < items.length; at++) {
              const hash = start + (items[at] >>> 8)
              if (hash >= end) return
              const place = placesNow[items[at] & 255]
              if (place !== undefined) give(hash * shift, place)
            }
            if (!next()) return
          }
        } catch (error) {
          this.#noteDamage(error)
          throw error
        }
      },
    }
  }

  *parts(): Generator<CachedPart<unknown>> {
    yield this.#contents
    yield* this.#pages.parts()
  }
}
