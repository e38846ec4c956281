import { Bytes, SluiceError, nowhere } from '../../../base/index.ts'
import { valueTag } from '../../../data/index.ts'
import { durableDiagnostic } from '../../durable/diagnostics.ts'
import type { DictionaryRecord } from '../../durable/manifest.ts'
import { GrowingDictionary, type StoredDictionary } from '../../memory/index.ts'
import type { BlockCache } from '../block-cache.ts'
import { pageSizes, type PageSizes } from './dictionary-pages.ts'
import { bytesAt, damaged, encodedRecord, namedRecord } from './dictionary-record.ts'
import { nothingUnder, type Entries } from '../codings/entries.ts'
import { headBytes, encodeHead, versionOfHead } from '../layout.ts'
import type { BlockSource } from '../block-file.ts'
import { ENTRY_BYTES, FEW_ENTRIES, storedPages } from './stored-dictionary.ts'

/*
 * The dictionaries of one table: a head and records, which are only ever added.
 *
 *   head     magic 8 · version 4 · checksum 4                                                              16 bytes
 *   record   magic 4 · stored bytes of the body 4 · its plain bytes 4 · its packing 4 · checksum of the record before 4 ·
 *            checksum of these 20 bytes and the body 4 · body
 *   body     bytes of the name 4 · name of the field · entries, as in a segment file
 *
 * A record of many entries is in pages; its body is not packed, only each page is (`dictionary-pages.ts`).
 */

export const DICTIONARIES_VERSION = 1
const HEAD_MAGIC = Buffer.from('SLUICEDI')
/** Entries of one record, so that no record is long. */
const MAX_ENTRIES = 65_536
/** What packed texts are taken to unpack to, as a multiple. */
const PACKED_TIMES = 2

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
    let at = headBytes.file
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

  /** The records of a field, in the order of their codes. */
  records(field: string): readonly DictionaryRecord[] {
    return this.#records.get(field) ?? []
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

  /** About what the dictionary of a field takes in memory, bytes. */
  heldBytes(field: string): number {
    const packedBytes = this.records(field).reduce((sum, { bytes }) => sum + bytes, 0)
    return packedBytes * PACKED_TIMES + this.size(field) * ENTRY_BYTES
  }

  /** What the file lacks of these dictionaries. */
  changes(
    dictionaries: Iterable<readonly [string, GrowingDictionary]>,
    sizes: PageSizes = pageSizes,
  ): DictionaryChanges {
    const pieces: Uint8Array[] = this.#endBytes === 0 ? [encodeHead(HEAD_MAGIC, DICTIONARIES_VERSION)] : []
    const records: DictionaryRecord[] = []
    let checksum = this.#checksum
    let at = this.#endBytes === 0 ? headBytes.file : this.#endBytes
    for (const [field, dictionary] of dictionaries) {
      const { size } = dictionary
      let otherEntries = this.records(field).at(-1)?.otherEntries ?? 0
      for (let from = this.size(field); from < size; from += MAX_ENTRIES) {
        const to = Math.min(size, from + MAX_ENTRIES)
        const codes = Uint32Array.from({ length: to - from }, (_, i) => from + i)
        const record = encodedRecord(field, dictionary, codes, checksum, sizes)
        checksum = record.checksum
        pieces.push(...record.pieces)
        const bytes = record.pieces.reduce((sum, piece) => sum + piece.length, 0)
        otherEntries += record.otherEntries
        records.push({ field, at, bytes, size: to, checksum, otherEntries, ...record.paged })
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
  read(source: BlockSource, field: string): GrowingDictionary {
    checkHead(source)
    const dictionary = new GrowingDictionary()
    dictionary.entries.reserve(this.size(field))
    for (const record of this.records(field))
      for (const entries of namedRecord(source, record, dictionary.size)) dictionary.entries.restore(entries)
    return dictionary
  }

  /** The dictionary of one field, of which nothing is read yet; later what is needed, through `cache`. */
  stored(
    source: BlockSource,
    field: string,
    cache: BlockCache,
    { read = () => this.read(source, field), fewEntries = FEW_ENTRIES, path }: StoredOptions = {},
  ): StoredDictionary {
    const records = this.records(field)
    const told = path === undefined ? undefined : { path, bytes: source.bytes, field, records }
    return { size: this.size(field), pages: storedPages(source, records, cache, fewEntries), told, read }
  }
}

/** How a dictionary is read. */
export interface StoredOptions {
  /** Reads all of it. */
  readonly read?: () => GrowingDictionary
  /** Up to so many entries it is read whole. */
  readonly fewEntries?: number
  /** By which other threads find the file. */
  readonly path?: string
}

function checkHead(source: BlockSource): void {
  const found = versionOfHead(bytesAt(source, 0, headBytes.file), HEAD_MAGIC)
  if (found === undefined) throw damaged(source, 'its head does not match its checksum')
  if (found > DICTIONARIES_VERSION)
    throw new SluiceError([durableDiagnostic('newer-version', { found, known: DICTIONARIES_VERSION }, nowhere)])
}

/**
 * The file of which a manifest lists these records. Throws `durable/damaged` where they are not all of it.
 */
export function openDictionaries(source: BlockSource, records: readonly DictionaryRecord[]): DictionariesFile {
  const file = new DictionariesFile(records, source.bytes)
  if (!file.isWhole) throw damaged(source, 'the manifest lists other records than it has')
  return file
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
    dictionary.entries.restore({
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
