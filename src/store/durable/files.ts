import fs from 'node:fs'
import { dirname } from 'node:path'
import { CHUNK_BYTES, errorCode } from '../../base/index.ts'

/** An open file. Positions and lengths are in bytes. */
export interface OpenFile {
  size(): number
  /**
   * Reads up to `into.length` bytes from position `at`. Returns the number of bytes, which is smaller only at the end
   * of the file.
   */
  read(into: Uint8Array, at: number): number
  /**
   * Prefetches up to `length` bytes, so that a later `read` does not wait for the disk. May do nothing. Errors are
   * reported by the later `read`.
   */
  readAhead?(at: number, length: number): void
  /** Writes all bytes at position `at`; throws if it cannot. */
  write(bytes: Uint8Array, at: number): void
  truncate(length: number): void
  /** Returns when the bytes and the length of the file are on the disk. */
  sync(): void
  /** Does the same as `sync` without blocking the event loop. */
  syncLater(): Promise<void>
  /** Returns device and inode of the file. Renaming the file does not change them. */
  identity(): string
  close(): void
}

/** The size and the free space of a disk, in bytes. */
export interface DiskSpace {
  readonly freeBytes: number
  readonly totalBytes: number
}

/** The file system operations that durable storage uses. Tests replace this object to simulate power loss. */
export interface Files {
  /** Opens an existing file for reading and writing. Throws an error with code `ENOENT` if the file does not exist. */
  open(path: string): OpenFile
  /** Opens an existing file for reading. */
  openToRead(path: string): OpenFile
  /** Creates an empty file that only its owner can access; truncates an existing file. */
  create(path: string): OpenFile
  /** Returns whether a file exists. Throws if the system cannot tell. */
  exists(path: string): boolean
  /** Returns the identity of the file that now has this path; `undefined` if there is none. */
  identity(path: string): string | undefined
  rename(from: string, to: string): void
  /** Creates the hard link `to` for the file `from`. Replacing the file at `from` later does not affect the link. */
  link(from: string, to: string): void
  /** Removes the path from its folder. Processes that have the file open can still read it. */
  remove(path: string): void
  /** Returns the size of the disk that contains the folder, and the space available to ordinary users. */
  space(path: string): DiskSpace
  /** Returns the names in a folder; none when the folder does not exist. */
  list(path: string): readonly string[]
  /**
   * Creates the folder and its missing parents. Returns the topmost folder that was created; `undefined` if all
   * existed.
   */
  makeFolder(path: string): string | undefined
  /** Returns when the names in the folder are on the disk. */
  syncFolder(path: string): void
  /** Does the same as `syncFolder` without blocking the event loop. */
  syncFolderLater(path: string): Promise<void>
}

/** Maximum number of prefetch requests in flight per thread. Each request reads at most one chunk. */
const AHEAD_REQUESTS = 256
let aheadRequests = 0
/** Buffer for prefetch reads. Its content is never used: reading only loads the data into the system's page cache. */
let aheadInto: Buffer | undefined

function identityOf({ dev, ino }: fs.BigIntStats): string {
  return `${dev}:${ino}`
}

class DiskFile implements OpenFile {
  readonly #descriptor: number

  constructor(path: string, flags: string | number) {
    this.#descriptor = fs.openSync(path, flags, 0o600)
  }

