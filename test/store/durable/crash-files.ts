import { createHash } from 'node:crypto'
import { basename, dirname, join } from 'node:path'
import { present } from '../../../src/base/index.ts'
import type { DiskSpace, Files, OpenFile } from '../../../src/store/durable/index.ts'

/** A change of a file's content that has not been synced yet. */
type Write = { readonly at: number; readonly bytes: Uint8Array } | { readonly length: number }

/** A change of the names in a folder that has not been synced yet. */
type Naming =
  | { readonly kind: 'add'; readonly path: string; readonly inode: Inode }
  | { readonly kind: 'rename'; readonly from: string; readonly to: string }
  | { readonly kind: 'remove'; readonly path: string }

interface Inode {
  synced: Buffer
  current: Buffer
  pending: Write[]
}

const SECTOR_BYTES = 512

function applied(content: Buffer, write: Write): Buffer {
  if ('length' in write) {
    const next = Buffer.alloc(write.length)
    content.copy(next)
    return next
  }
  const next = Buffer.alloc(Math.max(content.length, write.at + write.bytes.length))
  content.copy(next)
  next.set(write.bytes, write.at)
  return next
}

/**
 * Yields the sets of unsynced writes that may be on the disk after a crash: every prefix, and all writes but one. A
 * prefix may also end with a torn write, or with a write's length without its bytes.
 */
function* subsets(pending: readonly Write[]): Generator<readonly Write[]> {
  for (let count = 0; count <= pending.length; count++) yield pending.slice(0, count)
  for (let left = 0; left < pending.length - 1; left++) yield pending.toSpliced(left, 1)
  for (const [i, write] of pending.entries()) {
    if ('length' in write) continue
    const before = pending.slice(0, i)
    const { at, bytes } = write
    const half = Math.max(1, Math.floor(bytes.length / 2 / SECTOR_BYTES) * SECTOR_BYTES)
    yield [...before, { at, bytes: bytes.subarray(0, half) }]
    yield [...before, { at: at + half, bytes: bytes.subarray(half) }]
    yield [...before, { at, bytes: new Uint8Array(bytes.length) }]
  }
}

function* products<T>(choices: readonly (readonly T[])[]): Generator<readonly T[]> {
  const [first, ...rest] = choices
  if (first === undefined) yield []
  else for (const tail of products(rest)) for (const choice of first) yield [choice, ...tail]
}

function distinct(contents: readonly Buffer[]): readonly Buffer[] {
  return [...new Map(contents.map((content) => [content.toString('latin1'), content])).values()]
}

const identities = new WeakMap<Inode, string>()
let inodes = 0

function identityOf(inode: Inode): string {
  let identity = identities.get(inode)
  if (identity === undefined) identities.set(inode, (identity = String(++inodes)))
  return identity
}

/** Thrown by the operation during which the simulated process is killed. */
export class Killed extends Error {}

export interface CrashOptions {
  /** Called after every operation that changes something. */
  readonly onStep?: (files: CrashFiles) => void
  /** Called before every sync; `false` omits the sync, like code that forgot it. */
  readonly onSync?: (name: string) => boolean
}

/**
 * An in-memory file system that records what has been synced. It can produce every state that a power loss may leave on
 * the disk.
 */
export class CrashFiles implements Files {
  /** Number of operations until the process is killed. The last of them does not take effect. */
  killIn = Infinity
  /** Number of bytes that can still be written before the disk is full. */
  freeBytes = Infinity
  readonly #options: CrashOptions
  #names: Map<string, Inode>
  #syncedNames: Map<string, Inode>
  #naming: Naming[] = []
  readonly #folders = new Set<string>()
  #unsyncedFolders = new Set<string>()

