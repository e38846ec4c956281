import { join } from 'node:path'
import { SluiceError, inTurns, present, type Turns } from '../../base/index.ts'
import type { Files, GroupEntry, Manifest, SegmentEntry } from '../durable/index.ts'
import type { Segment, TableGroup } from '../memory/index.ts'
import {
  BlockCache,
  GroupFilter,
  MOST_PLACES,
  itemsOfSegment,
  openSegment,
  sortedRun,
  writeGroup,
  type ItemRun,
  type PooledFiles,
} from '../segments/index.ts'
import type { FolderEdits, Kept } from './folder-edits.ts'
import { backendFolder, groupFile } from './folders.ts'
import { SMALL_ROWS } from './merge.ts'
import { MergePace } from './merge-pace.ts'
import { writeNewFile } from './new-file.ts'

/** What becomes a group. */
export interface GroupSizes {
  /** Segments of fewer rows are in none: they are about to be merged. */
  readonly leastRows: number
  /** So many segments make a group. */
  readonly segments: number
  /** So many groups of these make a larger one, which stays. */
  readonly groups: number
  /** How long after a start the first is made, milliseconds: whoever waited for the start has the cores. */
  readonly firstAfterMs: number
  /** What is held of the hashes of segments that are in no group yet, bytes. Others are read from their files. */
  readonly hashBytes: number
  /** After so long without a new segment those that are left over get a filter, fewer though they are, milliseconds. */
  readonly restMs: number
}

const standardSizes: GroupSizes = {
  leastRows: SMALL_ROWS,
  segments: 16,
  groups: MOST_PLACES / 16,
  firstAfterMs: 15_000,
  hashBytes: 32 * 1024 * 1024,
  restMs: 15_000,
}

export interface GroupKeeperOptions {
  readonly files: Files
  readonly folder: string
  readonly manifest: Pick<Manifest, 'state' | 'commit'>
  readonly pool: PooledFiles
  readonly cache: BlockCache
  readonly edits: FolderEdits
  readonly sizes?: GroupSizes | undefined
  /** Told of a file that is damaged, which is made again, and why a filter could not be made. */
  readonly onFailure: (error: unknown) => void
  /** Called when `keep` has something to do again. */
  readonly wake: () => void
}

/** Making filters takes one part in so many of the time, and less of it while segments wait for their files. */
const SHARE = 2
const BUSY_SHARE = 8

