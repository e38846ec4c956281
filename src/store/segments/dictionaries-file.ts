import { crc32 } from 'node:zlib'
import { SluiceError, nowhere } from '../../base/index.ts'
import { durableDiagnostic } from '../durable/diagnostics.ts'
import { GrowingDictionary } from '../memory/index.ts'
import { decodeEntries, encodeEntries } from './entries.ts'
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

export function dictionariesHead(): Buffer {
  return encodeHead(HEAD_MAGIC, VERSION)
}

export interface DictionaryChanges {
  /** To be written behind what the file has, in this order. Empty when nothing has come. */
  readonly pieces: readonly Uint8Array[]
  readonly bytes: number
  /** To be called once they are written: the next changes are those since. */
  commit(): void
}

/** How far a dictionaries file goes. */
export class DictionariesEnd {
  /** Entries that the file has, by field; code 0 is in no file. */
  readonly #sizes = new Map<string, number>()
  /** Checksum of the last record; 0 when there is none. */
  #checksum = 0

  /** What the file lacks of these dictionaries. */
  changes(dictionaries: Iterable<readonly [string, GrowingDictionary]>): DictionaryChanges {
    const pieces: Uint8Array[] = []
    const sizes = new Map<string, number>()
    let checksum = this.#checksum
    for (const [field, dictionary] of dictionaries) {
      const { size } = dictionary
      for (let from = this.#sizes.get(field) ?? 1; from < size; from += MAX_ENTRIES) {
        const to = Math.min(size, from + MAX_ENTRIES)
        const codes = Uint32Array.from({ length: to - from }, (_, i) => from + i)
        const name = Buffer.from(field)
        const length = Buffer.alloc(4)
        length.writeUInt32LE(name.length)
        const plain = Buffer.concat([length, name, encodeEntries(dictionary, codes)])
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
        sizes.set(field, to)
      }
    }
    return {
      pieces,
      bytes: pieces.reduce((sum, piece) => sum + piece.length, 0),
      commit: () => {
        for (const [field, size] of sizes) this.#sizes.set(field, size)
        this.#checksum = checksum
      },
    }
  }

  /** Takes note of a record that was read. */
  noteRecord(field: string, size: number, checksum: number): void {
    this.#sizes.set(field, size)
    this.#checksum = checksum
  }
}

export interface ReadDictionaries {
  readonly dictionaries: Map<string, GrowingDictionary>
  /** With which the file goes on. */
  readonly end: DictionariesEnd
}

/** Reads a dictionaries file up to `source.bytes`, the length in force. Throws SluiceError `durable/damaged`, `durable/newer-version`. */
export function readDictionaries(source: SegmentSource): ReadDictionaries {
  const damaged = (what: string): SluiceError =>
    new SluiceError([durableDiagnostic('damaged', { part: source.name, what }, nowhere)])
  const bytes = (at: number, length: number): Buffer => {
    if (at + length > source.bytes) throw damaged('it ends within a record')
    const read = Buffer.allocUnsafe(length)
    let count: number
    try {
      count = source.read(read, at)
    } catch (error) {
      if (!(error instanceof Error && 'code' in error)) throw error
      throw damaged(`it cannot be read: ${String(error.code)}`)
    }
    if (count !== length) throw damaged('it is shorter than it was')
    return read
  }
  const head = bytes(0, HEAD_BYTES)
  const found = versionOfHead(head, HEAD_MAGIC)
  if (found === undefined) throw damaged('its head does not match its checksum')
  if (found > VERSION) throw new SluiceError([durableDiagnostic('newer-version', { found, known: VERSION }, nowhere)])
  const dictionaries = new Map<string, GrowingDictionary>()
  const end = new DictionariesEnd()
  let before = 0
  for (let at = HEAD_BYTES; at < source.bytes;) {
    const record = bytes(at, RECORD_HEAD)
    const storedBytes = record.readUInt32LE(4)
    const plainBytes = record.readUInt32LE(8)
    if (!record.subarray(0, 4).equals(RECORD_MAGIC) || plainBytes > MAX_BLOCK_BYTES)
      throw damaged(`what stands at ${at} is not a record`)
    const body = bytes(at + RECORD_HEAD, storedBytes)
    const checksum = crc32(body, crc32(record.subarray(0, 20)))
    if (checksum !== record.readUInt32LE(20)) throw damaged(`the record at ${at} does not match its checksum`)
    if (record.readUInt32LE(16) !== before) throw damaged(`a record before ${at} is missing`)
    before = checksum
    let plain: Buffer
    try {
      plain = unpacked(body, record.readUInt32LE(12), plainBytes)
    } catch (error) {
      if (error instanceof PackingFault) throw damaged(`the record at ${at}: ${error.message}`)
      throw error
    }
    const nameBytes = plain.length < 4 ? Infinity : plain.readUInt32LE(0)
    const entries = nameBytes + 4 > plain.length ? undefined : decodeEntries(plain.subarray(4 + nameBytes))
    if (entries === undefined) throw damaged(`the record at ${at} is not entries of a dictionary`)
    const field = plain.toString('utf8', 4, 4 + nameBytes)
    let dictionary = dictionaries.get(field)
    if (dictionary === undefined) dictionaries.set(field, (dictionary = new GrowingDictionary()))
    if (entries.codes.some((code, i) => code !== dictionary.size + i))
      throw damaged(`the record at ${at} does not follow the codes before it`)
    dictionary.restore(entries)
    end.noteRecord(field, dictionary.size, checksum)
    at += RECORD_HEAD + storedBytes
  }
  return { dictionaries, end }
}
