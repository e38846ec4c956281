import { PAGE_BYTES } from '../../../base/index.ts'
import { crc32 } from '../../../system/index.ts'
import { decodeText, encodeText, fold, valueTag, type Dictionary } from '../../../data/index.ts'
import type { GrowingDictionary } from '../../memory/index.ts'
import { decodeEntries, encodeRemembered, type Entries } from '../codings/entries.ts'
import { MAX_BLOCK_BYTES } from '../layout.ts'
import { PackingFault, packed, unpacked } from '../codings/packing.ts'
import { FilterBuilder, keyOfBytes } from '../words/word-filter.ts'

/*
 * The body of a record in pages: a directory, the pages of a filter, then the pages with entries. Each field has its
 * length in bytes.
 *
 * - directory: bytes of the name 4 · name · first code 4 · number of entry pages 4 · number of filter pages 4 · for
 *   each entry page: entries 4 · encoded bytes 4 · decompressed bytes 4 · compression 4 · checksum 4
 * - filter page: 4,096 bytes of a filter of folded texts · checksum 4, which continues the checksum of the directory
 * - entry page: entries, as in a segment file
 */

export const PAGED_MAGIC = Buffer.from('SLD2')
/** Limits that decide whether a record has pages, and how long the pages are. */
export interface PageSizes {
  /** Records with fewer entries have no pages: reading them whole takes no longer than reading a page. */
  readonly leastEntries: number
  /** Number of entries per page. Reading one value costs one page. */
  readonly pageEntries: number
}

export const pageSizes: PageSizes = { leastEntries: 2048, pageEntries: 128 }
const PAGE_TEXT_BYTES = 8 * 1024
/** Size of a page's entry in the directory, bytes. */
export const PLACE_BYTES = 20
export const FILTER_PAGE_BYTES = PAGE_BYTES + 4

/** The location of a page of entries, relative to the beginning of the body, and the codes of its entries. */
export interface PageLocation {
  readonly firstCode: number
  readonly entries: number
  readonly at: number
  readonly storedBytes: number
  readonly plainBytes: number
  readonly packing: number
  readonly checksum: number
}

export interface PageDirectory {
  readonly field: string
  readonly filterPages: number
  /** The first code of each page; the last element is the code after the last page. */
  readonly firstCodes: Uint32Array
  /** The offset of each page in the body; the last element is the end of the last page. */
  readonly starts: Uint32Array
  /** The directory entries of the pages, encoded. */
  readonly records: Buffer
}

function filterOf({ tags, bytes, offsets }: Dictionary, codes: Uint32Array): FilterBuilder {
  const filter = new FilterBuilder(codes.length)
  for (const code of codes)
    if (tags[code] === valueTag.text)
      filter.add(keyOfBytes(encodeText(fold(decodeText(bytes, offsets[code], offsets[code + 1])))))
  return filter
}

/**
 * Encodes the body of a record in pages. `name` is the encoded name of the field, preceded by its length. `codes` must
 * be consecutive.
 */
export function encodePagedBody(
  name: Uint8Array,
  dictionary: GrowingDictionary,
  codes: Uint32Array,
  { pageEntries }: PageSizes,
): { readonly directory: Buffer; readonly pages: readonly Uint8Array[]; readonly filterPages: number } {
  const { offsets } = dictionary
  const records: Buffer[] = []
  const pages: Uint8Array[] = []
  for (let from = 0; from < codes.length;) {
    let to = from + 1
    while (
      to < codes.length &&
      to - from < pageEntries &&
      offsets[codes[to] + 1] - offsets[codes[from]] <= PAGE_TEXT_BYTES
    )
      to++
    const plain = encodeRemembered(dictionary, codes.subarray(from, to))
    const { bytes, packing } = packed(plain)
    const record = Buffer.alloc(PLACE_BYTES)
    for (const [i, number] of [to - from, bytes.length, plain.length, packing, crc32(bytes)].entries())
      record.writeUInt32LE(number, i * 4)
    records.push(record)
    pages.push(bytes)
    from = to
  }
  const filter = filterOf(dictionary, codes)
  const counts = Buffer.alloc(12)
  for (const [i, number] of [codes[0], records.length, filter.pages.length].entries())
    counts.writeUInt32LE(number, i * 4)
  const directory = Buffer.concat([name, counts, ...records])
  const seed = crc32(directory)
  const filterPages = filter.pages.map((page) => {
    const checked = Buffer.alloc(FILTER_PAGE_BYTES)
    checked.set(page)
    checked.writeUInt32LE(crc32(page, seed), PAGE_BYTES)
    return checked
  })
  return { directory, pages: [...filterPages, ...pages], filterPages: filterPages.length }
}

