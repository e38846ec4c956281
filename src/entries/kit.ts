/**
 * `sluice/kit`: building blocks for a query language of your own: tokens and grammar rules over Chevrotain,
 * diagnostics, and plan nodes, which an engine runs with `queryPlan`. The languages of Sluice are built with them.
 */
export { defineDiagnostics, span, type Diagnostic, type Fix, type Span } from '../base/index.ts'
export {
  EOF,
  FaultList,
  LanguageParser,
  LimitFault,
  OperatorChain,
  SKIPPED,
  SyntaxFault,
  TokenBuilder,
  ebnf,
  endToken,
  lazyLexer,
  nonAsciiHint,
  retype,
  type KitSession,
  type LexedText,
  type LexerDefinition,
  type Mismatch,
  type Operator,
  type Precedences,
  type Rule,
  type Token,
  type TokenType,
} from '../lang/kit/index.ts'
export {
  and,
  column,
  countRows,
  literal,
  not,
  or,
  printPlan,
  test,
  wholeScan,
  type Aggregate,
  type Expr,
  type LogicalPlan,
} from '../plan/index.ts'
