import type { Random } from '../../base/index.ts'
import type { EngineAnswer } from '../answer.ts'
import type { Law } from '../runner/fuzzer.ts'
import type { QueryParts } from '../log-query.ts'
import type { Subject } from '../subject.ts'

export interface FuzzCase {
  readonly query: QueryParts
  readonly text: string
  /** The engines under test. They parse texts in the dialect of the query. */
  readonly subject: Subject
  /** Answer of the row model to the plan before optimization. */
  readonly model: EngineAnswer
  readonly random: Random
}

/** A law that must hold for every query text. */
export type Oracle = Law<FuzzCase>
