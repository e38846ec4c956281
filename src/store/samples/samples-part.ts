import type { Labels } from '../../data/index.ts'
import type { NewSample } from './new-sample.ts'
import type { SeriesSamples } from './source.ts'

/** The columns of a run of samples, without its label set. */
export type SamplesSlice = Omit<SeriesSamples, 'labels'>

/** Immutable samples of one series in ascending order of time, such as those in a file. */
export interface SamplesPart {
  readonly count: number
  /** Milliseconds since 1970. */
  readonly firstMs: number
  readonly lastMs: number
  /** Returns an upper bound for the number of samples in `(startMs, endMs]` without reading any. */
  countIn(startMs: number, endMs: number): number
  /**
   * Returns the samples in `(startMs, endMs]`; `undefined` when there are none. Throws SluiceError `durable/damaged`.
   */
  slice(startMs: number, endMs: number, isPresenceOnly?: boolean): SamplesSlice | undefined
  /** True if there is a sample in `(startMs, endMs]`. Throws SluiceError `durable/damaged`. */
  hasSampleIn(startMs: number, endMs: number): boolean
  /** Returns the last sample before a time. Throws SluiceError `durable/damaged`. */
  lastBefore(timeMs: number): NewSample | undefined
}

/** A source of immutable samples of many series: a file, or frozen columns. */
export interface SamplesSource {
  /** Unique among all sources of a store. */
  readonly name: string
  /** Higher for later data. Of samples at the same time, the one from the source with the highest order is used. */
  readonly order: number
  /**
   * Returns the slot of each of its series in the store. `slotOf` returns the slot of a label set and adds it when
   * it is new.
   */
  slots(slotOf: (labels: Labels) => number): Int32Array
  /** Returns the samples of a series by its index in `slots`; `undefined` when it has none. */
  part(series: number): SamplesPart | undefined
  /** Bytes of memory that it permanently uses. */
  readonly bytes: number
  /** The description of the file; `undefined` for frozen columns. */
  readonly stored?: StoredSamples | undefined
  /** Releases its cached data. */
  drop?(): void
}

/** A sample file in memory that all threads share. Its series have no labels of their own. */
export interface FileInMemory {
  readonly bytes: Uint8Array
  /** The slot of each of its series in the store. */
  readonly slots: Int32Array
}

/** The description of a sample file, by which another thread opens it. */
export interface StoredSamples {
  readonly name: string
  /** The path on the disk; the name for a file in memory. */
  readonly path: string
  readonly memory?: FileInMemory | undefined
  readonly bytes: number
  readonly order: number
  /** The times of the first and the last sample in milliseconds since 1970, both inclusive. */
  readonly firstMs: number
  readonly lastMs: number
}
