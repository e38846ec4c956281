import { basename } from 'node:path'
import type { Files, OpenFile } from '../durable/files.ts'
import type { SegmentSource } from './segment-file.ts'

/** Files that are open at once: systems allow a process few hundreds. */
const MAX_OPEN = 128

/** Files that are opened when they are read, so many at once; the one used least recently is closed for another. */
export class PooledFiles {
  readonly #files: Files
  readonly #open = new Map<string, OpenFile>()

  constructor(files: Files) {
    this.#files = files
  }

  /** A file as a source of blocks; it is not opened before something is read. */
  source(path: string, bytes: number, name = basename(path), crc?: number): SegmentSource {
    return { name, bytes, crc, read: (into, at) => this.#file(path).read(into, at) }
  }

  #file(path: string): OpenFile {
    let file = this.#open.get(path)
    if (file === undefined) {
      const [oldest] = this.#open.keys()
      if (oldest !== undefined && this.#open.size >= MAX_OPEN) this.close(oldest)
      file = this.#files.openToRead(path)
    } else this.#open.delete(path)
    this.#open.set(path, file)
    return file
  }

  close(path: string): void {
    this.#open.get(path)?.close()
    this.#open.delete(path)
  }

  closeAll(): void {
    for (const path of this.#open.keys()) this.close(path)
  }
}