  constructor(
    options: CrashOptions = {},
    files: ReadonlyMap<string, Buffer> = new Map(),
    folders: readonly string[] = [],
  ) {
    this.#options = options
    this.#names = new Map(
      [...files].map(([path, content]) => [path, { synced: content, current: content, pending: [] }]),
    )
    this.#syncedNames = new Map(this.#names)
    for (const folder of folders) this.#folders.add(folder)
  }

  open(path: string): OpenFile {
    const inode = this.#names.get(path)
    if (inode === undefined) throw Object.assign(new Error(`no file ${path}`), { code: 'ENOENT' })
    return this.#opened(inode, path)
  }

  openToRead(path: string): OpenFile {
    return this.open(path)
  }

  create(path: string): OpenFile {
    const inode: Inode = { synced: Buffer.alloc(0), current: Buffer.alloc(0), pending: [] }
    this.#change(() => {
      this.#names.set(path, inode)
      this.#naming.push({ kind: 'add', path, inode })
    })
    return this.#opened(inode, path)
  }

  exists(path: string): boolean {
    return this.#names.has(path)
  }

  identity(path: string): string | undefined {
    const inode = this.#names.get(path)
    return inode && identityOf(inode)
  }

  rename(from: string, to: string): void {
    this.#change(() => {
      this.#names.set(to, present(this.#names.get(from)))
      this.#names.delete(from)
      this.#naming.push({ kind: 'rename', from, to })
    })
  }

  link(from: string, to: string): void {
    this.#change(() => {
      const inode = present(this.#names.get(from))
      this.#names.set(to, inode)
      this.#naming.push({ kind: 'add', path: to, inode })
    })
  }

  remove(path: string): void {
    this.#change(() => {
      this.#names.delete(path)
      this.#naming.push({ kind: 'remove', path })
    })
  }

  space(): DiskSpace {
    return { freeBytes: this.freeBytes, totalBytes: 0 }
  }

  list(path: string): readonly string[] {
    return [...this.#names.keys()].filter((name) => dirname(name) === path).map((name) => basename(name))
  }

  makeFolder(path: string): string | undefined {
    if (this.#folders.has(path)) return undefined
    this.#change(() => {
      this.#folders.add(path)
      this.#unsyncedFolders.add(path)
    })
    return path
  }

  syncFolder(path: string): void {
    this.#sync(`folder ${basename(path)}`, () => {
      const isHere = (name: Naming): boolean => dirname(name.kind === 'rename' ? name.to : name.path) === path
      this.#syncedNames = named(this.#syncedNames, this.#naming.filter(isHere))
      this.#naming = this.#naming.filter((name) => !isHere(name))
      for (const folder of this.#unsyncedFolders) if (dirname(folder) === path) this.#unsyncedFolders.delete(folder)
    })
  }

  async syncFolderLater(path: string): Promise<void> {
    this.syncFolder(path)
  }

  /** Yields every state that a power loss may leave now, without duplicates. */
  *crashes(): Generator<CrashFiles> {
    const seen = new Set<string>()
    const folders = [...this.#folders]
    for (const names of this.#namings()) {
      const paths = [...names.keys()]
      const choices = [...names.values()].map(({ synced, pending }) =>
        distinct([...subsets(pending)].map((writes) => writes.reduce(applied, synced))),
      )
      for (const contents of products(choices)) {
        const hash = createHash('sha1')
        paths.forEach((path, i) => hash.update(`${path} `).update(present(contents[i])).update('\0'))
        const digest = hash.digest('hex')
        if (seen.has(digest)) continue
        seen.add(digest)
        yield new CrashFiles({}, new Map(paths.map((path, i) => [path, present(contents[i])])), folders)
      }
    }
  }

  content(path: string): Buffer | undefined {
    return this.#names.get(path)?.current
  }

  *#namings(): Generator<ReadonlyMap<string, Inode>> {
    // If a folder itself has not been synced, everything in it may be lost.
    const isLost = (path: string): boolean =>
      [...this.#unsyncedFolders].some((folder) => path.startsWith(join(folder, '/')))
    const pending = this.#naming
    for (let count = 0; count <= pending.length; count++) yield named(this.#syncedNames, pending.slice(0, count))
    for (let left = 0; left < pending.length - 1; left++) yield named(this.#syncedNames, pending.toSpliced(left, 1))
    if (this.#unsyncedFolders.size > 0) yield new Map([...this.#syncedNames].filter(([path]) => !isLost(path)))
  }

  #opened(inode: Inode, path: string): OpenFile {
    const write = (change: Write): void =>
      this.#change(() => {
        inode.current = applied(inode.current, change)
        inode.pending.push(change)
      })
    const sync = (): void =>
      this.#sync(basename(path), () => {
        inode.synced = inode.current
        inode.pending = []
      })
    return {
      size: () => inode.current.length,
      read: (into, at) => inode.current.copy(into, 0, at, at + into.length),
      write: (bytes, at) => {
        const fitting = Uint8Array.from(bytes.subarray(0, Math.min(bytes.length, this.freeBytes)))
        if (fitting.length > 0) write({ at, bytes: fitting })
        this.freeBytes -= fitting.length
        if (fitting.length < bytes.length) throw Object.assign(new Error('no space left'), { code: 'ENOSPC' })
      },
      truncate: (length) => write({ length }),
      identity: () => identityOf(inode),
      sync,
      syncLater: async () => {
        // Data written meanwhile may or may not have reached the disk.
        const count = inode.pending.length
        for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve))
        this.#sync(basename(path), () => {
          inode.synced = inode.pending.slice(0, count).reduce(applied, inode.synced)
          inode.pending.splice(0, count)
        })
      },
      close: () => {},
    }
  }

  #change(work: () => void): void {
    if (--this.killIn <= 0) throw new Killed()
    work()
    this.#options.onStep?.(this)
  }

  #sync(name: string, work: () => void): void {
    if (--this.killIn <= 0) throw new Killed()
    if (this.#options.onSync?.(name) ?? true) work()
    this.#options.onStep?.(this)
  }
}

function named(names: ReadonlyMap<string, Inode>, changes: readonly Naming[]): Map<string, Inode> {
  const next = new Map(names)
  for (const change of changes) {
    if (change.kind === 'add') next.set(change.path, change.inode)
    else if (change.kind === 'remove') next.delete(change.path)
    else {
      const inode = next.get(change.from)
      if (inode === undefined) continue
      next.delete(change.from)
      next.set(change.to, inode)
    }
  }
  return next
}

/** Collects every state that a power loss could leave while `isWatched` is set. */
export class WatchedFiles {
  isWatched = false
  readonly left: CrashFiles[] = []
  readonly files: CrashFiles

  constructor(root: string) {
    const onStep = (now: CrashFiles): void => {
      if (this.isWatched) this.left.push(...now.crashes())
    }
    this.files = new CrashFiles({ onStep }, new Map(), [root])
  }
}
