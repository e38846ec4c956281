import fs from 'node:fs'
import { dirname } from 'node:path'
import { CHUNK_BYTES, errorCode } from '../../base/index.ts'

/** One open file. Positions and lengths are bytes. */
export interface OpenFile {
  size(): number
  /** Reads up to `into.length` bytes; fewer only at the end of the file. */
  read(into: Uint8Array, at: number): number
  /**
   * Has the system read up to so many bytes, so that a `read` of them soon need not wait. It may do nothing; what goes wrong
   * shows with the `read`.
   */
  readAhead?(at: number, length: number): void
  /** Writes all of it, or throws. */
  write(bytes: Uint8Array, at: number): void
  truncate(length: number): void
  /** Returns when the bytes and the length are on the disk. */
  sync(): void
  /** As `sync`, while the event loop goes on. */
  syncLater(): Promise<void>
  /** Device and inode of the file. They stay the same when the file is renamed. */
  identity(): string
  close(): void
}

/** What a disk has, bytes. */
export interface DiskSpace {
  readonly freeBytes: number
  readonly totalBytes: number
}

/** What durable storage asks of a file system, so that a test can stand in its place and take the power away. */
export interface Files {
  /** Opens a file that is there, for reading and writing. Throws an error with the code `ENOENT`. */
  open(path: string): OpenFile
  /** As `open`, for reading alone. */
  openToRead(path: string): OpenFile
  /** Makes an empty file, which only its owner can read, in the place of one that may be there. */
  create(path: string): OpenFile
  /** Throws where the system cannot tell. */
  exists(path: string): boolean
  /** The identity of the file that has this name now; `undefined` if there is none. */
  identity(path: string): string | undefined
  rename(from: string, to: string): void
  /** Gives the file a second name; then a new one under the first does not touch it. */
  link(from: string, to: string): void
  /** Takes the name away; whoever has the file open reads on. */
  remove(path: string): void
  /** Of the disk that a folder is on, for those who are not its superuser. */
  space(path: string): DiskSpace
  /** The names in a folder; none where there is no such folder. */
  list(path: string): readonly string[]
  /** Makes the folder and those above it; returns the topmost one that it made. */
  makeFolder(path: string): string | undefined
  /** Returns when the names in the folder are on the disk. */
  syncFolder(path: string): void
  /** As `syncFolder`, while the event loop goes on. */
  syncFolderLater(path: string): Promise<void>
}

/** So many requests ahead of reads wait at once in a thread, each of so many bytes: all columns of some twenty rows. */
const AHEAD_REQUESTS = 256
let aheadRequests = 0
/** Nobody looks at what comes here: that the system has read it is all. */
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

/** In the place of a file there may be a pipe, of which opening and reading would wait for a writer for ever; not known on Windows. */
const NO_WAIT = (fs.constants as Partial<typeof fs.constants>).O_NONBLOCK ?? 0

function isFolder(path: string): boolean {
  return fs.statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

/** For their owner alone: what is in a folder of ours is data, or says which there are. */
const FOLDER_MODE = 0o700

/**
 * Makes a folder and those above it; returns the topmost one that it made. One after the other: `mkdir` of Node with `recursive`
 * tries for ever where a folder takes none, as `/proc` does.
 */
export function makeFolders(path: string): string | undefined {
  if (isFolder(path)) return undefined
  const above = dirname(path)
  // A file in the place of a folder is left to `mkdir`, whose error says so.
  const isThere = fs.statSync(above, { throwIfNoEntry: false }) !== undefined
  const first = isThere ? undefined : makeFolders(above)
  try {
    fs.mkdirSync(path, { mode: FOLDER_MODE })
  } catch (error) {
    // Another process may have made it meanwhile.
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
      // A folder that cannot be looked into may well have the file.
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

/** Whether opening or reading failed because a pipe, a folder, a socket or a device is in the place of a file. */
export function isNoFile(error: unknown): boolean {
  return NO_FILE.has(errorCode(error) ?? '')
}

/**
 * What the system says where it cannot read now, whatever the file holds: too many open files, no permission, no memory, a disk or a
 * network that does not answer.
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

/** Whether the system failed to read a file, which says nothing of what is in it. */
export function isReadFailure(error: unknown): boolean {
  return READ_FAILURES.has(errorCode(error) ?? '')
}

/** Makes a file with this content, synced; its name is not until the folder is. */
export function writeFile(files: Files, path: string, bytes: Uint8Array): void {
  const file = files.create(path)
  try {
    file.write(bytes, 0)
    file.sync()
  } finally {
    file.close()
  }
}

/** Puts a file in the place of another at once: whoever reads, also after a crash, sees one of the two whole. */
export function replaceFile(files: Files, path: string, bytes: Uint8Array): void {
  writeFile(files, `${path}.new`, bytes)
  files.rename(`${path}.new`, path)
  files.syncFolder(dirname(path))
}

/** Makes a folder whose name survives a crash. */
export function makeFolder(files: Files, path: string): void {
  const first = files.makeFolder(path)
  if (first === undefined) return
  for (let made = path; ; made = dirname(made)) {
    files.syncFolder(dirname(made))
    if (made === first || made === dirname(made)) return
  }
}

/** The first bytes of a file, `mostBytes` at most; `undefined` when there is none. */
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
