import { joinedInto, present, sharedMemory, type StepwiseTask } from '../../base/index.ts'
import { Labels } from '../../data/index.ts'
import {
  MERGE_FILES,
  findChosen,
  mergeable,
  mergedParts,
  seriesWithout,
  writeSamples,
  type FileChange,
  type LabelledFile,
} from '../sample-files/index.ts'
import type {
  FrozenSamples,
  SampleChoice,
  SamplesPart,
  SamplesSlice,
  SamplesSource,
  SampleStore,
} from '../samples/index.ts'
import { BlockCache } from '../segments/index.ts'
import { PackedSource } from './packed-source.ts'

export interface PackingOptions {
  /** Maximum bytes of decompressed samples that are cached for readers in this thread. */
  readonly cacheBytes: number
  readonly tail?: PackingTail | undefined
}

/** Number of samples that stay in columns: the larger of `samples` and `each` per series. */
export interface PackingTail {
  readonly samples: number
  readonly each: number
}

/** The columns of all series take 2 to 4 MiB, or more if `each` samples per series exceed that. */
const TAIL: PackingTail = { samples: 131_072, each: 16 }
/**
 * Number of samples to process per added sample while there is work. Each sample is packed once and merged about three
 * times, so the work ends.
 */
const PACE = 6
/** Number of samples to process before a yield. */
const TURN_SAMPLES = 1000
/** Approximate memory of a new series with its shortest columns, bytes. */
const NEW_SERIES_BYTES = 512
/** Size of the block cache of a merge, bytes: one group of each merged file, and a reserve. */
const MERGE_CACHE_BYTES = 2 * 1024 ** 2
/** Files of this level, from 4 M samples, are not merged: a merged file would need as much memory again. */
const MERGE_LEVELS = 3

/** A series by its index in the store, with samples to write. */
interface SlotSamples {
  readonly slot: number
  readonly samples: SamplesSlice | undefined
}

/** A file to rewrite, with the label sets of its series. */
interface PlacedFile extends LabelledFile {
  readonly source: PackedSource
  readonly slots: Int32Array
}

/** A source that can be evicted when memory is full. */
interface Evictable {
  readonly source: PackedSource | FrozenSamples
  readonly samples: number
  /** The time of the last sample, in milliseconds since 1970. */
  readonly lastMs: number
}

function frozenLeaving(source: FrozenSamples): Evictable | undefined {
  let samples = 0
  let lastMs = -Infinity
  for (const columns of source.columns) {
    if (columns === undefined) continue
    samples += columns.count
    lastMs = Math.max(lastMs, columns.lastMs)
  }
  return samples === 0 ? undefined : { source, samples, lastMs }
}

/** Runs one step of a task; returns `undefined` when the task is done. */
function wentOn(work: StepwiseTask<void>): StepwiseTask<void> | undefined {
  return work.next().done === true ? undefined : work
}

/**
 * Compresses the samples of a store that has no data folder. When the store's columns have enough samples, they are
 * frozen and written to a file in memory. Small files are merged into larger ones. The caller that adds samples runs
 * this work in steps. No other code may freeze columns of the store or add sources to it.
 */
export class SamplePacker {
  /** Maximum size of a merged file, bytes. Columns are also packed when new series would make them larger than this. */
  mostFileBytes = Infinity
  readonly #store: SampleStore
  readonly #cache: BlockCache
  readonly #tail: PackingTail
  /** Packed files, in the order of their samples. */
  #packed: readonly PackedSource[] = []
  /** The frozen columns that are not in a file yet. */
  #frozen: FrozenSamples | undefined
  #packing: StepwiseTask<void> | undefined
  #merging: StepwiseTask<void> | undefined
  /** The files that are being merged. */
  #merged: readonly PackedSource[] = []
  #isRemoving = false
  #files = 0
  #order = 0
  /** The store's version when new samples were last counted; the difference is the number of new samples. */
  #seen = 0
  #sinceFrozen = 0
  /** The store's count of added series when columns were last frozen. */
  #arrivals = 0
  /** Number of samples that packing and merging must still process for the samples added so far. */
  #owed = 0

  constructor(store: SampleStore, { cacheBytes, tail = TAIL }: PackingOptions) {
    this.#store = store
    this.#cache = new BlockCache(cacheBytes)
    this.#tail = tail
  }

  /** Bytes of cached decompressed samples. The store counts all other memory. */
  get cachedBytes(): number {
    return this.#cache.heldBytes
  }

