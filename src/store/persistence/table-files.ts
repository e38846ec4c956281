import { join } from 'node:path'
import { SluiceError, runCooperatively, present, untilAborted } from '../../base/index.ts'
import {
  liveRowGroups,
  type DictionariesEntry,
  type Files,
  type OpenFile,
  type PartEntry,
  type PartSummary,
  type TableEntry,
} from '../durable/index.ts'
import type { GrowingDictionary, MemoryTable, Segment, StoredDictionary, StoredFile } from '../memory/index.ts'
import {
  BlockCache,
  DictionariesFile,
  StoredPart,
  mergeParts,
  remadeDictionary,
  openDictionaries,
  type PooledFiles,
  type StoredSegment,
  type TableNames,
} from '../segments/index.ts'
import { dictionariesFile, partFile } from './folders.ts'
import { readOrRemade } from './repair/mended-dictionary.ts'
import { writeNewFile } from './new-file.ts'
import type { PackedAhead } from './segment-packer.ts'

/** Size of the block cache for the footers of parts during a merge, bytes. A footer has about 200 KiB. */
const MERGE_CACHE_BYTES = 16 * 1024 * 1024

export interface TableFilesOptions {
  readonly files: Files
  /** The folder of the backend's files. */
  readonly folder: string
  readonly table: MemoryTable
  readonly pool: PooledFiles
  readonly cache: BlockCache
  readonly packing: PackedAhead
  /** Called with the error for damage that loses no data. */
  readonly onMended: (error: SluiceError) => void
}

/** A new part, with the dictionary file that it requires; `undefined` if the current one suffices. */
export interface NewPart {
  readonly name: string
  readonly summary: PartSummary
  readonly dictionaries: DictionariesEntry | undefined
  /** Must be called after the manifest names the part. */
  readonly named: () => void
}

/** A row group of a part in the manifest, as a segment of the table. */
export interface NamedRowGroup {
  readonly segment: StoredSegment
  /** The name of the part. */
  readonly name: string
  readonly number: number
}

/** A new file with all dictionaries, and the name of the file that it replaces. */
export interface RenewedDictionaries {
  readonly dictionaries: DictionariesEntry
  readonly before: string | undefined
  /** Must be called after the manifest names the new file. */
  readonly named: () => void
}

/** The files of one table. Offsets and lengths are in bytes. */
export class TableFiles {
  readonly #options: TableFilesOptions
  #dictionaries: { readonly name: string; readonly file: DictionariesFile } | undefined

  constructor(options: TableFilesOptions) {
    this.#options = options
  }

  /**
   * Opens row groups and dictionaries; their data are read on demand. `storesRows` is true if new rows will use the
   * dictionaries. Throws SluiceError `durable/damaged`.
   */
  open({ parts, dictionaries }: TableEntry, storesRows: boolean): readonly NamedRowGroup[] {
    const { table } = this.#options
    let id = 0
    const opened = parts.flatMap((part) => this.openPart(part, () => id++))
    if (dictionaries !== undefined) {
      const segments = opened.map(({ segment }) => segment)
      table.fields.restoreDictionaries(this.#openDictionaries(dictionaries, segments), storesRows)
    }
    return opened
  }

  #openDictionaries(
    { name, bytes, records }: DictionariesEntry,
    segments: readonly StoredSegment[],
  ): readonly (readonly [string, StoredDictionary])[] {
    const { table, cache, folder } = this.#options
    const source = this.#source(name, bytes)
    // Without a current file, the next segment writes a new dictionary file.
    const onMended = (error: SluiceError): void => {
      this.#dictionaries = undefined
      this.#options.onMended(error)
    }
    let file: DictionariesFile
    try {
      file = openDictionaries(source, records)
    } catch (error) {
      if (!(error instanceof SluiceError) || error.code !== 'durable/damaged') throw error
      this.#options.onMended(error)
      return remadeDictionaries(segments)
    }
    this.#dictionaries = { name, file }
    const stored = (field: string): StoredDictionary => {
      const options = { field, size: file.size(field), segments: () => table.segments.all, onMended }
      const read = (): GrowingDictionary => readOrRemade(() => file.read(source, field), options)
      return file.stored(source, field, cache, { read, path: join(folder, name) })
    }
    return Array.from(file.fields, (field) => [field, stored(field)] as const)
  }

