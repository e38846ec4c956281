import type { Interval } from '../../base/index.ts'
import type { Functions } from '../../functions/index.ts'
import type { LogicalPlan, Scan } from '../../plan/index.ts'
import type { Block, Host } from './block.ts'
import type { Dialect } from './dialect.ts'

/** What every node's compilation can ask for. */
export interface CompileContext {
  readonly dialect: Dialect
  readonly host: Host
  /** The block of a table that is read. */
  readonly scan: (node: Scan, context: CompileContext) => Block
  readonly functions: Functions
  /** The request's range; only rates look at it. */
  readonly range: Interval | undefined
  /** Statements of this process look up now and then whether they must stop. */
  readonly isInterruptible: boolean
  /** Whether texts that are `''` may be groups of their own beside missing ones, told in `Block.unmerged`. */
  readonly keepsEmptyKeys?: boolean
  /** Some node needs to know which stored record a row is. */
  readonly needsRecord: boolean
  /** The block of a subtree. Throws CannotCompile. */
  readonly block: (plan: LogicalPlan) => Block
  /** A name no other source of the statement has. */
  readonly alias: (prefix: string) => string
}
