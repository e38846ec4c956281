import { join } from 'node:path'
import type { Turns } from '../../base/index.ts'
import type { Files, OpenFile, SegmentEntry, SegmentSummary, TableEntry } from '../durable/index.ts'
import type { MemoryTable, Segment, StoredFile } from '../memory/index.ts'
import {
  DictionariesEnd,
  dictionariesHead,
  openSegment,
  readDictionaries,
  writeSegment,
  type BlockCache,
  type PooledFiles,
} from '../segments/index.ts'
import { dictionariesFile, segmentFile } from './folders.ts'

export interface TableFilesOptions {
  readonly files: Files
  /** Where the segments of the backend lie. */
  readonly folder: string
  readonly table: MemoryTable
  readonly pool: PooledFiles
  readonly cache: BlockCache
}

/** A segment that was written, and how far the dictionaries of its table go that it needs. */
export interface NewSegment {
  readonly name: string
  readonly summary: SegmentSummary
  readonly dictionaries: { readonly name: string; readonly bytes: number }
  /** To be called once the manifest names it. */
  readonly named: () => void
}

/** Bytes that are written at once. */
const WRITE_BYTES = 1 << 20

/** Writes short pieces together, one behind the other. */
class PieceWriter {
  readonly #file: OpenFile
  #pieces: Uint8Array[] = []
  #bytes = 0
  #at = 0

  constructor(file: OpenFile) {
    this.#file = file
  }

  add(piece: Uint8Array): void {
    this.#pieces.push(piece)
    this.#bytes += piece.length
    if (this.#bytes >= WRITE_BYTES) this.flush()
  }

  flush(): void {
    this.#file.write(Buffer.concat(this.#pieces), this.#at)
    this.#at += this.#bytes
    this.#pieces = []
    this.#bytes = 0
  }
}

/** The files of one table. Positions in files are bytes. */
export class TableFiles {
  readonly #options: TableFilesOptions
  #dictionaries: { readonly name: string; readonly bytes: number } | undefined
  #end = new DictionariesEnd()

  constructor(options: TableFilesOptions) {
    this.#options = options
  }

  /** Reads the dictionaries back, and opens the segments, of which nothing is read. Throws SluiceError `durable/damaged`. */
  open({ segments, dictionaries }: TableEntry): readonly Segment[] {
    const { table } = this.#options
    if (dictionaries !== undefined) {
      const { name, bytes } = dictionaries
      const read = readDictionaries(this.#source(name, bytes))
      table.restoreDictionaries(read.dictionaries)
      this.#end = read.end
      this.#dictionaries = dictionaries
    }
    return segments.map((entry, i) => this.openOne(entry, i))
  }

  /** A segment that the manifest names. */
  openOne(entry: SegmentEntry, id: number): Segment {
    const { table, cache } = this.#options
    return openSegment({
      id,
      source: this.#source(entry.name, entry.bytes),
      summary: entry,
      textField: table.definition.textField,
      dictionaryOf: (field) => table.dictionary(field),
      cache,
    })
  }

  /** As other threads are told of it. */
  storedFile(entry: SegmentEntry): StoredFile {
    const { bytes, rowCount, epoch, firstDelta, lastDelta, firstSequence } = entry
    const path = join(this.#options.folder, entry.name)
    return { path, bytes, rowCount, epoch, firstDelta, lastDelta, firstSequence }
  }

  /** Writes a segment to a file of its own; `run` gives others their turns. Resolves when it and its name are on the disk. */
  async write(segment: Segment, number: number, run: <T>(turns: Turns<T>) => Promise<T>): Promise<NewSegment> {
    const { files, folder, table } = this.#options
    const { name: tableName, timeField } = table.definition
    const name = segmentFile(tableName, number)
    const path = join(folder, name)
    const file = files.create(path)
    let summary: SegmentSummary
    try {
      const pieces = new PieceWriter(file)
      summary = await run(writeSegment(segment, { table: tableName, timeField }, (bytes) => pieces.add(bytes)))
      pieces.flush()
      await file.syncLater()
    } catch (error) {
      // What is full needs the space.
      file.truncate(0)
      files.remove(path)
      throw error
    } finally {
      file.close()
    }
    const dictionaries = await this.#writeDictionaries(number)
    await files.syncFolderLater(folder)
    return {
      name,
      summary,
      dictionaries: dictionaries.written,
      named: () => {
        dictionaries.commit()
        this.#dictionaries = dictionaries.written
      },
    }
  }

  /** Writes what has come to the dictionaries behind what of their file is in force. */
  async #writeDictionaries(number: number) {
    const { files, folder, table } = this.#options
    const head = dictionariesHead()
    const before = this.#dictionaries ?? { name: dictionariesFile(table.definition.name, number), bytes: head.length }
    const path = join(folder, before.name)
    const changes = this.#end.changes(table.dictionaries())
    const file: OpenFile = this.#dictionaries === undefined ? files.create(path) : files.open(path)
    try {
      if (this.#dictionaries === undefined) file.write(head, 0)
      let at = before.bytes
      for (const piece of changes.pieces) {
        file.write(piece, at)
        at += piece.length
      }
      await file.syncLater()
    } finally {
      file.close()
    }
    return { written: { name: before.name, bytes: before.bytes + changes.bytes }, commit: () => changes.commit() }
  }

  #source(name: string, bytes: number) {
    const { pool, folder } = this.#options
    return pool.source(join(folder, name), bytes, name)
  }
}
