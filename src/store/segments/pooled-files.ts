import { basename } from 'node:path'
import { errorCode } from '../../base/index.ts'
import { isReadFailure, type Files, type OpenFile } from '../durable/files.ts'
import type { BlockSource } from './block-file.ts'
import { fileKey } from './shared-blocks.ts'

/** Maximum number of open files without held ones. Systems allow a process a few hundred. */
const MAX_OPEN = 128

function hasTooMany(error: unknown): boolean {
  const code = errorCode(error)
  return code === 'EMFILE' || code === 'ENFILE'
}

/**
 * Opens files when they are read, and limits the number of open files: the least recently used one is closed to open
 * another. Held files are not counted.
 */
export class PooledFiles {
  readonly #files: Files
  readonly #open = new Map<string, OpenFile>()
  /** Files that stay open until the pool is closed. */
  readonly #held = new Map<string, OpenFile>()

  constructor(files: Files) {
    this.#files = files
  }

  /** Returns a file as a block source. The file is opened at the first read. */
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
          // The read may succeed with a newly opened file, or after other files were closed.
          if (hasTooMany(error)) this.#evict()
          else this.close(path)
          return this.#file(path).read(into, at)
        }
      },
      readAhead: (at, length) => this.#readAhead(path, at, length),
    }
  }

  /**
   * Opens a file and keeps it open, so that it stays readable even if it is renamed or removed. Returns false if the
   * system allows no more open files; some held files are then closed, so that other files can be opened. Throws an
   * error with code `ENOENT` if the file does not exist.
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

  /**
   * Closes all files that are not held, which reopen on their next read, and also some held ones, so that others can be
   * opened.
   */
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
      // If the file cannot be opened, the later read reports this.
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
