/**
 * `sluice/lang`: the log language for editors and tools. `createLanguage` parses, checks, formats, plans, completes and
 * explains query texts. It loads no code that runs queries.
 */
export { SluiceError, applyFix, renderDiagnostic, spanOf, type Diagnostic, type Fix, type Span } from '../base/index.ts'
export {
  canon as print,
  canonText as printText,
  definePipe,
  format,
  parameterNames,
  parse,
  parseFilter,
  withExtraFilter,
  withTimeRange,
  withoutPipes,
  vocabularyOf,
  type Filter,
  type LogLimits,
  type Parsed,
  type Parameters,
  type ParseOptions,
  type Pipe,
  type Query,
  type Vocabulary,
} from '../lang/log/index.ts'
export { printPlan, type Catalog, type Dialect, type LogicalPlan, type TableDefinition } from '../plan/index.ts'
export type { CompiledPlan, LintPolicy, PlanOptions, PlannerOptions, ScopeTexts } from '../engine/index.ts'
export {
  LanguageService,
  createLanguage,
  logTextMateGrammar,
  semanticKinds,
  type Completion,
  type CompletionItem,
  type CompletionKind,
  type Hover,
  type Language,
  type OtherLanguage,
  type OtherLanguages,
  type SemanticKind,
  type SemanticToken,
  type EditorOptions,
} from '../editor/index.ts'
