import { checkArgument, nowhere, Options, SluiceError, span, type Diagnostic } from '../../base/index.ts'
import { utf8Length } from '../../data/index.ts'
import { describeStop, FaultList } from '../kit/index.ts'
import type { TraceqlExpr } from './ast.ts'
import { traceqlDiagnostic } from './diagnostics.ts'
import { TraceqlParser } from './parser/parser.ts'
import { scan } from './parser/scan.ts'
import { TraceqlSession } from './parser/session.ts'

/** Limits on one text. `Infinity` removes a limit; without the limit `nesting`, the stack may overflow. */
export interface TraceqlLimits {
  /** Maximum length of the text, UTF-8 bytes. */
  readonly textBytes: number
  /** Maximum nesting depth of parentheses and calls. */
  readonly nesting: number
  /** Maximum number of operators, signs, pipes and commas. What follows the parser recurses over them. */
  readonly operators: number
}

export const TRACEQL_LIMITS: TraceqlLimits = { textBytes: 65_536, nesting: 128, operators: 1000 }

export interface TraceqlOptions {
  /** What the query must give; either if left out. An empty text is a query for spans. */
  readonly gives?: 'spans' | 'metrics' | undefined
  readonly limits?: Partial<TraceqlLimits> | undefined
}

const traceqlOptions = new Options<TraceqlOptions>({
  gives: { words: { spans: true, metrics: true } },
  limits: 'object',
})

export interface TraceqlParse {
  /** The syntax tree; `undefined` if and only if there is an error. */
  readonly ast: TraceqlExpr | undefined
  /** Errors in reading order; errors of meaning only if the text has the right form. The first is the most useful. */
  readonly diagnostics: readonly Diagnostic[]
}

let sharedParser: TraceqlParser | undefined

function checkResult(ast: TraceqlExpr, gives: TraceqlOptions['gives']): readonly Diagnostic[] {
  if (gives === 'metrics' && ast.kind !== 'metrics-query')
    return [traceqlDiagnostic('not-metrics', undefined, ast.span)]
  if (gives === 'spans' && ast.kind !== 'trace-query') return [traceqlDiagnostic('not-search', undefined, ast.span)]
  return []
}

function findAll(text: string, gives: TraceqlOptions['gives'], limits: TraceqlLimits): TraceqlParse {
  const bytes = text.length * 3 > limits.textBytes ? utf8Length(text) : text.length
  if (bytes > limits.textBytes) {
    const data = { bytes, limit: limits.textBytes }
    return { ast: undefined, diagnostics: [traceqlDiagnostic('too-long', data, span(0, text.length))] }
  }
  const parser = (sharedParser ??= new TraceqlParser())
  const faults = new FaultList()
  const meaning = new FaultList()
  const session = new TraceqlSession(
    text,
    { depth: limits.nesting, operators: limits.operators },
    faults.report,
    meaning.report,
  )
  let ast: TraceqlExpr | undefined
  try {
    // Nothing at all finds every span; blanks are no query.
    ast = parser.parse(scan(text === '' ? '{}' : text), session)
  } catch (error) {
    faults.list.push(
      describeStop(
        error,
        () => traceqlDiagnostic('too-deep', { limit: limits.nesting }, nowhere),
        () => traceqlDiagnostic('too-many-errors', undefined, span(text.length, text.length)),
      ),
    )
  }
  const wrong = faults.list.length > 0 ? faults.withoutRepeats(text.length) : meaning.list
  const diagnostics = wrong.length === 0 && ast !== undefined ? checkResult(ast, gives) : wrong
  return { ast: diagnostics.length === 0 ? ast : undefined, diagnostics }
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
