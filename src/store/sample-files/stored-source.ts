import type { Labels } from '../../data/index.ts'
import type { SamplesPart, SamplesSource, StoredSamples } from '../samples/index.ts'
import type { BlockCache, BlockSource } from '../segments/index.ts'
import { SampleFile } from './sample-file.ts'

/** A sample file as a source of a sample store. */
export class StoredSource implements SamplesSource {
  readonly stored: StoredSamples
  readonly file: SampleFile

  /** Opens the file. Throws SluiceError `durable/…` if the footer or the directory cannot be read. */
  constructor(stored: StoredSamples, bytes: BlockSource, cache: BlockCache) {
    this.stored = stored
    this.file = new SampleFile(bytes, cache)
  }

  get name(): string {
    return this.stored.name
  }

  get order(): number {
    return this.stored.order
  }

  get labels(): readonly Labels[] {
    return this.file.labels
  }

  slots(slotOf: (labels: Labels) => number): Int32Array {
    return Int32Array.from(this.labels, slotOf)
  }

  get bytes(): number {
    return this.file.bytes
  }

  part(series: number): SamplesPart | undefined {
    return this.file.part(series)
  }

  drop(): void {
    this.file.drop()
  }
}