  /**
   * Records that another thread found the dictionary file damaged. The next segment will write a new dictionary file.
   */
  damaged(path: string, error: SluiceError): void {
    const known = this.#dictionaries
    if (known === undefined || join(this.#options.folder, known.name) !== path) return
    this.#dictionaries = undefined
    this.#options.onMended(error)
  }

  /** Opens the row groups of a part in the manifest. */
  openPart(entry: PartEntry, nextId: () => number): readonly NamedRowGroup[] {
    const { table, cache, onMended } = this.#options
    const { name, bytes, crc, rowGroups } = entry
    const part = new StoredPart({
      source: this.#source(name, bytes, crc),
      textField: table.definition.textField,
      cache,
      onDamage: onMended,
    })
    const dictionaryOf = (field: string): GrowingDictionary => table.fields.dictionary(field)
    return liveRowGroups(entry).map((number) => {
      const segment = part.rowGroup(number, present(rowGroups[number]), { id: nextId(), dictionaryOf })
      return { segment, name, number }
    })
  }

  /** Returns the data that other threads need to open a row group. */
  storedFile({ name, bytes, crc, rowGroups }: PartEntry, number: number): StoredFile {
    return { path: join(this.#options.folder, name), bytes, crc, number, rowGroup: present(rowGroups[number]) }
  }

  get #names(): TableNames {
    const { name, timeField } = this.#options.table.definition
    return { table: name, timeField }
  }

  /** Requests the encoding of a segment that will be written soon. Returns false if too many are already requested. */
  packAhead(segment: Segment): boolean {
    return this.#options.packing.begin(segment, this.#names)
  }

  /** Writes a segment as a part with one row group. Resolves once the file and its name are synced. */
  async write(segment: Segment, number: number): Promise<NewPart> {
    const { files, folder, packing } = this.#options
    const name = partFile(this.#names.table, number)
    const summary = await writeNewFile(files, join(folder, name), (write) => packing.pack(segment, this.#names, write))
    const { written, commit } = await this.#writeDictionaries(number)
    await files.syncFolderLater(folder)
    return { name, summary, dictionaries: written, named: commit }
  }

  /**
   * Copies row groups of several parts to one new part. Resolves once the file and its name are synced. Rejects with
   * SluiceError `durable/damaged`.
   */
  async merge(
    parts: readonly { readonly entry: PartEntry; readonly chosen: readonly number[] }[],
    number: number,
    signal?: AbortSignal,
  ): Promise<NewPart> {
    const { files, folder, table } = this.#options
    const name = partFile(this.#names.table, number)
    // Each block is read once; a separate cache keeps it from evicting blocks that queries use.
    const cache = new BlockCache(MERGE_CACHE_BYTES)
    const inputs = parts.map(({ entry, chosen }) => {
      const source = this.#source(entry.name, entry.bytes, entry.crc)
      const part = new StoredPart({ source, textField: table.definition.textField, cache })
      return { part, rowGroups: entry.rowGroups, chosen }
    })
    const summary = await writeNewFile(files, join(folder, name), (write) =>
      runCooperatively(untilAborted(mergeParts(inputs, this.#names.table, write), signal)),
    )
    await files.syncFolderLater(folder)
    return { name, summary, dictionaries: undefined, named: () => undefined }
  }

  /**
   * Writes all dictionaries to a new file, in which deleted values are missing. Must not overlap with the writing of a
   * segment.
   */
  async renewDictionaries(number: number): Promise<RenewedDictionaries> {
    const { files, folder } = this.#options
    const before = this.#dictionaries
    this.#dictionaries = undefined
    try {
      const { written, commit } = await this.#writeDictionaries(number)
      await files.syncFolderLater(folder)
      return { dictionaries: written, before: before?.name, named: commit }
    } finally {
      this.#dictionaries = before
    }
  }

  /** Appends new entries to the dictionary file. If there is no file, writes all entries to a new one. */
  async #writeDictionaries(number: number) {
    const { files, folder, table } = this.#options
    const before = this.#dictionaries
    if (before === undefined) for (const field of table.fields.names()) table.fields.dictionary(field).load()
    const { name, file } = before ?? {
      name: dictionariesFile(table.definition.name, number),
      file: new DictionariesFile(),
    }
    const path = join(folder, name)
    const changes = file.changes(table.fields.dictionaries())
    const opened: OpenFile = before === undefined ? files.create(path) : files.open(path)
    try {
      let at = file.endBytes
      for (const chunk of changes.chunks) {
        opened.write(chunk, at)
        at += chunk.length
      }
      await opened.syncLater()
    } finally {
      opened.close()
    }
    const commit = (): void => {
      changes.commit()
      this.#dictionaries = { name, file }
    }
    return { written: { name, bytes: changes.endBytes, records: changes.records }, commit }
  }

  #source(name: string, bytes: number, crc?: number) {
    const { pool, folder } = this.#options
    return pool.source(join(folder, name), bytes, name, crc)
  }
}

/**
 * Rebuilds the dictionaries of all fields from the values that segments store with their codes. Throws SluiceError if a
 * segment is damaged too.
 */
function remadeDictionaries(segments: readonly StoredSegment[]): readonly (readonly [string, StoredDictionary])[] {
  const fields = new Set(segments.flatMap(({ columns }) => [...columns.keys()]))
  return [...fields].flatMap((field) => {
    const entries = segments.flatMap((segment) => [...segment.entriesOf(field)])
    let size = 1
    for (const { codes } of entries) size = Math.max(size, (codes.at(-1) ?? 0) + 1)
    if (size === 1) return []
    const dictionary = remadeDictionary(size, entries)
    return [[field, { size, read: () => dictionary }] as const]
  })
}