  /** Does part of the outstanding work, in proportion to the samples added since the last call. */
  *keepUp(): StepwiseTask<void> {
    this.#look()
    while (this.#owed > 0) {
      if (this.#step()) this.#owed -= TURN_SAMPLES
      else this.#owed = 0
      yield
    }
  }

  /** Does all outstanding work. */
  *settle(): StepwiseTask<void> {
    this.#look()
    while (this.#step()) yield
    this.#owed = 0
  }

  /**
   * Deletes the chosen samples and exemplars that were added before the call; returns the number of samples. Calls must
   * not overlap. Nothing is removed until all replacements are ready.
   */
  *remove(choice: SampleChoice): StepwiseTask<number> {
    this.#isRemoving = true
    try {
      // Finishes the work in progress. `#isRemoving` prevents new work.
      while (this.#step()) yield
      this.#freeze()
      while (this.#step()) yield
      const files = this.#packed.map((source): PlacedFile => {
        const slots = source.slots()
        const labels = Array.from(slots, (slot) => this.#labelsAt(slot))
        return { source, file: source.file, slots, labels }
      })
      const { count, changes } = yield* findChosen(files, choice)
      const replaced: { readonly old: PackedSource; readonly by: PackedSource | undefined }[] = []
      for (const [file, change] of changes) {
        replaced.push({ old: file.source, by: yield* this.#write(left(file, choice, change), file.source.order) })
      }
      // Files that `dropOldest` dropped meanwhile are not restored.
      for (const { old, by } of replaced) if (this.#packed.includes(old)) this.#replace([old], by)
      for (const series of this.#store.series.find(choice.matchers)) series.forgetHintBehind(choice.endMs)
      this.#store.removeExemplars(choice)
      return count
    } finally {
      this.#isRemoving = false
    }
  }

  /**
   * The time of the last sample of the source that `dropOldest` would drop, in milliseconds since 1970; `undefined` if
   * there is nothing to drop.
   */
  get oldestMs(): number | undefined {
    return this.#oldest()?.lastMs
  }

  /** Freezes the columns, so that all samples are in sources that `dropOldest` can drop. */
  freezeColumns(): void {
    this.#look()
    if (this.#frozen === undefined && this.#sinceFrozen > 0) this.#freeze()
  }

  /**
   * Drops the file or the frozen columns whose last sample is the oldest, and then series without samples. Returns the
   * number of dropped samples. Active readers can continue to use the dropped source.
   */
  dropOldest(): number {
    const { source, samples } = present(this.#oldest(), 'a source')
    if (source === this.#frozen) {
      this.#frozen = undefined
      this.#packing = undefined
    } else if (this.#merged.some((each) => each === source)) {
      this.#merging = undefined
      this.#merged = []
    }
    this.#replace([source], undefined)
    this.#store.forgetEmptySeries()
    return samples
  }

  #oldest(): Evictable | undefined {
    let oldest = this.#frozen && frozenLeaving(this.#frozen)
    for (const source of this.#packed) {
      const { lastMs } = source.stored
      if (oldest === undefined || lastMs < oldest.lastMs) oldest = { source, lastMs, samples: source.file.sampleCount }
    }
    return oldest
  }

  #labelsAt(slot: number): Labels {
    return this.#store.series.all[slot]?.labels ?? Labels.empty
  }

  #look(): void {
    const came = this.#store.version - this.#seen
    this.#seen += came
    this.#sinceFrozen += came
    this.#owed += came * PACE
  }

  /** Runs a change of the store, so that the resulting version change is not counted as added samples. */
  #change<T>(change: () => T): T {
    this.#look()
    const result = change()
    this.#seen = this.#store.version
    return result
  }

  /**
   * Continues the work in progress, or begins work that is due. Returns false if there is nothing to do. Failed work is
   * started again by the next call.
   */
  #step(): boolean {
    this.#packing ??= this.#nextPacking()
    if (this.#packing !== undefined) {
      this.#packing = wentOn(this.#packing)
      return true
    }
    this.#merging ??= this.#nextMerging()
    if (this.#merging === undefined) return false
    this.#merging = wentOn(this.#merging)
    return true
  }

  #nextPacking(): StepwiseTask<void> | undefined {
    if (this.#frozen === undefined && !this.#isRemoving && this.#isFull) this.#freeze()
    return this.#frozen && this.#pack(this.#frozen)
  }

  get #isFull(): boolean {
    const { count, arrivals } = this.#store.series
    if ((arrivals - this.#arrivals) * NEW_SERIES_BYTES > this.mostFileBytes) return true
    return this.#sinceFrozen >= Math.max(this.#tail.samples, count * this.#tail.each)
  }

  #nextMerging(): StepwiseTask<void> | undefined {
    if (this.#isRemoving) return undefined
    const mostBytes = this.mostFileBytes / MERGE_FILES
    const samplesOf = ({ stored, file }: PackedSource) => (stored.bytes > mostBytes ? undefined : file.sampleCount)
    this.#merged = mergeable(this.#packed, samplesOf, MERGE_LEVELS)
    return this.#merged.length === 0 ? undefined : this.#merge(this.#merged)
  }

  #freeze(): void {
    this.#frozen = this.#change(() => this.#store.sources.freeze(++this.#order))
    this.#sinceFrozen = 0
    this.#arrivals = this.#store.series.arrivals
  }

  *#pack(frozen: FrozenSamples): StepwiseTask<void> {
    const slots = this.#byMetric(frozen.slots())
    const series = samplesOf(slots, (slot) => frozen.columns[slot]?.slice(-Infinity, Infinity))
    this.#replace([frozen], yield* this.#write(series, frozen.order))
    this.#frozen = undefined
  }

  *#merge(some: readonly PackedSource[]): StepwiseTask<void> {
    const parts = new Map<number, SamplesPart[]>()
    // A merge reads each block once; a separate cache keeps it from evicting blocks that queries have read.
    const cache = new BlockCache(MERGE_CACHE_BYTES)
    for (const { stored } of some) {
      const source = new PackedSource(stored, cache)
      for (const [i, slot] of source.slots().entries()) {
        const part = source.part(i)
        if (part === undefined) continue
        const known = parts.get(slot)
        if (known === undefined) parts.set(slot, [part])
        else known.push(part)
      }
      yield
    }
    const series = samplesOf(this.#byMetric(parts.keys()), (slot) => mergedParts(parts.get(slot) ?? []))
    this.#replace(some, yield* this.#write(series, some.at(-1)?.order ?? 0))
    this.#merged = []
  }

  /** Returns series ordered by metric, since similar data compresses better together. */
  #byMetric(slots: Iterable<number>): readonly number[] {
    return [...Map.groupBy(slots, (slot) => this.#labelsAt(slot).get('__name__')).values()].flat()
  }

  /** Writes series to a file in memory; returns `undefined` if they have no samples. */
  *#write(series: Iterable<SlotSamples>, order: number): StepwiseTask<PackedSource | undefined> {
    const slots: number[] = []
    function* unlabelled() {
      for (const { slot, samples } of series) {
        slots.push(slot)
        yield { labels: Labels.empty, samples }
      }
    }
    const chunks: Uint8Array[] = []
    const content = { series: unlabelled(), descriptions: [], exemplars: [] }
    const { bytes, samples, firstMs, lastMs } = yield* writeSamples(content, (chunk) =>
      chunks.push(new Uint8Array(chunk)),
    )
    if (samples === 0) return undefined
    const name = `packed ${++this.#files}`
    const memory = { bytes: joinedInto(new Uint8Array(sharedMemory(bytes)), chunks), slots: sharedSlots(slots) }
    return new PackedSource({ name, path: name, bytes, order, firstMs, lastMs, memory }, this.#cache)
  }

  #replace(old: readonly SamplesSource[], by: PackedSource | undefined): void {
    this.#change(() => this.#store.sources.replace(old, by))
    const left = this.#packed.filter((source) => !old.includes(source))
    this.#packed = (by === undefined ? left : [...left, by]).sort((a, b) => a.order - b.order)
  }
}

/** Yields series with their samples, which are read only when the series is written. */
function* samplesOf(
  slots: readonly number[],
  read: (slot: number) => SamplesSlice | undefined,
): Generator<SlotSamples> {
  for (const slot of slots) yield { slot, samples: read(slot) }
}

/** Yields what a deletion leaves of the series of a file. */
function* left(file: PlacedFile, choice: SampleChoice, change: FileChange): Generator<SlotSamples> {
  for (const { index, samples } of seriesWithout(file, choice, change)) yield { slot: file.slots[index] ?? -1, samples }
}

function sharedSlots(slots: readonly number[]): Int32Array {
  const all = new Int32Array(sharedMemory(slots.length * Int32Array.BYTES_PER_ELEMENT))
  all.set(slots)
  return all
}
