import type { Functions } from '../../functions/index.ts'
import type { MemoryStore } from '../../store/index.ts'
import type { QueryContext } from '../backend.ts'
import type { LogicalPlan } from '../../plan/index.ts'
import type { ExprCompiler } from './expr/compile.ts'
import type { Measure } from './measure.ts'

/** What the operators of one query share. */
export interface ExecContext {
  readonly store: MemoryStore
  readonly functions: Functions
  readonly query: QueryContext
  readonly compiler: ExprCompiler
  /** What each node has done so far. */
  readonly measures: Map<LogicalPlan, Measure>
}
