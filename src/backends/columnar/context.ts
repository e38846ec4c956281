import type { Functions } from '../../functions/index.ts'
import type { ScanPlan } from '../../optimize/index.ts'
import type { Segment } from '../../store/index.ts'
import type { QueryContext } from '../backend.ts'
import type { LogicalPlan, Scan, Table } from '../../plan/index.ts'
import type { ExprCompiler } from './expr/compile.ts'
import type { Frame } from './frame.ts'
import type { OperatorMeasure } from './measure.ts'
import type { Parallelism } from './morsels/parallelism.ts'
import type { QueryEnd } from './query-end.ts'
import type { PendingReads } from './pending-reads.ts'

/** State and settings that all operators of one query share. */
export interface ExecContext {
  readonly tables: ReadonlyMap<string, Table>
  /** The fields, conditions, times and order that each scan requests from its table. */
  readonly scans: ReadonlyMap<Scan, ScanPlan>
  /** The segments of each scan whose table has segments. */
  readonly segments: ReadonlyMap<Scan, readonly Segment[]>
  /** Segment streams of scans that drop each segment after reading instead of holding all segments in memory. */
  readonly arriving: ReadonlyMap<Scan, AsyncIterable<Segment>>
  /**
   * Subplans that occur several times in the plan but are computed once. The value is the number of nodes that read the
   * subplan.
   */
  readonly shared: ReadonlyMap<LogicalPlan, number>
  readonly waits: PendingReads
  readonly end: QueryEnd
  readonly functions: Functions
  readonly query: QueryContext
  readonly compiler: ExprCompiler
  /** The threads that may compute morsels (ranges of rows of a scan); `undefined` if there are none. */
  readonly parallelism: Parallelism | undefined
  /** A node whose rows were computed in advance, so that neither the node nor its inputs run. */
  readonly given?: { readonly node: LogicalPlan; readonly frame: Frame }
  /** The measured work of each node, for `explain`. */
  readonly measures: Map<LogicalPlan, OperatorMeasure>
}
