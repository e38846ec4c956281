import type { Files, OpenFile } from './files.ts'
import { checksumOf, encodeRecordHead, logStart, type LogEnd } from './log-format.ts'

/** The body of a record, in pieces that are written one after the other. */
export type RecordBody = readonly Uint8Array[]

/** Writes a record behind an end, unsynced; gives where the log ends behind it. */
export function writeRecord(file: OpenFile, after: LogEnd, body: RecordBody): LogEnd {
  const lastId = after.lastId + 1
  const head = encodeRecordHead(lastId, after.checksum, body)
  let { endBytes } = after
  for (const piece of [head, ...body]) {
    file.write(piece, endBytes)
    endBytes += piece.length
  }
  return { lastId, endBytes, checksum: checksumOf(head, body) }
}

/** A log in the making, beside the one whose place it is to take. */
export class NewLog {
  readonly path: string
  readonly file: OpenFile
  /** Its first record has the id behind it. */
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

  /** Throws when the disk is full. */
  add(body: RecordBody): void {
    this.#end = writeRecord(this.file, this.#end, body)
  }

  /** Gives its space on the disk back; to be called when it is not to take that place. */
  drop(): void {
    try {
      this.file.truncate(0)
    } finally {
      this.file.close()
    }
  }
}