/** Hashes of new segments, by the names of their files, until a group has them. */
class HeldHashes {
  readonly #held = new Map<string, readonly Uint32Array[]>()
  readonly #mostBytes: number
  #bytes = 0

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes
  }

  add(name: string, hashes: readonly Uint32Array[]): void {
    const bytes = bytesOf(hashes)
    if (this.#bytes + bytes > this.#mostBytes) return
    this.#held.set(name, hashes)
    this.#bytes += bytes
  }

  get(name: string): readonly Uint32Array[] | undefined {
    return this.#held.get(name)
  }

  has(name: string): boolean {
    return this.#held.has(name)
  }

  /** Whether the next ones may soon not be held: read from files, they cost four times as much as the filter made of them. */
  get areMany(): boolean {
    return this.#bytes >= this.#mostBytes / 2
  }

  drop(name: string): void {
    this.#bytes -= bytesOf(this.#held.get(name) ?? [])
    this.#held.delete(name)
  }

  /** Drops those of segments that are there no more. */
  dropGone(tables: Iterable<Kept>): void {
    if (this.#held.size === 0) return
    const names = new Set(Array.from(tables, ({ entries }) => Array.from(entries.values(), ({ name }) => name)).flat())
    for (const name of this.#held.keys()) if (!names.has(name)) this.drop(name)
  }
}

function bytesOf(hashes: readonly Uint32Array[]): number {
  return hashes.reduce((sum, { byteLength }) => sum + byteLength, 0)
}

/** Whether a segment cannot be read, for damage or for now: it is left out of groups until the next start. */
function isUnreadable(error: unknown): error is SluiceError {
  return error instanceof SluiceError && (error.code === 'durable/damaged' || error.code === 'durable/read-failed')
}

/** What is to become one group: smaller ones, and segments that are in none. */
interface Wanted {
  readonly groups: readonly GroupEntry[]
  readonly segments: readonly SegmentEntry[]
}

function segmentNames({ groups, segments }: Wanted): readonly string[] {
  return [...groups.flatMap((group) => group.segments), ...segments.map(({ name }) => name)]
}

/** The filter in the making. */
interface Making {
  readonly segments: ReadonlySet<string>
  /** Resolves in whatever way it ends. */
  readonly ended: Promise<void>
  /** Gives it up. */
  readonly giveUp: AbortController
}

/** The same turns, until what they are for is given up. */
function* whileWanted<T>(turns: Turns<T>, signal: AbortSignal): Turns<T> {
  for (;;) {
    const next = turns.next()
    if (next.done === true) return next.value
    signal.throwIfAborted()
    yield
  }
}

/**
 * The filters over many segments of the tables of a folder. They are made behind the segments, of the hashes that came with these
 * or of their files: a crash leaves segments without one, or a file that nobody names. A segment in none is asked by itself.
 */
export class GroupKeeper {
  readonly #options: GroupKeeperOptions
  readonly #opened = new Map<string, GroupFilter>()
  /** Names of files that were found damaged, and of segments that cannot be read whole. */
  readonly #damaged = new Set<string>()

  readonly #sizes: GroupSizes
  readonly #hashes: HeldHashes
  readonly #pace = new MergePace()
  #making: Making | undefined
  #timer: NodeJS.Timeout | undefined
  #makes = false
  /** When the last segment was named. */
  #namedMs = -Infinity

  constructor(options: GroupKeeperOptions) {
    this.#options = options
    this.#sizes = options.sizes ?? standardSizes
    this.#hashes = new HeldHashes(this.#sizes.hashBytes)
  }

  /** From now on filters are made, the first after a while. */
  start(): void {
    this.#makes = true
    this.#pace.pause(this.#sizes.firstAfterMs)
  }

  /** No more of them are begun, and what was begun is given up. */
  stop(): void {
    this.#makes = false
    clearTimeout(this.#timer)
    this.#making?.giveUp.abort()
  }

  /** Resolves when the one in the making is made or given up; `undefined` where there is none. */
  get ended(): Promise<void> | undefined {
    return this.#making?.ended
  }

  /** Segments are about to leave: resolves when no filter is made of them any more. Those that are named are the caller's to take out. */
  async release(segments: readonly string[]): Promise<void> {
    const making = this.#making
    if (making === undefined || !segments.some((name) => making.segments.has(name))) return
    making.giveUp.abort()
    await making.ended
  }

  /** A segment is named from now on, with what it may be asked for. */
  named({ name, rowCount }: SegmentEntry, hashes: readonly Uint32Array[]): void {
    this.#namedMs = performance.now()
    if (rowCount >= this.#sizes.leastRows) this.#hashes.add(name, hashes)
  }

  /**
   * Names no longer what is damaged, and begins to make one filter if it is time; the next one is due when the pace allows it. Nobody
   * waits for it: segments are written meanwhile. `isBusy`: segments wait for their files.
   */
  async keep(tables: readonly Kept[], isBusy: boolean): Promise<void> {
    for (const kept of tables) await this.#drop(kept)
    this.#hashes.dropGone(tables)
    if (!this.#makes || this.#making !== undefined) return
    const isAtRest = !isBusy && performance.now() - this.#namedMs >= this.#sizes.restMs
    for (const kept of tables) {
      const wanted = this.#wanted(kept) ?? (isAtRest ? this.#leftOver(kept) : undefined)
      if (wanted === undefined) continue
      if (this.#pace.isTime || (this.#hashes.areMany && wanted.groups.length === 0))
        return this.#begin(kept, wanted, isBusy ? BUSY_SHARE : SHARE)
      clearTimeout(this.#timer)
      this.#timer = setTimeout(() => this.#options.wake(), this.#pace.waitMs).unref()
      return
    }
  }

  /**
   * Before a folder is closed: segments of which the hashes are held get the filter that they would get at rest, so that whoever opens
   * it next looks into none of them in vain.
   */
  async finish(tables: Iterable<Kept>): Promise<void> {
    for (const kept of tables) {
      const wanted = this.#leftOver(kept, (name) => this.#hashes.has(name))
      if (wanted === undefined) continue
      this.#begin(kept, wanted, SHARE)
      await this.ended
    }
  }

  #begin(kept: Kept, wanted: Wanted, share: number): void {
    const giveUp = new AbortController()
    const { signal } = giveUp
    const ended = this.#pace
      .run(() => this.#make(kept, wanted, signal), share)
      .catch((error: unknown) => {
        if (error !== signal.reason) this.#options.onFailure(error)
      })
      .finally(() => {
        this.#making = undefined
        if (this.#makes) this.#options.wake()
      })
    this.#making = { segments: new Set(segmentNames(wanted)), ended, giveUp }
  }

  #entries(kept: Kept): readonly GroupEntry[] {
    return this.#options.manifest.state.tables.get(kept.key)?.groups ?? []
  }

  /** Tells a table of its groups, as the manifest has them. To be called when it or the segments of the table have changed. */
  apply(kept: Kept): void {
    const { folder } = this.#options
    const entries = this.#entries(kept)
    if (entries.length === 0 && kept.table.groups.length === 0) return
    const byName = new Map<string, Segment>()
    for (const [segment, { name }] of kept.entries) byName.set(name, segment)
    const groups = entries.map((entry): TableGroup => {
      const { name, bytes, crc, segments } = entry
      const path = join(backendFolder(folder, kept.backend), name)
      return {
        file: { path, bytes, crc, segments },
        group: this.#open(kept, entry),
        segments: segments.map((each) => byName.get(each)),
      }
    })
    kept.table.setGroups(groups)
  }

  #open(kept: Kept, { name, bytes, crc, segments }: GroupEntry): GroupFilter {
    const { folder, pool, cache } = this.#options
    const path = join(backendFolder(folder, kept.backend), name)
    let opened = this.#opened.get(path)
    if (opened !== undefined) return opened
    opened = new GroupFilter({
      source: pool.source(path, bytes, name, crc),
      segments,
      textField: kept.table.definition.textField,
      cache,
      onDamage: (error) => this.#isDamaged(name, error),
    })
    this.#opened.set(path, opened)
    return opened
  }

  #isDamaged(name: string, error: SluiceError): void {
    if (this.#damaged.has(name)) return
    this.#damaged.add(name)
    this.#options.onFailure(error)
    this.#options.wake()
  }

  /** Another thread cannot read the file of a group. */
  damaged(kept: Kept, path: string, error: SluiceError): void {
    const folder = backendFolder(this.#options.folder, kept.backend)
    const entry = this.#entries(kept).find(({ name }) => join(folder, name) === path)
    if (entry !== undefined) this.#isDamaged(entry.name, error)
  }

  /** Lets go of those that the manifest names no longer, and tells the table. */
  gone(kept: Kept, names: readonly string[]): void {
    if (names.length === 0) return
    const folder = backendFolder(this.#options.folder, kept.backend)
    for (const name of names) {
      const path = join(folder, name)
      for (const part of this.#opened.get(path)?.parts() ?? []) part.drop()
      this.#opened.delete(path)
    }
    this.#options.edits.leave(kept.backend, names)
    this.apply(kept)
  }

  /** Segments of a table that are in no group and can be in one. */
  *#withoutGroup(kept: Kept): Generator<SegmentEntry> {
    const inGroups = new Set(this.#entries(kept).flatMap(({ segments }) => segments))
    for (const [segment, entry] of kept.entries) {
      const isWithout = !inGroups.has(entry.name) && !this.#damaged.has(entry.name)
      if (isWithout && segment.rowCount >= this.#sizes.leastRows) yield entry
    }
  }

  /** What of a table is to be made next. */
  #wanted(kept: Kept): Wanted | undefined {
    const sizes = this.#sizes
    const held: SegmentEntry[] = []
    const others: SegmentEntry[] = []
    for (const entry of this.#withoutGroup(kept)) {
      const without = this.#hashes.has(entry.name) ? held : others
      without.push(entry)
      if (held.length === sizes.segments) return { groups: [], segments: held }
    }
    // Those whose hashes are held do not wait for others that were there before.
    if (others.length + held.length >= sizes.segments)
      return { groups: [], segments: [...others, ...held].slice(0, sizes.segments) }
    const small = this.#entries(kept).filter(({ segments }) => segments.length <= sizes.segments)
    return small.length >= sizes.groups ? { groups: small.slice(0, sizes.groups), segments: [] } : undefined
  }

  /** Segments that are too few for a group of their own size, with those of smaller groups as far as there is room. */
  #leftOver(kept: Kept, isChosen: (name: string) => boolean = () => true): Wanted | undefined {
    const segments = [...this.#withoutGroup(kept)].filter(({ name }) => isChosen(name)).slice(0, this.#sizes.segments)
    if (segments.length === 0) return undefined
    const groups: GroupEntry[] = []
    let count = segments.length
    for (const group of this.#entries(kept)) {
      if (count + group.segments.length > this.#sizes.segments) continue
      groups.push(group)
      count += group.segments.length
    }
    return count > 1 ? { groups, segments } : undefined
  }

  /** Makes one, and names it. A file that is damaged is told of, and left out the next time. */
  async #make(kept: Kept, wanted: Wanted, signal: AbortSignal): Promise<void> {
    try {
      await this.#makeFile(kept, wanted, signal)
    } catch (error) {
      if (!isUnreadable(error)) throw error
    } finally {
      for (const { name } of wanted.segments) this.#hashes.drop(name)
    }
  }

  async #makeFile(kept: Kept, wanted: Wanted, signal: AbortSignal): Promise<void> {
    const { files, folder, manifest, edits } = this.#options
    const { backend, table } = kept
    const { name: tableName, textField } = table.definition
    const name = groupFile(tableName, edits.nextFile++)
    const place = backendFolder(folder, backend)
    const removed = wanted.groups.map((each) => each.name)
    const live = new Set(Array.from(kept.entries.values(), (entry) => entry.name))
    const segments = segmentNames(wanted).filter((each) => live.has(each))
    const runs = await inTurns(whileWanted(this.#runs(kept, wanted, segments), signal))
    const path = join(place, name)
    const written = await writeNewFile(files, path, (write) =>
      inTurns(whileWanted(writeGroup(runs, { table: tableName, textField, segments }, write), signal)),
    )
    await files.syncFolderLater(place)
    if (signal.aborted) {
      files.remove(path)
      signal.throwIfAborted()
    }
    const added: GroupEntry = { name, ...written, segments }
    await manifest.commit({
      nextFile: edits.nextFile,
      tables: [{ backend, table: tableName, addGroups: [added], removeGroups: removed }],
    })
    if (removed.length > 0) this.gone(kept, removed)
    else this.apply(kept)
    edits.changed()
  }

  /** In the order of the places of `names`, which have all that is there. */
  *#runs(kept: Kept, { groups, segments }: Wanted, names: readonly string[]): Turns<readonly ItemRun[]> {
    const places = new Map(names.map((name, place) => [name, place] as const))
    const runs: ItemRun[] = []
    for (const entry of groups) {
      runs.push(this.#open(kept, entry).run((place) => places.get(present(entry.segments[place]))))
      yield
    }
    for (const entry of segments) {
      const place = places.get(entry.name)
      if (place === undefined) continue
      for (const hashes of this.#hashes.get(entry.name) ?? (yield* this.#readHashes(kept, entry)))
        runs.push(sortedRun(hashes, place))
    }
    return runs
  }

  *#readHashes(kept: Kept, entry: SegmentEntry): Turns<readonly Uint32Array[]> {
    const { pool, folder } = this.#options
    const path = join(backendFolder(folder, kept.backend), entry.name)
    const segment = openSegment({
      id: 0,
      source: pool.source(path, entry.bytes, entry.name, entry.crc),
      summary: entry,
      textField: kept.table.definition.textField,
      dictionaryOf: (field) => kept.table.dictionary(field),
      // Of what is read here nothing is needed again.
      cache: new BlockCache(0),
    })
    try {
      return yield* itemsOfSegment(segment)
    } catch (error) {
      if (isUnreadable(error)) this.#isDamaged(entry.name, error)
      throw error
    }
  }

  /** Names no longer what is damaged, or has no segment left that is there. */
  async #drop(kept: Kept): Promise<void> {
    const live = new Set(Array.from(kept.entries.values(), (entry) => entry.name))
    const names = this.#entries(kept)
      .filter(({ name, segments }) => this.#damaged.has(name) || !segments.some((each) => live.has(each)))
      .map(({ name }) => name)
    if (names.length === 0) return
    const { backend, table } = kept
    await this.#options.manifest.commit({ tables: [{ backend, table: table.definition.name, removeGroups: names }] })
    this.gone(kept, names)
    for (const name of names) this.#damaged.delete(name)
    this.#options.edits.changed()
  }
}
