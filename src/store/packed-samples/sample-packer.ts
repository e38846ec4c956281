import { joinedInto, present, sharedMemory, type Turns } from '../../base/index.ts'
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
  /** What of unpacked samples may be held for those who read in this thread, bytes. */
  readonly cacheBytes: number
  readonly tail?: PackingTail | undefined
}

/** As many samples stay in columns: so many, or so many of each series where that is more. */
export interface PackingTail {
  readonly samples: number
  readonly each: number
}

/** All of them take 2 to 4 MiB, or those of each series what the shortest columns do. */
const TAIL: PackingTail = { samples: 131_072, each: 16 }
/** Samples that are gone through for each one that came, as long as there is anything to do: each is packed once, and merged some three times. */
const PACE = 6
/** What a turn goes through. */
const TURN_SAMPLES = 1000
/** About what a new series takes, with its shortest columns. */
const NEW_SERIES_BYTES = 512
/** For a group of each of the files that become one, and some more. */
const MERGE_CACHE_BYTES = 2 * 1024 ** 2
/** Larger files, of 16 M samples, are left: one in their place would need as much memory beside them. */
const MERGE_LEVELS = 3

/** The samples of a series by its place in the store. */
interface PlacedSamples {
  readonly place: number
  readonly samples: SamplesSlice | undefined
}

/** A file, and whose samples it has. */
interface PlacedFile extends LabelledFile {
  readonly source: PackedSource
  readonly places: Int32Array
}

/** A source that can leave. */
interface Leaving {
  readonly source: PackedSource | FrozenSamples
  readonly samples: number
  /** Unix milliseconds, of its last sample. */
  readonly lastMs: number
}

function frozenLeaving(source: FrozenSamples): Leaving | undefined {
  let samples = 0
  let lastMs = -Infinity
  for (const columns of source.columns) {
    if (columns === undefined) continue
    samples += columns.count
    lastMs = Math.max(lastMs, columns.lastMs)
  }
  return samples === 0 ? undefined : { source, samples, lastMs }
}

/** One turn of what is in work; `undefined` when that is done. */
function wentOn(work: Turns<void>): Turns<void> | undefined {
  return work.next().done === true ? undefined : work
}

/**
 * Keeps the columns of a store short that has no files on a disk: when they have some samples, these are frozen and become a file in
 * memory, and small files become larger ones. That is done in turns by whoever adds samples. Nobody else may freeze the columns of the
 * store or give it sources.
 */
export class SamplePacker {
  /** No file is made larger than this by merging, and columns of new series do not take more before they are frozen. */
  mostFileBytes = Infinity
  readonly #store: SampleStore
  readonly #cache: BlockCache
  readonly #tail: PackingTail
  /** By ascending order. */
  #packed: readonly PackedSource[] = []
  /** What was in columns and is no file yet. */
  #frozen: FrozenSamples | undefined
  #packing: Turns<void> | undefined
  #merging: Turns<void> | undefined
  /** What is being merged. */
  #merged: readonly PackedSource[] = []
  #isRemoving = false
  #files = 0
  #order = 0
  /** Changes of the store that were looked at. */
  #seen = 0
  #sinceFrozen = 0
  /** Series that had come when columns were frozen last. */
  #arrivals = 0
  /** Samples that are to be gone through for those that came. */
  #owed = 0

  constructor(store: SampleStore, { cacheBytes, tail = TAIL }: PackingOptions) {
    this.#store = store
    this.#cache = new BlockCache(cacheBytes)
    this.#tail = tail
  }

  /** What is held of unpacked samples, bytes; all else the store counts. */
  get cachedBytes(): number {
    return this.#cache.heldBytes
  }

