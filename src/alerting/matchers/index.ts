export { checkMatcher, compileMatchers, matchesEmpty, type LabelTest } from './compile.ts'
export { matcherDiagnostic } from './diagnostics.ts'
export { parseMatcher, parseMatchers } from './parse.ts'
export {
  readSilenceMatcher,
  readSilenceMatchers,
  silenceMatcherShape,
  type SilenceMatcherShape,
} from './silence-matcher.ts'
