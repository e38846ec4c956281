/** `sluice/lang`: the log language for editors and tools: read, print, lay out, complete, explain words. Runs nothing. */
export { applyFix, renderDiagnostic, spanOf, type Diagnostic, type Fix, type Span } from '../base/index.ts'
export {
  canon as print,
  format,
  parse,
  parseFilter,
  withExtraFilter,
  withTimeRange,
  withoutPipes,
  type Filter,
  type LogLimits,
  type Parsed,
  type ParseOptions,
  type Pipe,
  type Query,
} from '../lang/log/index.ts'
export type { Catalog, Dialect, TableDefinition } from '../plan/index.ts'
export { complete, type Completion, type CompletionItem, type CompletionKind } from '../services/index.ts'
export { hover, type Hover } from '../services/index.ts'
export { semanticTokens as tokens, semanticKinds, type SemanticKind, type SemanticToken } from '../services/index.ts'
export { logTextMateGrammar, type ServiceOptions } from '../services/index.ts'
