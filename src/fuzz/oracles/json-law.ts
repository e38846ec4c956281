import type { Interval, Random } from '../../base/index.ts'
import type { LogicalPlan } from '../../plan/index.ts'
import type { EngineAnswer } from '../answer.ts'
import type { Law } from '../runner/fuzzer.ts'
import type { Body } from '../pipeline/pipeline.ts'
import type { Subject } from '../subject.ts'

export interface PipelineCase {
  readonly body: Body
  /** The lowered body as an unbound plan. */
  readonly plan: LogicalPlan
  readonly range: Interval
  readonly subject: Subject
  /** Answer of the row model to the plan before optimization. */
  readonly model: EngineAnswer
  readonly random: Random
}

/** A law that must hold for every structured query. */
export type JsonLaw = Law<PipelineCase>
