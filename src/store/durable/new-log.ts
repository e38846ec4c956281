import type { Files, OpenFile } from './files.ts'
import { checksumOf, encodeRecordHead, logStart, type LogEnd } from './log-format.ts'

/** The body of a record, as chunks to write one after another. */
export type RecordBody = readonly Uint8Array[]

/** Appends a record without a sync. `after` is the current end of the log; returns the new end. */
export function writeRecord(file: OpenFile, after: LogEnd, body: RecordBody): LogEnd {
  const lastId = after.lastId + 1
  const head = encodeRecordHead(lastId, after.checksum, body)
  let { endBytes } = after
  for (const chunk of [head, ...body]) {
    file.write(chunk, endBytes)
    endBytes += chunk.length
  }
  return { lastId, endBytes, checksum: checksumOf(head, body) }
}

/** A log under construction that will replace an existing one. */
export class NewLog {
  readonly path: string
  readonly file: OpenFile
  /** Id of the record before its first record. */
  readonly startId: number
  #end: LogEnd

  constructor(files: Files, path: string, startId: number) {
    this.path = path
    this.startId = startId
    this.#end = logStart(startId)
    this.file = files.create(path)
  }

  get end(): LogEnd {
    return this.#end
  }

  /** Appends a record. Throws when the disk is full. */
  add(body: RecordBody): void {
    this.#end = writeRecord(this.file, this.#end, body)
  }

  /** Removes the file. Must be called if this log does not replace the old one. */
  drop(): void {
    try {
      this.file.truncate(0)
    } finally {
      this.file.close()
    }
  }
}
