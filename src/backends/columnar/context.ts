import type { Functions } from '../../functions/index.ts'
import type { ScanPlan } from '../../optimize/index.ts'
import type { Segment } from '../../store/index.ts'
import type { QueryContext } from '../backend.ts'
import type { LogicalPlan, Scan, Table } from '../../plan/index.ts'
import type { ExprCompiler } from './expr/compile.ts'
import type { Frame } from './frame.ts'
import type { Measure } from './measure.ts'
import type { Parallelism } from './morsels/parallelism.ts'
import type { QueryEnd } from './query-end.ts'
import type { Waits } from './waits.ts'

/** What the operators of one query share. */
export interface ExecContext {
  readonly tables: ReadonlyMap<string, Table>
  /** What each scan asks of its table. */
  readonly scans: ReadonlyMap<Scan, ScanPlan>
  /** The rows of scans whose tables have segments. */
  readonly segments: ReadonlyMap<Scan, readonly Segment[]>
  /** The rows of scans that are read once and need not be there at once. */
  readonly arriving: ReadonlyMap<Scan, AsyncIterable<Segment>>
  /** Parts that stand at several places of the plan and are computed once, with the number of their readers. */
  readonly shared: ReadonlyMap<LogicalPlan, number>
  readonly waits: Waits
  readonly end: QueryEnd
  readonly functions: Functions
  readonly query: QueryContext
  readonly compiler: ExprCompiler
  /** Threads that may take morsels of operators. */
  readonly parallelism: Parallelism | undefined
  /** Rows of a node that need not be made: what is below it is left alone. */
  readonly given?: { readonly node: LogicalPlan; readonly frame: Frame }
  /** What each node has done so far. */
  readonly measures: Map<LogicalPlan, Measure>
}
