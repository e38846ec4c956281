export { describeStop, FaultList } from './faults.ts'
export { definition, ebnf, grammarFile, productionsOf, type GrammarText, type Production } from './grammar.ts'
export { inTextOrder, lazyLexer, nonAsciiHint, type LexedText, type LexerDefinition } from './lexer.ts'
export { OperatorChain, type Operator, type Precedences } from './operator-chain.ts'
export {
  endToken,
  LanguageParser,
  LimitFault,
  SyntaxFault,
  type KitSession,
  type Mismatch,
  type Rule,
} from './parser.ts'
export { EOF, retype, SKIPPED, TokenBuilder, type Lexed, type Token, type TokenType } from './tokens.ts'
