import { checkArgument, Options, SluiceError, type Diagnostic } from '../../base/index.ts'
import { readText, type TextLimits, type ScannedText } from '../go-scanner/index.ts'
import type { TraceqlExpr } from './ast.ts'
import { traceqlDiagnostic } from './diagnostics.ts'
import { TraceqlParser } from './parser/parser.ts'
import { scan } from './parser/scan.ts'
import { TraceqlSession } from './parser/session.ts'

/** Limits on one text. Signs, pipes and commas count as operators too. */
export type TraceqlLimits = TextLimits

export const TRACEQL_LIMITS: TraceqlLimits = { textBytes: 65_536, nesting: 128, operators: 1000 }

export interface TraceqlOptions {
  /**
   * Kind of answer that the query must have; if omitted, both kinds are allowed. An empty text is a query for spans.
   */
  readonly gives?: 'spans' | 'metrics' | undefined
  readonly limits?: Partial<TraceqlLimits> | undefined
}

const traceqlOptions = new Options<TraceqlOptions>({
  gives: { words: { spans: true, metrics: true } },
  limits: 'object',
})

export type TraceqlParse = ScannedText<TraceqlExpr>

let sharedParser: TraceqlParser | undefined

function checkResult(ast: TraceqlExpr, gives: TraceqlOptions['gives']): readonly Diagnostic[] {
  if (gives === 'metrics' && ast.kind !== 'metrics-query')
    return [traceqlDiagnostic('not-metrics', undefined, ast.span)]
  if (gives === 'spans' && ast.kind !== 'trace-query') return [traceqlDiagnostic('not-search', undefined, ast.span)]
  return []
}

function findAll(text: string, gives: TraceqlOptions['gives'], limits: TraceqlLimits): TraceqlParse {
  const { ast, diagnostics } = readText(text, limits, traceqlDiagnostic, (reports) => {
    sharedParser ??= new TraceqlParser()
    // An empty text finds every span; a text of only white space is an error.
    return sharedParser.parse(scan(text === '' ? '{}' : text), new TraceqlSession(text, limits, reports))
  })
  const wrong = ast === undefined ? diagnostics : checkResult(ast, gives)
  return { ast: wrong.length === 0 ? ast : undefined, diagnostics: wrong }
}

/** Parses a TraceQL query. Never throws: errors are diagnostics with positions. */
export function parseTraceql(text: string, options: TraceqlOptions = {}): TraceqlParse {
  checkArgument(typeof text === 'string', text, 'a TraceQL query', `parseTraceql('{ status = error }')`)
  traceqlOptions.check(options, '`parseTraceql`')
  return findAll(text, options.gives, { ...TRACEQL_LIMITS, ...options.limits })
}

/** Parses a query like `parseTraceql`, but throws SluiceError if there is an error. */
export function parseTraceqlOrThrow(text: string, options: TraceqlOptions = {}): TraceqlExpr {
  const { ast, diagnostics } = parseTraceql(text, options)
  if (ast === undefined) throw new SluiceError(diagnostics)
  return ast
}
