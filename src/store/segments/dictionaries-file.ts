import { crc32 } from 'node:zlib'
import { Bytes, SluiceError, nowhere } from '../../base/index.ts'
import { valueTag } from '../../data/index.ts'
import { durableDiagnostic } from '../durable/diagnostics.ts'
import type { DictionaryRecord } from '../durable/manifest.ts'
import { GrowingDictionary } from '../memory/index.ts'
import { decodeEntries, encodeRemembered, nothingUnder, type Entries } from './entries.ts'
import { HEAD_BYTES, MAX_BLOCK_BYTES, encodeHead, versionOfHead } from './layout.ts'
import { PackingFault, packed, unpacked } from './packing.ts'
import type { SegmentSource } from './segment-file.ts'

/*
 * The dictionaries of one table: a head and records, which are only ever added.
 *
 *   head     magic 8 · version 4 · checksum 4                                                              16 bytes
 *   record   magic 4 · stored bytes of the body 4 · its plain bytes 4 · its packing 4 · checksum of the record before 4 ·
 *            checksum of these 20 bytes and the body 4 · body
 *   body     bytes of the name 4 · name of the field · entries, as in a segment file
 */

const VERSION = 1
const HEAD_MAGIC = Buffer.from('SLUICEDI')
const RECORD_MAGIC = Buffer.from('SLD1')
const RECORD_HEAD = 24
/** Entries of one record, so that no record is long. */
const MAX_ENTRIES = 65_536

export interface DictionaryChanges {
  /** To be written behind what the file has, in this order. Empty when nothing has come. */
  readonly pieces: readonly Uint8Array[]
  /** How long the file is with them. */
  readonly endBytes: number
  readonly records: readonly DictionaryRecord[]
  /** To be called once they are written: the next changes are those since. */
  commit(): void
}

/** Which entries a dictionaries file has. Without arguments it is one that is to be written from its head on. */
export class DictionariesFile {
  readonly #records = new Map<string, DictionaryRecord[]>()
  /** Whether the records follow one another from the head to the end. */
  readonly isWhole: boolean
  #endBytes: number
  /** Checksum of the last record; 0 when there is none. */
  #checksum = 0

  constructor(records: Iterable<DictionaryRecord> = [], endBytes = 0) {
    this.#endBytes = endBytes
    let at = HEAD_BYTES
    let isWhole = true
    for (const record of records) {
      this.#add(record)
      isWhole &&= record.at === at
      at = record.at + record.bytes
    }
    this.isWhole = isWhole && (at === endBytes || endBytes === 0)
  }

  #add(record: DictionaryRecord): void {
    const known = this.#records.get(record.field)
    if (known === undefined) this.#records.set(record.field, [record])
    else known.push(record)
    this.#checksum = record.checksum
  }

  get endBytes(): number {
    return this.#endBytes
  }

  get fields(): Iterable<string> {
    return this.#records.keys()
  }

  /** Codes of a field, code 0 included, which is in no file. */
  size(field: string): number {
    return this.#records.get(field)?.at(-1)?.size ?? 1
  }

  /** What the file lacks of these dictionaries. */
  changes(dictionaries: Iterable<readonly [string, GrowingDictionary]>): DictionaryChanges {
    const pieces: Uint8Array[] = this.#endBytes === 0 ? [encodeHead(HEAD_MAGIC, VERSION)] : []
    const records: DictionaryRecord[] = []
    let checksum = this.#checksum
    let at = this.#endBytes === 0 ? HEAD_BYTES : this.#endBytes
    for (const [field, dictionary] of dictionaries) {
      const { size } = dictionary
      for (let from = this.size(field); from < size; from += MAX_ENTRIES) {
        const to = Math.min(size, from + MAX_ENTRIES)
        const codes = Uint32Array.from({ length: to - from }, (_, i) => from + i)
        const name = Buffer.from(field)
        const length = Buffer.alloc(4)
        length.writeUInt32LE(name.length)
        const plain = Buffer.concat([length, name, encodeRemembered(dictionary, codes)])
        const body = packed(plain)
        const head = Buffer.alloc(RECORD_HEAD)
        head.set(RECORD_MAGIC)
        head.writeUInt32LE(body.bytes.length, 4)
        head.writeUInt32LE(plain.length, 8)
        head.writeUInt32LE(body.packing, 12)
        head.writeUInt32LE(checksum, 16)
        checksum = crc32(body.bytes, crc32(head.subarray(0, 20)))
        head.writeUInt32LE(checksum, 20)
        pieces.push(head, body.bytes)
        const bytes = RECORD_HEAD + body.bytes.length
        records.push({ field, at, bytes, size: to, checksum })
        at += bytes
      }
    }
    return {
      pieces,
      endBytes: at,
      records,
      commit: () => {
        for (const record of records) this.#add(record)
        this.#endBytes = at
      },
    }
  }

  /**
   * The dictionary of one field, of which only the head and its own records are read. Throws SluiceError `durable/damaged`,
   * `durable/newer-version`.
   */
  read(source: SegmentSource, field: string): GrowingDictionary {
    checkHead(source)
    const dictionary = new GrowingDictionary()
    dictionary.reserve(this.size(field))
    for (const { at, bytes, size, checksum } of this.#records.get(field) ?? []) {
      const read = recordAt(source, at)
      const isSame = read.field === field && read.checksum === checksum && read.bytes === bytes
      if (!isSame || dictionary.size + read.entries.codes.length !== size)
        throw damaged(source, `the record at ${at} is another than the manifest says`)
      restore(source, dictionary, read)
    }
    return dictionary
  }
}

