/**
 * `sluice/kit`: what a language of your own needs: tokens and rules over Chevrotain, diagnostics, and parts of plans, which
 * `queryPlan` of an engine runs. Every language of Sluice is made of it.
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
