import type { Interval } from '../../base/index.ts'
import type { Functions } from '../../functions/index.ts'
import type { LogicalPlan, Scan } from '../../plan/index.ts'
import type { QueryBlock, Host } from './block.ts'
import type { Dialect } from './dialect.ts'

/** The functions and settings for the compilation of every plan node. */
export interface CompileContext {
  readonly dialect: Dialect
  readonly host: Host
  /** Compiles a scan to the block that reads its table. */
  readonly scan: (node: Scan, context: CompileContext) => QueryBlock
  readonly functions: Functions
  /** The time range of the request. Only rates use it, as the time by which they divide. */
  readonly range: Interval | undefined
  /** True if statements run in this process and must regularly check whether to stop. */
  readonly isInterruptible: boolean
  /**
   * True if `''` may form a group in addition to the group of missing values. If so, `Block.unmerged` has conditions
   * that detect such a group.
   */
  readonly keepsEmptyKeys?: boolean
  /** True if a node of the plan, such as a sample, must identify the stored record of each row. */
  readonly needsRecord: boolean
  /** Compiles a subtree to a block. Throws CannotCompile. */
  readonly block: (plan: LogicalPlan) => QueryBlock
  /** Returns an alias that no other source of the statement has. */
  readonly alias: (prefix: string) => string
}
