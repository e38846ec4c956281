import type { Interval } from '../../base/index.ts'
import type { Functions } from '../../functions/index.ts'
import type { LogicalPlan, Scan } from '../../plan/index.ts'
import type { QueryBlock, Host } from './block.ts'
import type { Dialect } from './dialect.ts'

/** Functions and settings with which all nodes of a plan are compiled. */
export interface CompileContext {
  readonly dialect: Dialect
  readonly host: Host
  /** Compiles a scan to the block that reads its table. */
  readonly scan: (node: Scan, context: CompileContext) => QueryBlock
  readonly functions: Functions
  /** Time range of the request. Only rates use it: they divide by its length. */
  readonly range: Interval | undefined
  /** True if statements run in this process and must regularly check whether to stop. */
  readonly isInterruptible: boolean
  /**
   * True if `''` may form a group of its own, besides the group of missing values. `QueryBlock.unmerged` then has
   * conditions that detect such a group.
   */
  readonly keepsEmptyKeys?: boolean
  /** True if a node of the plan, such as a sample, must identify the stored record of each row. */
  readonly needsRecord: boolean
  /** Compiles a subtree to a block. Throws CannotCompile. */
  readonly block: (plan: LogicalPlan) => QueryBlock
  /** Returns an alias that no other source of the statement has. */
  readonly alias: (prefix: string) => string
}