/** Decodes a directory; returns `undefined` if the lengths do not add up. */
export function decodeDirectory(bytes: Buffer): PageDirectory | undefined {
  const nameBytes = bytes.length < 4 ? Infinity : bytes.readUInt32LE(0)
  const from = 4 + nameBytes
  if (from + 12 > bytes.length) return undefined
  const pageCount = bytes.readUInt32LE(from + 4)
  const filterPages = bytes.readUInt32LE(from + 8)
  if (bytes.length !== from + 12 + pageCount * PLACE_BYTES || filterPages === 0) return undefined
  const records = bytes.subarray(from + 12)
  const firstCodes = new Uint32Array(pageCount + 1)
  const starts = new Uint32Array(pageCount + 1)
  firstCodes[0] = bytes.readUInt32LE(from)
  starts[0] = bytes.length + filterPages * FILTER_PAGE_BYTES
  for (let i = 0; i < pageCount; i++) {
    firstCodes[i + 1] = firstCodes[i] + records.readUInt32LE(i * PLACE_BYTES)
    starts[i + 1] = starts[i] + records.readUInt32LE(i * PLACE_BYTES + 4)
    // Each page has at least one entry and begins after the previous page.
    if (firstCodes[i + 1] <= firstCodes[i] || starts[i + 1] < starts[i]) return undefined
  }
  return { field: bytes.toString('utf8', 4, from), filterPages, firstCodes, starts, records }
}

/** Returns the location of a page. */
export function locationOf({ firstCodes, starts, records }: PageDirectory, page: number): PageLocation {
  const [entries, storedBytes, plainBytes, packing, checksum] = [0, 4, 8, 12, 16].map((offset) =>
    records.readUInt32LE(page * PLACE_BYTES + offset),
  )
  return { firstCode: firstCodes[page], at: starts[page], entries, storedBytes, plainBytes, packing, checksum }
}

/** Decodes the entries of one page and checks them. Returns a description of the fault if there is one. */
export function decodePage(stored: Buffer, location: PageLocation): Entries | string {
  if (location.plainBytes > MAX_BLOCK_BYTES) return 'a page is too long'
  if (crc32(stored) !== location.checksum) return 'a page does not match its checksum'
  let plain: Buffer
  try {
    plain = unpacked(stored, location.packing, location.plainBytes)
  } catch (error) {
    if (error instanceof PackingFault) return error.message
    throw error
  }
  const entries = decodeEntries(plain)
  const isSame =
    entries?.codes.length === location.entries && entries.codes.every((code, i) => code === location.firstCode + i)
  return entries !== undefined && isSame ? entries : 'a page has not the entries of its directory'
}

/** Returns a filter page without its checksum; `undefined` if the checksum differs. */
export function decodeFilterPage(stored: Buffer, directoryChecksum: number): Buffer | undefined {
  const page = stored.subarray(0, PAGE_BYTES)
  return crc32(page, directoryChecksum) === stored.readUInt32LE(PAGE_BYTES) ? page : undefined
}

/**
 * Decodes all entries of a body whose checksum was verified; returns `undefined` if it is not a valid body in pages.
 */
export function decodePagedBody(
  body: Buffer,
  directoryBytes: number,
): { readonly field: string; readonly entries: readonly Entries[]; readonly filterPages: number } | undefined {
  const directory = directoryBytes > body.length ? undefined : decodeDirectory(body.subarray(0, directoryBytes))
  if (directory === undefined) return undefined
  const entries: Entries[] = []
  for (let number = 0; number < directory.firstCodes.length - 1; number++) {
    const location = locationOf(directory, number)
    const page = decodePage(body.subarray(location.at, location.at + location.storedBytes), location)
    if (typeof page === 'string') return undefined
    entries.push(page)
  }
  const { field, filterPages, starts } = directory
  return starts.at(-1) === body.length ? { field, filterPages, entries } : undefined
}
