import type { Labels } from '../../data/index.ts'
import type { NewSample } from './new-sample.ts'
import type { SeriesSamples } from './source.ts'

/** Samples of one series as columns, without its label set. */
export type SamplesSlice = Omit<SeriesSamples, 'labels'>

/** Immutable samples of one series in ascending order of time, such as those in a file. */
export interface SamplesPart {
  readonly count: number
  /** Milliseconds since 1970. */
  readonly firstMs: number
  readonly lastMs: number
  /** Returns an upper bound for the number of samples in `(startMs, endMs]`, without reading samples. */
  countIn(startMs: number, endMs: number): number
  /** Returns the samples in `(startMs, endMs]`; `undefined` if there are none. Throws SluiceError `durable/damaged`. */
  slice(startMs: number, endMs: number, isPresenceOnly?: boolean): SamplesSlice | undefined
  /** True if there is a sample in `(startMs, endMs]`. Throws SluiceError `durable/damaged`. */
  hasSampleIn(startMs: number, endMs: number): boolean
  /** Returns the last sample before a time; `undefined` if there is none. Throws SluiceError `durable/damaged`. */
  lastBefore(timeMs: number): NewSample | undefined
}

/** Immutable samples of many series: a file, or frozen columns. */
export interface SamplesSource {
  /** Name that is unique among all sources of a store. */
  readonly name: string
  /**
   * Position among the sources; higher for later data. Among samples at the same time, that of the source with the
   * highest order is used.
   */
  readonly order: number
  /**
   * Returns, for each series of the source, its slot in the store. `slotOf` returns the slot of a label set, which it
   * adds if it is new.
   */
  slots(slotOf: (labels: Labels) => number): Int32Array
  /** Returns the samples of a series, given its index in the result of `slots`; `undefined` if it has none. */
  part(series: number): SamplesPart | undefined
  /** Memory that the source uses permanently, bytes. */
  readonly bytes: number
  /** The description of the file; `undefined` for frozen columns. */
  readonly stored?: StoredSamples | undefined
  /** Drops cached data of the source. */
  drop?(): void
}

/** A sample file in memory that all threads share. The file has no label sets. */
export interface FileInMemory {
  readonly bytes: Uint8Array
  /** For each series of the file, its slot in the store. */
  readonly slots: Int32Array
}

/** Data that another thread needs to open a sample file. */
export interface StoredSamples {
  readonly name: string
  /** The path of the file; for a file in memory, its name. */
  readonly path: string
  readonly memory?: FileInMemory | undefined
  readonly bytes: number
  readonly order: number
  /** The time of the first sample, in milliseconds since 1970; `lastMs` is that of the last sample. */
  readonly firstMs: number
  readonly lastMs: number
}
