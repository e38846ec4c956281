import { basename } from 'node:path'
import { errorCode } from '../../base/index.ts'
import { isReadFailure, type Files, type OpenFile } from '../durable/files.ts'
import type { BlockSource } from './block-file.ts'
import { fileKey } from './shared-blocks.ts'

/** Files that are open at once: systems allow a process few hundreds. */
const MAX_OPEN = 128

function hasTooMany(error: unknown): boolean {
  const code = errorCode(error)
  return code === 'EMFILE' || code === 'ENFILE'
}

/** Files that are opened when they are read, so many at once; the one used least recently is closed for another. */
export class PooledFiles {
  readonly #files: Files
  readonly #open = new Map<string, OpenFile>()
  /** Open for as long as the pool is used. */
  readonly #held = new Map<string, OpenFile>()

  constructor(files: Files) {
    this.#files = files
  }

  /** A file as a source of blocks; it is not opened before something is read. */
  source(path: string, bytes: number, name = basename(path), crc?: number): BlockSource {
    return {
      name,
      bytes,
      crc,
      key: fileKey(path),
      read: (into, at) => {
        try {
          return this.#file(path).read(into, at)
        } catch (error) {
          if (!isReadFailure(error)) throw error
          // A file that is opened again may be read; so may one for which others were closed.
          if (hasTooMany(error)) this.#evict()
          else this.close(path)
          return this.#file(path).read(into, at)
        }
      },
      readAhead: (at, length) => this.#readAhead(path, at, length),
    }
  }

  /**
   * Opens a file for good: it can be read whatever becomes of its name. False where the system lets no more be open; a part of those that are
   * held is let go then, as others have to be opened. Throws an error with the code `ENOENT`.
   */
  hold(path: string): boolean {
    try {
      this.#held.set(path, this.#files.openToRead(path))
      return true
    } catch (error) {
      if (!hasTooMany(error)) throw error
      this.#evict()
      return false
    }
  }

  /** Closes what is opened again when it is read, and a part of what is held: others have to be opened. */
  #evict(): void {
    for (const path of this.#open.keys()) this.close(path)
    for (const [path, file] of [...this.#held].slice(-2 * MAX_OPEN)) {
      file.close()
      this.#held.delete(path)
    }
  }

  #readAhead(path: string, at: number, length: number): void {
    try {
      this.#file(path).readAhead?.(at, length)
    } catch {
      // A file that cannot be opened is told of where it is read.
    }
  }

  #file(path: string): OpenFile {
    const held = this.#held.get(path)
    if (held !== undefined) return held
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
    for (const file of this.#held.values()) file.close()
    this.#held.clear()
  }
}
