import type { Random } from '../../../base/index.ts'
import type { SampleSource } from '../../../store/index.ts'
import type { FuzzSample } from '../dataset.ts'
import type { PackedStore } from '../packed-store.ts'
import type { FuzzAnswer } from '../run-query.ts'
import type { Law } from '../../runner/fuzzer.ts'
import type { PromqlCase } from '../generate.ts'
import type { SecondReader } from '../../readers/second-reader.ts'

/** One case with everything that the laws need. */
export interface LawCase extends Omit<PromqlCase, 'uses'> {
  readonly memory: SampleSource
  readonly sqlite: SampleSource
  /** The samples that every source holds. */
  readonly samples: readonly FuzzSample[]
  /** A source that holds nearly all samples in files. */
  readonly files: SampleSource
  /** A source that holds nearly all samples packed in memory. */
  readonly packed: Pick<PackedStore, 'store' | 'replica'>
  readonly secondReader: SecondReader | undefined
  /** The answer of the range query with every optimizer rule, from memory. */
  readonly answer: FuzzAnswer
  readonly random: Random
}

/** A law that must hold for every metric query. */
export type PromqlLaw = Law<LawCase>
