import type { NewSample } from './sample-columns.ts'
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
