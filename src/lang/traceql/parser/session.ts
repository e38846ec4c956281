import { GoSession } from '../../go-scanner/index.ts'
import type { TokenType } from '../../kit/index.ts'
import type { FieldExpr } from '../ast.ts'

/** State of the parser for one text. Operators before an operand, pipes and commas count as operators. */
export class TraceqlSession extends GoSession {
  /** Token types that the reference lists as expected, where it lists fewer than the grammar accepts. */
  listed: readonly TokenType[] | undefined
  /** Expressions of which an error was reported, so that it is not reported again of what is around them. */
  readonly faulty = new WeakSet<FieldExpr>()
}