function damaged({ name }: SegmentSource, what: string): SluiceError {
  return new SluiceError([durableDiagnostic('damaged', { part: name, what }, nowhere)])
}

function bytesAt(source: SegmentSource, at: number, length: number): Buffer {
  if (at + length > source.bytes) throw damaged(source, 'it ends within a record')
  const read = Buffer.allocUnsafe(length)
  let count: number
  try {
    count = source.read(read, at)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    throw damaged(source, `it cannot be read: ${String(error.code)}`)
  }
  if (count !== length) throw damaged(source, 'it is shorter than it was')
  return read
}

function checkHead(source: SegmentSource): void {
  const found = versionOfHead(bytesAt(source, 0, HEAD_BYTES), HEAD_MAGIC)
  if (found === undefined) throw damaged(source, 'its head does not match its checksum')
  if (found > VERSION) throw new SluiceError([durableDiagnostic('newer-version', { found, known: VERSION }, nowhere)])
}

interface ReadRecord extends Omit<DictionaryRecord, 'size'> {
  /** Checksum of the record before. */
  readonly before: number
  readonly entries: Entries
}

/** A record that matches its own checksum. */
function recordAt(source: SegmentSource, at: number): ReadRecord {
  const head = bytesAt(source, at, RECORD_HEAD)
  const storedBytes = head.readUInt32LE(4)
  const plainBytes = head.readUInt32LE(8)
  if (!head.subarray(0, 4).equals(RECORD_MAGIC) || plainBytes > MAX_BLOCK_BYTES)
    throw damaged(source, `what stands at ${at} is not a record`)
  const body = bytesAt(source, at + RECORD_HEAD, storedBytes)
  const checksum = crc32(body, crc32(head.subarray(0, 20)))
  if (checksum !== head.readUInt32LE(20)) throw damaged(source, `the record at ${at} does not match its checksum`)
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
  const field = plain.toString('utf8', 4, 4 + nameBytes)
  return { field, at, bytes: RECORD_HEAD + storedBytes, before: head.readUInt32LE(16), checksum, entries }
}

function restore(source: SegmentSource, dictionary: GrowingDictionary, { at, entries }: ReadRecord): void {
  if (entries.codes.some((code, i) => code !== dictionary.size + i))
    throw damaged(source, `the record at ${at} does not follow the codes before it`)
  dictionary.restore(entries)
}

/**
 * What a dictionaries file has, found by reading all of it up to `source.bytes`, the length in force. Throws SluiceError
 * `durable/damaged`, `durable/newer-version`.
 */
function scanDictionaries(source: SegmentSource): DictionariesFile {
  checkHead(source)
  const sizes = new Map<string, number>()
  const records: DictionaryRecord[] = []
  let last = 0
  for (let at = HEAD_BYTES; at < source.bytes;) {
    const { field, bytes, before, checksum, entries } = recordAt(source, at)
    if (before !== last) throw damaged(source, `a record before ${at} is missing`)
    last = checksum
    const first = sizes.get(field) ?? 1
    if (entries.codes.some((code, i) => code !== first + i))
      throw damaged(source, `the record at ${at} does not follow the codes before it`)
    sizes.set(field, first + entries.codes.length)
    records.push({ field, at, bytes, size: first + entries.codes.length, checksum })
    at += bytes
  }
  return new DictionariesFile(records, source.bytes)
}

/**
 * The file of which a manifest lists these records. Where it does not list all of them, as in folders of earlier builds, they are
 * found by reading the file, and others cannot be added: the next segment gets a file of its own. Throws as `scanDictionaries`.
 */
export function openDictionaries(
  source: SegmentSource,
  records: readonly DictionaryRecord[],
): { readonly file: DictionariesFile; readonly isListed: boolean } {
  const listed = new DictionariesFile(records, source.bytes)
  return listed.isWhole ? { file: listed, isListed: true } : { file: scanDictionaries(source), isListed: false }
}

/**
 * A dictionary of `size` codes made of entries with their codes, which are those of segments. A code that none of them has is
 * one that no row has: it stands for nothing.
 */
export function remadeDictionary(size: number, parts: Iterable<Entries>): GrowingDictionary {
  const known: (readonly [Entries, number] | undefined)[] = Array.from({ length: size }, () => undefined)
  for (const entries of parts)
    for (let i = 0; i < entries.codes.length; i++) if (entries.codes[i] < size) known[entries.codes[i]] ??= [entries, i]
  const dictionary = new GrowingDictionary()
  for (let code = 1; code < size; code++) {
    const [entries, i] = known[code] ?? [nothingEntry(code), 0]
    const { tags, numbers, bytes, offsets } = entries
    dictionary.restore({
      tags: tags.subarray(i, i + 1),
      numbers: numbers.subarray(i, i + 1),
      bytes,
      offsets: offsets.subarray(i, i + 2),
    })
  }
  return dictionary
}

function nothingEntry(code: number): Pick<Entries, 'tags' | 'numbers' | 'bytes' | 'offsets'> {
  const bytes = nothingUnder(code)
  const offsets = Uint32Array.of(0, bytes.length)
  return { tags: Uint8Array.of(valueTag.text), numbers: new Float64Array(0), bytes: Bytes.from(bytes), offsets }
}
