export { withExtraFilter } from './adapt/extra-filters.ts'
export { withTimeRange } from './adapt/time-range.ts'
export { withoutPipes } from './adapt/without-pipes.ts'
export type { Filter, FieldRef, Pipe, PipeKind, FilterKind, Query, QueryOption, TextValue } from './ast.ts'
export type { AnyFilterDefinition, AnyPipeDefinition, FeatureDoc, FeatureExample } from './definition.ts'
export { logDiagnostic } from './diagnostics.ts'
export { logEbnf, logGrammar } from './ebnf.ts'
export { format } from './print/format.ts'
export { filterDefinitions } from './filters/index.ts'
export { parseTimeSpan, type TimeSpan } from './filters/time/literal.ts'
export { fromTableDoc } from './rules/from-table.ts'
export { defaultLogLimits, type LogLimits } from './limits.ts'
export { mathFunctions } from './math/expression.ts'
export { lower, lowerFilter, type LowerOptions } from './lower.ts'
export {
  parse,
  parseFilter,
  parsePipe,
  parseStatsCall,
  type Parsed,
  type ParsedPart,
  type ParseOptions,
} from './parse.ts'
export { canonText, openParameters, parameterNames, placeholdersOf } from './open-parameters.ts'
export { checkOpen, type Placeholders } from '../placeholders.ts'
export type { Parameters, ParameterScalar, ParameterValue } from '../parameter-values.ts'
export { pipeDefinitions } from './pipes/index.ts'
export { canon, printerOf } from './print/print.ts'
export { quotedForRegexp } from './print/quote.ts'
export { expectationsAfter, grammarKeywords, type Expectation, type Expectations } from './repair/expectations.ts'
export { tokensOf, type CustomPipeNames, type PlainToken, type TokensOfText } from './repair/plain-tokens.ts'
export type { Production } from '../kit/index.ts'
export { scan } from './scan.ts'
export {
  runningForms,
  runningNames,
  statsForms,
  type StatsCall,
  type StatsForm,
  type StatsForms,
} from './stats/call.ts'
export { printCall } from './stats/print.ts'
export {
  standardVocabulary,
  vocabularyOf,
  type PipeEntry,
  type Vocabulary,
  type VocabularyOptions,
} from './vocabulary.ts'
export { definePipe, type CustomPipeOptions } from './custom/define.ts'
export { argumentsFrom, type ArgumentDefinition, type CustomPipeDefinition } from './custom/definition.ts'
export { windowFunctions } from './pipes/window.ts'
export { convertDiagnostic, noCounterpart, type ConvertedQuery } from './conversion.ts'
