import { SluiceError, nowhere, present } from '../../../base/index.ts'
import { crc32 } from '../../../system/index.ts'
import { valueTag } from '../../../data/index.ts'
import { durableDiagnostic, readFailure } from '../../durable/diagnostics.ts'
import type { DictionaryRecord } from '../../durable/manifest.ts'
import type { GrowingDictionary } from '../../memory/index.ts'
import { PAGED_MAGIC, decodePagedBody, encodePagedBody, type PageSizes } from './dictionary-pages.ts'
import { decodeEntries, encodeRemembered, type Entries } from '../codings/entries.ts'
import { headBytes, MAX_BLOCK_BYTES } from '../layout.ts'
import { PackingFault, packed, unpacked } from '../codings/packing.ts'
import type { BlockSource } from '../block-file.ts'

/*
 * A record of a dictionary file (format in `dictionaries-file.ts`). A record has entries of one field. Its codes follow
 * those of the field's previous record.
 */

const RECORD_MAGIC = Buffer.from('SLD1')

export interface NewRecord {
  readonly chunks: readonly Uint8Array[]
  readonly checksum: number
  readonly otherEntries: number
  readonly paged: Pick<DictionaryRecord, 'directory'>
}

export function encodedRecord(
  field: string,
  dictionary: GrowingDictionary,
  codes: Uint32Array,
  before: number,
  sizes: PageSizes,
): NewRecord {
  const { tags } = dictionary
  let otherEntries = 0
  for (const code of codes) if (tags[code] !== valueTag.text && !dictionary.isForgotten(code)) otherEntries++
  const name = Buffer.from(field)
  const length = Buffer.alloc(4)
  length.writeUInt32LE(name.length)
  const head = Buffer.alloc(headBytes.dictionaryRecord)
  head.writeUInt32LE(before, 16)
  const finished = (body: readonly Uint8Array[]): Pick<NewRecord, 'chunks' | 'checksum'> => {
    const checksum = body.reduce((sum, chunk) => crc32(chunk, sum), crc32(head.subarray(0, 20)))
    head.writeUInt32LE(checksum, 20)
    return { chunks: [head, ...body], checksum }
  }
  if (codes.length < sizes.leastEntries) {
    const plain = Buffer.concat([length, name, encodeRemembered(dictionary, codes)])
    const body = packed(plain)
    head.set(RECORD_MAGIC)
    head.writeUInt32LE(body.bytes.length, 4)
    head.writeUInt32LE(plain.length, 8)
    head.writeUInt32LE(body.packing, 12)
    return { ...finished([body.bytes]), otherEntries, paged: {} }
  }
  const { directory, pages, filterPages } = encodePagedBody(Buffer.concat([length, name]), dictionary, codes, sizes)
  head.set(PAGED_MAGIC)
  head.writeUInt32LE(
    pages.reduce((sum, page) => sum + page.length, directory.length),
    4,
  )
  head.writeUInt32LE(directory.length, 8)
  const paged = { directory: { bytes: directory.length, checksum: crc32(directory), filterPages } }
  return { ...finished([directory, ...pages]), otherEntries, paged }
}

export function damaged({ name }: BlockSource, what: string): SluiceError {
  return new SluiceError([durableDiagnostic('damaged', { part: name, what }, nowhere)])
}

/** Reads bytes of a file. Throws SluiceError `durable/damaged` if the file ends before them. */
export function bytesAt(source: BlockSource, at: number, length: number): Buffer {
  if (at + length > source.bytes) throw damaged(source, 'it ends within a record')
  const read = Buffer.allocUnsafeSlow(length)
  let count: number
  try {
    count = source.read(read, at)
  } catch (error) {
    throw readFailure(source.name, error)
  }
  if (count !== length) throw damaged(source, 'it is shorter than it was')
  return read
}

export interface ReadRecord extends Omit<DictionaryRecord, 'size' | 'otherEntries'> {
  /** The checksum of the previous record, as stored in this record. */
  readonly before: number
  /** The entries in the order of their codes, one element per page. */
  readonly entries: readonly Entries[]
}

/** Reads the record at offset `at` and verifies its checksum. Throws SluiceError `durable/damaged`. */
export function recordAt(source: BlockSource, at: number): ReadRecord {
  const head = bytesAt(source, at, headBytes.dictionaryRecord)
  const storedBytes = head.readUInt32LE(4)
  const isPaged = head.subarray(0, 4).equals(PAGED_MAGIC)
  if (!isPaged && !head.subarray(0, 4).equals(RECORD_MAGIC))
    throw damaged(source, `what stands at ${at} is not a record`)
  const body = bytesAt(source, at + headBytes.dictionaryRecord, storedBytes)
  const checksum = crc32(body, crc32(head.subarray(0, 20)))
  if (checksum !== head.readUInt32LE(20)) throw damaged(source, `the record at ${at} does not match its checksum`)
  const shared = { at, bytes: headBytes.dictionaryRecord + storedBytes, before: head.readUInt32LE(16), checksum }
  if (isPaged) {
    const directoryBytes = head.readUInt32LE(8)
    const read = decodePagedBody(body, directoryBytes)
    if (read === undefined) throw damaged(source, `the record at ${at} is not entries of a dictionary in pages`)
    const { field, entries, filterPages } = read
    const directory = { bytes: directoryBytes, checksum: crc32(body.subarray(0, directoryBytes)), filterPages }
    return { ...shared, field, entries, directory }
  }
  const plainBytes = head.readUInt32LE(8)
  if (plainBytes > MAX_BLOCK_BYTES) throw damaged(source, `what stands at ${at} is not a record`)
  let plain: Buffer
  try {
    plain = unpacked(body, head.readUInt32LE(12), plainBytes)
  } catch (error) {
    if (error instanceof PackingFault) throw damaged(source, `the record at ${at}: ${error.message}`)
    throw error
  }
  const nameBytes = plain.length < 4 ? Infinity : plain.readUInt32LE(0)
  const entries = nameBytes + 4 > plain.length ? undefined : decodeEntries(plain.subarray(4 + nameBytes))
  if (entries === undefined) throw damaged(source, `the record at ${at} is not entries of a dictionary`)
  return { ...shared, field: plain.toString('utf8', 4, 4 + nameBytes), entries: [entries] }
}

/**
 * Returns the entries of a record that the manifest lists. Throws SluiceError `durable/damaged` if the record differs.
 */
export function namedRecord(source: BlockSource, record: DictionaryRecord, firstCode: number): readonly Entries[] {
  const { at, field, checksum, bytes, size } = record
  const read = recordAt(source, at)
  const isSame = read.field === field && read.checksum === checksum && read.bytes === bytes
  if (!isSame || nextCode(source, read, firstCode) !== size)
    throw damaged(source, `the record at ${at} is another than the manifest says`)
  return read.entries
}

/**
 * Returns the code after the last one of a record. Throws SluiceError `durable/damaged` if the codes are not
 * consecutive from `firstCode` on.
 */
export function nextCode(source: BlockSource, { at, entries }: ReadRecord, firstCode: number): number {
  let next = firstCode
  for (const { codes } of entries)
    for (const code of codes)
      if (code !== next++) throw damaged(source, `the record at ${at} does not follow the codes before it`)
  return next
}

/** Does the same as `namedRecord`, for a record without pages. */
export function readRecord(source: BlockSource, record: DictionaryRecord, firstCode: number): Entries {
  return present(namedRecord(source, record, firstCode)[0], 'entries')
}