  size(): number {
    return fs.fstatSync(this.#descriptor).size
  }

  read(into: Uint8Array, at: number): number {
    let done = 0
    while (done < into.length) {
      const count = fs.readSync(this.#descriptor, into, done, into.length - done, at + done)
      if (count === 0) break
      done += count
    }
    return done
  }

  readAhead(at: number, length: number): void {
    if (aheadRequests >= AHEAD_REQUESTS) return
    aheadInto ??= Buffer.allocUnsafeSlow(CHUNK_BYTES)
    aheadRequests++
    fs.read(this.#descriptor, aheadInto, 0, Math.min(length, CHUNK_BYTES), at, () => {
      aheadRequests--
    })
  }

  write(bytes: Uint8Array, at: number): void {
    let done = 0
    while (done < bytes.length) done += fs.writeSync(this.#descriptor, bytes, done, bytes.length - done, at + done)
  }

  truncate(length: number): void {
    fs.ftruncateSync(this.#descriptor, length)
  }

  sync(): void {
    fs.fdatasyncSync(this.#descriptor)
  }

  syncLater(): Promise<void> {
    return new Promise((resolve, reject) => {
      fs.fdatasync(this.#descriptor, (error) => (error === null ? resolve() : reject(error)))
    })
  }

  identity(): string {
    return identityOf(fs.fstatSync(this.#descriptor, { bigint: true }))
  }

  close(): void {
    fs.closeSync(this.#descriptor)
  }
}

/** Open flag that avoids waiting for a writer if the path is a pipe. Not available on Windows. */
const NO_WAIT = (fs.constants as Partial<typeof fs.constants>).O_NONBLOCK ?? 0

function isFolder(path: string): boolean {
  return fs.statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

/** File mode of data folders: accessible to the owner only, since even file names reveal what is stored. */
const FOLDER_MODE = 0o700

/**
 * Creates a folder and its missing parents one by one. Returns the topmost folder that was created; `undefined` if all
 * existed. Node's recursive `mkdir` is not used: it never ends where a folder cannot have children, as in `/proc`.
 */
export function makeFolders(path: string): string | undefined {
  if (isFolder(path)) return undefined
  const above = dirname(path)
  // If a parent is a file, `mkdir` below it fails with a clear error.
  const isThere = fs.statSync(above, { throwIfNoEntry: false }) !== undefined
  const first = isThere ? undefined : makeFolders(above)
  try {
    fs.mkdirSync(path, { mode: FOLDER_MODE })
  } catch (error) {
    // Another process may have created the folder meanwhile.
    if (errorCode(error) !== 'EEXIST' || !isFolder(path)) throw error
  }
  return first ?? path
}

/** The file system of this machine. */
export const diskFiles: Files = {
  open: (path) => new DiskFile(path, fs.constants.O_RDWR | NO_WAIT),
  openToRead: (path) => new DiskFile(path, fs.constants.O_RDONLY | NO_WAIT),
  create: (path) => new DiskFile(path, 'w+'),
  exists: (path) => {
    try {
      return fs.statSync(path, { throwIfNoEntry: false }) !== undefined
    } catch (error) {
      // If the folder cannot be searched, the file may exist.
      if (isReadFailure(error)) throw error
      return false
    }
  },
  identity: (path) => {
    const found = fs.statSync(path, { bigint: true, throwIfNoEntry: false })
    return found && identityOf(found)
  },
  rename: (from, to) => fs.renameSync(from, to),
  link: (from, to) => fs.linkSync(from, to),
  remove: (path) => fs.unlinkSync(path),
  space: (path) => {
    const { bavail, blocks, bsize } = fs.statfsSync(path)
    return { freeBytes: bavail * bsize, totalBytes: blocks * bsize }
  },
  list: (path) => (diskFiles.exists(path) ? fs.readdirSync(path) : []),
  makeFolder: (path) => makeFolders(path),
  syncFolder: (path) => {
    const descriptor = fs.openSync(path, 'r')
    try {
      fs.fsyncSync(descriptor)
    } finally {
      fs.closeSync(descriptor)
    }
  },
  syncFolderLater: (path) => {
    const descriptor = fs.openSync(path, 'r')
    return new Promise<void>((resolve, reject) => {
      fs.fsync(descriptor, (error) => (error === null ? resolve() : reject(error)))
    }).finally(() => fs.closeSync(descriptor))
  },
}

const NO_FILE = new Set(['ESPIPE', 'EISDIR', 'ENXIO', 'ENODEV'])

/** True if opening or reading failed because the path is a pipe, a directory, a socket or a device. */
export function isNoFile(error: unknown): boolean {
  return NO_FILE.has(errorCode(error) ?? '')
}

/**
 * Codes of errors that say nothing about the file's content: too many open files, no permission, no memory, or a disk
 * or network that does not answer.
 */
const READ_FAILURES = new Set([
  'EMFILE',
  'ENFILE',
  'EACCES',
  'EPERM',
  'ENOMEM',
  'ENOBUFS',
  'EBUSY',
  'EAGAIN',
  'EINTR',
  'EIO',
  'ENOSPC',
  'EDQUOT',
  'EROFS',
  'ENOLCK',
  'ESTALE',
  'ETIMEDOUT',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  'ENOTCONN',
])

/** True if the system failed to read a file for a reason unrelated to the file's content. */
export function isReadFailure(error: unknown): boolean {
  return READ_FAILURES.has(errorCode(error) ?? '')
}

/** Writes a new file and syncs its content. The name of the file is durable only after its folder is synced. */
export function writeFile(files: Files, path: string, bytes: Uint8Array): void {
  const file = files.create(path)
  try {
    file.write(bytes, 0)
    file.sync()
  } finally {
    file.close()
  }
}

/** Replaces a file atomically: readers see either the old or the new content, also after a crash. */
export function replaceFile(files: Files, path: string, bytes: Uint8Array): void {
  writeFile(files, `${path}.new`, bytes)
  files.rename(`${path}.new`, path)
  files.syncFolder(dirname(path))
}

/** Creates a folder whose name survives a crash. */
export function makeFolder(files: Files, path: string): void {
  const first = files.makeFolder(path)
  if (first === undefined) return
  for (let made = path; ; made = dirname(made)) {
    files.syncFolder(dirname(made))
    if (made === first || made === dirname(made)) return
  }
}

/** Returns the first bytes of a file, at most `mostBytes`; `undefined` if the file does not exist. */
export function readFile(files: Files, path: string, mostBytes: number): Buffer | undefined {
  if (!files.exists(path)) return undefined
  const file = files.openToRead(path)
  try {
    const bytes = Buffer.alloc(Math.min(file.size(), mostBytes))
    return bytes.subarray(0, file.read(bytes, 0))
  } finally {
    file.close()
  }
}
