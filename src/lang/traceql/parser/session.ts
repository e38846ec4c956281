import { GoSession } from '../../go-scanner/index.ts'
import type { TokenType } from '../../kit/index.ts'
import type { FieldExpr } from '../ast.ts'

/** State of the parser for one text. Prefix operators, pipes and commas count as operators too. */
export class TraceqlSession extends GoSession {
  /** Token types that Tempo's message lists as expected; `undefined` if it lists all that the grammar accepts. */
  listed: readonly TokenType[] | undefined
  /** Expressions with a reported error. Enclosing expressions do not report the error again. */
  readonly faulty = new WeakSet<FieldExpr>()
}
