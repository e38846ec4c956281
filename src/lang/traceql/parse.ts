import {
  checkArgument,
  MAX_FAULTS,
  nowhere,
  Options,
  SluiceError,
  span,
  spanOf,
  type Diagnostic,
} from '../../base/index.ts'
import { utf8Length } from '../../data/index.ts'
import { LimitFault } from '../kit/index.ts'
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
  /** Maximum number of operators, signs included. What follows the parser recurses over them. */
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

class TooManyErrorsError extends Error {}

function describeStop(error: unknown, limit: number, text: string): Diagnostic {
  if (error instanceof LimitFault) return error.diagnostic
  if (error instanceof RangeError) return traceqlDiagnostic('too-deep', { limit }, nowhere)
  if (error instanceof TooManyErrorsError) {
    return traceqlDiagnostic('too-many-errors', undefined, span(text.length, text.length))
  }
  throw error
}

/** Drops errors that only follow from earlier ones: those at the same position, and those at the end of the text. */
function withoutRepeats(faults: readonly Diagnostic[], textEnd: number): readonly Diagnostic[] {
  const seen = new Set<number | undefined>()
  return faults.filter((fault, i) => {
    const start = spanOf(fault.origin)?.start
    if (seen.has(start) || (i > 0 && start === textEnd)) return false
    seen.add(start)
    return true
  })
}

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
  const faults: Diagnostic[] = []
  const meaning: Diagnostic[] = []
  const reportTo =
    (list: Diagnostic[]) =>
    (diagnostic: Diagnostic): void => {
      if (list.length === MAX_FAULTS) throw new TooManyErrorsError()
      list.push(diagnostic)
    }
  const session = new TraceqlSession(
    text,
    { depth: limits.nesting, operators: limits.operators },
    reportTo(faults),
    reportTo(meaning),
  )
  let ast: TraceqlExpr | undefined
  try {
    // Nothing at all finds every span; blanks are no query.
    ast = parser.parse(scan(text === '' ? '{}' : text), session)
  } catch (error) {
    faults.push(describeStop(error, limits.nesting, text))
  }
  const wrong = faults.length > 0 ? withoutRepeats(faults, text.length) : meaning
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
