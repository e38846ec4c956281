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
import type { PendingReads } from './pending-reads.ts'

/** What the operators of one query share. */
export interface ExecContext {
  readonly tables: ReadonlyMap<string, Table>
  /** What each scan requests from its table. */
  readonly scans: ReadonlyMap<Scan, ScanPlan>
  /** The segments of each scan whose table has segments. */
  readonly segments: ReadonlyMap<Scan, readonly Segment[]>
  /** The rows of scans that are read once and need not be there at once. */
  readonly arriving: ReadonlyMap<Scan, AsyncIterable<Segment>>
  /** Subplans that occur several times and are computed once, with the number of their readers. */
  readonly shared: ReadonlyMap<LogicalPlan, number>
  readonly waits: PendingReads
  readonly end: QueryEnd
  readonly functions: Functions
  readonly query: QueryContext
  readonly compiler: ExprCompiler
  /** The threads that may compute morsels. */
  readonly parallelism: Parallelism | undefined
  /** A node whose rows are already there; its inputs are not run. */
  readonly given?: { readonly node: LogicalPlan; readonly frame: Frame }
  /** The measured work of each node. */
  readonly measures: Map<LogicalPlan, Measure>
}
