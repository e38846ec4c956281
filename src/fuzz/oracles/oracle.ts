import type { Random } from '../../base/index.ts'
import type { Answer } from '../answer.ts'
import type { QueryParts } from '../log-query.ts'
import type { Subject } from '../subject.ts'

export interface FuzzCase {
  readonly query: QueryParts
  readonly text: string
  /** It reads texts in the dialect of the query. */
  readonly subject: Subject
  /** The row model's answer to the plan as written, no rule applied. */
  readonly model: Answer
  readonly random: Random
}

/** A law that must hold for every case. */
export interface Oracle {
  readonly name: string
  /** In words, how the law is broken; `undefined` when it holds. */
  readonly check: (fuzzCase: FuzzCase) => Promise<string | undefined>
}
