import type { Labels } from '../../data/index.ts'
import type { NewSample } from './new-sample.ts'
import type { SeriesSamples } from './source.ts'

/** The columns of a run of samples, without its label set. */
export type SamplesSlice = Omit<SeriesSamples, 'labels'>

/** Samples of one series that nothing is added to any more, by ascending time, as a file has them. */
export interface SamplesPart {
  readonly count: number
  /** Unix milliseconds. */
  readonly firstMs: number
  readonly lastMs: number
  /** How many samples `(startMs, endMs]` has at most; reads nothing. */
  countIn(startMs: number, endMs: number): number
  /** Those in `(startMs, endMs]`; `undefined` when there are none. Throws SluiceError `durable/damaged`. */
  slice(startMs: number, endMs: number, isPresenceOnly?: boolean): SamplesSlice | undefined
  /** Throws SluiceError `durable/damaged`. */
  hasSampleIn(startMs: number, endMs: number): boolean
  /** The last one before a time. Throws SluiceError `durable/damaged`. */
  lastBefore(timeMs: number): NewSample | undefined
}

/** What a store is told of that has samples of many series: a file, or columns that nothing is added to any more. */
export interface SamplesSource {
  /** Of all sources of a store none has it twice. */
  readonly name: string
  /** Higher for what came later: of samples at the same time the last one that came stands. */
  readonly order: number
  /** Of each of its series the place in its store; `placeOf` gives that of a label set, which is made where it is new. */
  places(placeOf: (labels: Labels) => number): Int32Array
  /** The samples of a series by its number in `places`; `undefined` where it has none. */
  part(series: number): SamplesPart | undefined
  /** What it holds of memory all the time. */
  readonly bytes: number
  /** Of a file. */
  readonly stored?: StoredSamples | undefined
  /** Lets go of what is cached of it. */
  drop?(): void
}

/** A file in memory that all threads see. Its series have no labels of their own. */
export interface FileInMemory {
  readonly bytes: Uint8Array
  /** Of each of its series the place in the store. */
  readonly places: Int32Array
}

/** A source that is a file, as another thread opens it. */
export interface StoredSamples {
  readonly name: string
  /** On the disk; that of a file in memory is its name. */
  readonly path: string
  readonly memory?: FileInMemory | undefined
  readonly bytes: number
  readonly order: number
  /** Unix milliseconds, both included. */
  readonly firstMs: number
  readonly lastMs: number
}
