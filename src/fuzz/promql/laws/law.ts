import type { Random } from '../../../base/index.ts'
import type { SampleSource } from '../../../store/index.ts'
import type { FuzzAnswer } from '../ask.ts'
import type { PromqlCase } from '../generate.ts'
import type { SecondReader } from '../second-reader.ts'

/** One case with what the laws work with. */
export interface LawCase extends PromqlCase {
  readonly memory: SampleSource
  readonly sqlite: SampleSource
  readonly secondReader: SecondReader | undefined
  /** The range query with every rule, from memory. */
  readonly answer: FuzzAnswer
  readonly random: Random
}

/** A law that must hold for every case. */
export interface PromqlLaw {
  readonly name: string
  /** In words, how the law is broken; `undefined` when it holds. */
  readonly check: (given: LawCase) => Promise<string | undefined> | string | undefined
}