  /** Does a share of what is to be done for the samples that came since the last call. */
  *keepUp(): Turns<void> {
    this.#look()
    while (this.#owed > 0) {
      if (this.#step()) this.#owed -= TURN_SAMPLES
      else this.#owed = 0
      yield
    }
  }

  /** Does all that is to be done. */
  *settle(): Turns<void> {
    this.#look()
    while (this.#step()) yield
    this.#owed = 0
  }

  /**
   * Takes samples and exemplars out for ever, those among them that came before the call; gives how many samples there were. One call at a
   * time. None is gone before all are.
   */
  *remove(choice: SampleChoice): Turns<number> {
    this.#isRemoving = true
    try {
      // What is in work; nothing is begun meanwhile.
      while (this.#step()) yield
      this.#freeze()
      while (this.#step()) yield
      const files = this.#packed.map((source): PlacedFile => {
        const places = source.places()
        const labels = Array.from(places, (place) => this.#labelsAt(place))
        return { source, file: source.file, places, labels }
      })
      const { count, changes } = yield* findChosen(files, choice)
      const replaced: { readonly old: PackedSource; readonly by: PackedSource | undefined }[] = []
      for (const [file, change] of changes) {
        replaced.push({ old: file.source, by: yield* this.#write(left(file, choice, change), file.source.order) })
      }
      // What has left meanwhile does not come back.
      for (const { old, by } of replaced) if (this.#packed.includes(old)) this.#replace([old], by)
      for (const series of this.#store.series.find(choice.matchers)) series.forgetHintBehind(choice.endMs)
      this.#store.removeExemplars(choice)
      return count
    } finally {
      this.#isRemoving = false
    }
  }

  /** When the last sample was of what `dropOldest` lets go of, Unix milliseconds; `undefined` where there is nothing. */
  get oldestMs(): number | undefined {
    return this.#oldest()?.lastMs
  }

  /** Has all samples in a source that can leave. */
  freezeColumns(): void {
    this.#look()
    if (this.#frozen === undefined && this.#sinceFrozen > 0) this.#freeze()
  }

  /**
   * Lets go of the file whose last sample is the oldest, or of columns that are to become one, and of series that have no samples beside
   * it; gives how many samples it had. Whoever reads it goes on.
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

  #oldest(): Leaving | undefined {
    let oldest = this.#frozen && frozenLeaving(this.#frozen)
    for (const source of this.#packed) {
      const { lastMs } = source.stored
      if (oldest === undefined || lastMs < oldest.lastMs) oldest = { source, lastMs, samples: source.file.sampleCount }
    }
    return oldest
  }

  #labelsAt(place: number): Labels {
    return this.#store.series.all[place]?.labels ?? Labels.empty
  }

  #look(): void {
    const came = this.#store.version - this.#seen
    this.#seen += came
    this.#sinceFrozen += came
    this.#owed += came * PACE
  }

  /** A change of the store that brings no samples. */
  #change<T>(change: () => T): T {
    this.#look()
    const result = change()
    this.#seen = this.#store.version
    return result
  }

  /** Goes on with what is in work, or begins what is due; false where there is nothing. What fails is begun again. */
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

  #nextPacking(): Turns<void> | undefined {
    if (this.#frozen === undefined && !this.#isRemoving && this.#isFull) this.#freeze()
    return this.#frozen && this.#pack(this.#frozen)
  }

  get #isFull(): boolean {
    const { count, arrivals } = this.#store.series
    if ((arrivals - this.#arrivals) * NEW_SERIES_BYTES > this.mostFileBytes) return true
    return this.#sinceFrozen >= Math.max(this.#tail.samples, count * this.#tail.each)
  }

  #nextMerging(): Turns<void> | undefined {
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

  *#pack(frozen: FrozenSamples): Turns<void> {
    const places = this.#byMetric(frozen.places())
    const series = samplesOf(places, (place) => frozen.columns[place]?.slice(-Infinity, Infinity))
    this.#replace([frozen], yield* this.#write(series, frozen.order))
    this.#frozen = undefined
  }

  *#merge(some: readonly PackedSource[]): Turns<void> {
    const parts = new Map<number, SamplesPart[]>()
    // What is read here is not read again: it must not take the place of what queries read.
    const cache = new BlockCache(MERGE_CACHE_BYTES)
    for (const { stored } of some) {
      const source = new PackedSource(stored, cache)
      for (const [i, place] of source.places().entries()) {
        const part = source.part(i)
        if (part === undefined) continue
        const known = parts.get(place)
        if (known === undefined) parts.set(place, [part])
        else known.push(part)
      }
      yield
    }
    const series = samplesOf(this.#byMetric(parts.keys()), (place) => mergedParts(parts.get(place) ?? []))
    this.#replace(some, yield* this.#write(series, some.at(-1)?.order ?? 0))
    this.#merged = []
  }

  /** Series of one metric one after another: what is alike packs better together. */
  #byMetric(places: Iterable<number>): readonly number[] {
    return [...Map.groupBy(places, (place) => this.#labelsAt(place).get('__name__')).values()].flat()
  }

  /** `undefined` where there are no samples. */
  *#write(series: Iterable<PlacedSamples>, order: number): Turns<PackedSource | undefined> {
    const places: number[] = []
    function* unlabelled() {
      for (const { place, samples } of series) {
        places.push(place)
        yield { labels: Labels.empty, samples }
      }
    }
    const pieces: Uint8Array[] = []
    const content = { series: unlabelled(), descriptions: [], exemplars: [] }
    const { bytes, samples, firstMs, lastMs } = yield* writeSamples(content, (piece) =>
      pieces.push(new Uint8Array(piece)),
    )
    if (samples === 0) return undefined
    const name = `packed ${++this.#files}`
    const memory = { bytes: joinedInto(new Uint8Array(sharedMemory(bytes)), pieces), places: sharedPlaces(places) }
    return new PackedSource({ name, path: name, bytes, order, firstMs, lastMs, memory }, this.#cache)
  }

  #replace(old: readonly SamplesSource[], by: PackedSource | undefined): void {
    this.#change(() => this.#store.sources.replace(old, by))
    const left = this.#packed.filter((source) => !old.includes(source))
    this.#packed = (by === undefined ? left : [...left, by]).sort((a, b) => a.order - b.order)
  }
}

/** One after another, as they are written. */
function* samplesOf(
  places: readonly number[],
  read: (place: number) => SamplesSlice | undefined,
): Generator<PlacedSamples> {
  for (const place of places) yield { place, samples: read(place) }
}

/** What of a file is left. */
function* left(file: PlacedFile, choice: SampleChoice, change: FileChange): Generator<PlacedSamples> {
  for (const { place, samples } of seriesWithout(file, choice, change))
    yield { place: file.places[place] ?? -1, samples }
}

function sharedPlaces(places: readonly number[]): Int32Array {
  const all = new Int32Array(sharedMemory(places.length * Int32Array.BYTES_PER_ELEMENT))
  all.set(places)
  return all
}
