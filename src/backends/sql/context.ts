import type { Interval } from '../../base/index.ts'
import type { Functions } from '../../functions/index.ts'
import type { LogicalPlan, Scan } from '../../plan/index.ts'
import type { Block, Host } from './block.ts'
import type { Dialect } from './dialect.ts'

/** What the compilation of every node can use. */
export interface CompileContext {
  readonly dialect: Dialect
  readonly host: Host
  /** Returns the block that reads a table. */
  readonly scan: (node: Scan, context: CompileContext) => Block
  readonly functions: Functions
  /** The range of the request, which only rates read. */
  readonly range: Interval | undefined
  /** Whether statements run in this process and must check for a stop regularly. */
  readonly isInterruptible: boolean
  /**
   * Whether texts equal to `''` may form groups of their own beside missing values; `Block.unmerged` then finds them.
   */
  readonly keepsEmptyKeys?: boolean
  /** Whether some node must know which stored record a row is. */
  readonly needsRecord: boolean
  /** Compiles a subtree to a block. Throws CannotCompile. */
  readonly block: (plan: LogicalPlan) => Block
  /** Returns an alias that no other source of the statement has. */
  readonly alias: (prefix: string) => string
}
