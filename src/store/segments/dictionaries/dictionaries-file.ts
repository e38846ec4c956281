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
 * The file with the dictionaries of one table: a head and records. Records are only ever appended. Each field has its
 * length in bytes.
 *
 * - head: magic 8 · version 4 · checksum 4 (16 bytes)
 * - record: magic 4 · encoded bytes of the body 4 · decompressed bytes 4 · compression 4 · checksum of the previous
 *   record 4 · checksum of these 20 bytes and the body 4 · body
 * - body: bytes of the name 4 · name of the field · entries, as in a segment file
 *
 * A record with many entries is stored in pages (`dictionary-pages.ts`): then each page is compressed, but not the
 * body.
 */

export const DICTIONARIES_VERSION = 1
const HEAD_MAGIC = Buffer.from('SLUICEDI')
/** Maximum number of entries in a record, so that no record is long. */
const MAX_ENTRIES = 65_536
/** Assumed ratio of decompressed to compressed size of texts. */
const PACKED_TIMES = 2

export interface DictionaryChanges {
  /** The bytes to append to the file, in order; empty if there is nothing new. */
  readonly chunks: readonly Uint8Array[]
  /** The length of the file after the bytes are appended, bytes. */
  readonly endBytes: number
  readonly records: readonly DictionaryRecord[]
  /** Must be called once the bytes are written. Later changes start from this state. */
  commit(): void
}

/**
 * The list of records of a dictionary file. Without arguments, it describes a new file whose head is not written yet.
 */
export class DictionariesFile {
  readonly #records = new Map<string, DictionaryRecord[]>()
  /** True if the records follow each other without gaps, from the head to the end of the file. */
  readonly isWhole: boolean
  #endBytes: number
  /** The checksum of the last record; 0 if there is none. */
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

  /** Returns the records of a field, in the order of their codes. */
  records(field: string): readonly DictionaryRecord[] {
    return this.#records.get(field) ?? []
  }

  get endBytes(): number {
    return this.#endBytes
  }

  get fields(): Iterable<string> {
    return this.#records.keys()
  }

  /** Returns the number of codes of a field, including code 0, which has no entry in files. */
  size(field: string): number {
    return this.#records.get(field)?.at(-1)?.size ?? 1
  }

  /** Returns the estimated memory of a field's dictionary, bytes. */
  heldBytes(field: string): number {
    const packedBytes = this.records(field).reduce((sum, { bytes }) => sum + bytes, 0)
    return packedBytes * PACKED_TIMES + this.size(field) * ENTRY_BYTES
  }

  /** Returns the entries of these dictionaries that are not in the file yet, encoded. */
  changes(
    dictionaries: Iterable<readonly [string, GrowingDictionary]>,
    sizes: PageSizes = pageSizes,
  ): DictionaryChanges {
    const chunks: Uint8Array[] = this.#endBytes === 0 ? [encodeHead(HEAD_MAGIC, DICTIONARIES_VERSION)] : []
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
        chunks.push(...record.chunks)
        const bytes = record.chunks.reduce((sum, chunk) => sum + chunk.length, 0)
        otherEntries += record.otherEntries
        records.push({ field, at, bytes, size: to, checksum, otherEntries, ...record.paged })
        at += bytes
      }
    }
    return {
      chunks,
      endBytes: at,
      records,
      commit: () => {
        for (const record of records) this.#add(record)
        this.#endBytes = at
      },
    }
  }

  /**
   * Reads the dictionary of one field: only the head of the file and the field's records. Throws SluiceError
   * `durable/damaged`, `durable/newer-version`.
   */
  read(source: BlockSource, field: string): GrowingDictionary {
    checkHead(source)
    const dictionary = new GrowingDictionary()
    dictionary.entries.reserve(this.size(field))
    for (const record of this.records(field))
      for (const entries of namedRecord(source, record, dictionary.size)) dictionary.entries.restore(entries)
    return dictionary
  }

  /** Returns the dictionary of one field without reading. Single entries are read on demand, through `cache`. */
  stored(
    source: BlockSource,
    field: string,
    cache: BlockCache,
    { read = () => this.read(source, field), fewEntries = FEW_ENTRIES, path }: StoredOptions = {},
  ): StoredDictionary {
    const records = this.records(field)
    const encoded = path === undefined ? undefined : { path, bytes: source.bytes, field, records }
    return { size: this.size(field), pages: storedPages(source, records, cache, fewEntries), encoded, read }
  }
}

/** Options for a dictionary that is read on demand. */
export interface StoredOptions {
  /** Reads the whole dictionary. */
  readonly read?: () => GrowingDictionary
  /** A dictionary with at most this many entries is always read whole. */
  readonly fewEntries?: number
  /** The path of the file, so that other threads can read it. */
  readonly path?: string
}

function checkHead(source: BlockSource): void {
  const found = versionOfHead(bytesAt(source, 0, headBytes.file), HEAD_MAGIC)
  if (found === undefined) throw damaged(source, 'its head does not match its checksum')
  if (found > DICTIONARIES_VERSION)
    throw new SluiceError([durableDiagnostic('newer-version', { found, known: DICTIONARIES_VERSION }, nowhere)])
}

/**
 * Returns the dictionary file with the records of a manifest. Throws `durable/damaged` if the records do not cover the
 * whole file.
 */
export function openDictionaries(source: BlockSource, records: readonly DictionaryRecord[]): DictionariesFile {
  const file = new DictionariesFile(records, source.bytes)
  if (!file.isWhole) throw damaged(source, 'the manifest lists other records than it has')
  return file
}

/**
 * Rebuilds a dictionary of `size` codes from entries in segments. A code without an entry is in no row; it gets a
 * placeholder.
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
