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
import type { LogqlExpr } from './ast.ts'
import { checkSelectors, checkStages } from './check.ts'
import { logqlDiagnostic } from './diagnostics.ts'
import { LogqlParser } from './parser/parser.ts'
import { scan } from './parser/scan.ts'
import { LogqlSession } from './parser/session.ts'

/** Limits on one text. `Infinity` removes a limit; without the limit `nesting`, the stack may overflow. */
export interface LogqlLimits {
  /** Maximum length of the text, UTF-8 bytes. */
  readonly textBytes: number
  /** Maximum nesting depth of parentheses and calls. */
  readonly nesting: number
  /** Maximum number of operators, those between conditions included. The stages below recurse over them. */
  readonly operators: number
}

export const LOGQL_LIMITS: LogqlLimits = { textBytes: 65_536, nesting: 128, operators: 1000 }

export interface LogqlOptions {
  /**
   * True to accept a query that can be formatted but not run: patterns, templates, paths and addresses inside of stages
   * are not checked.
   */
  readonly isFormatOnly?: boolean | undefined
  readonly limits?: Partial<LogqlLimits> | undefined
}

const logqlOptions = new Options<LogqlOptions>({ isFormatOnly: 'boolean', limits: 'object' })

export interface LogqlParse {
  /** The syntax tree; `undefined` if and only if there is an error. */
  readonly ast: LogqlExpr | undefined
  /** Errors in reading order; errors of meaning only if the text has the right form. The first is the most useful. */
  readonly diagnostics: readonly Diagnostic[]
}

let sharedParser: LogqlParser | undefined

class TooManyErrorsError extends Error {}

function describeStop(error: unknown, limit: number, text: string): Diagnostic {
  if (error instanceof LimitFault) return error.diagnostic
  if (error instanceof RangeError) return logqlDiagnostic('too-deep', { limit }, nowhere)
  if (error instanceof TooManyErrorsError) {
    return logqlDiagnostic('too-many-errors', undefined, span(text.length, text.length))
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

function findAll(text: string, isFormatOnly: boolean, limits: LogqlLimits): LogqlParse {
  const bytes = text.length * 3 > limits.textBytes ? utf8Length(text) : text.length
  if (bytes > limits.textBytes) {
    const data = { bytes, limit: limits.textBytes }
    return { ast: undefined, diagnostics: [logqlDiagnostic('too-long', data, span(0, text.length))] }
  }
  const parser = (sharedParser ??= new LogqlParser())
  const faults: Diagnostic[] = []
  const meaning: Diagnostic[] = []
  const reportTo =
    (list: Diagnostic[]) =>
    (diagnostic: Diagnostic): void => {
      if (list.length === MAX_FAULTS) throw new TooManyErrorsError()
      list.push(diagnostic)
    }
  const session = new LogqlSession(
    text,
    { depth: limits.nesting, operators: limits.operators },
    reportTo(faults),
    reportTo(meaning),
  )
  let ast: LogqlExpr | undefined
  try {
    ast = parser.parse(scan(text), session)
    if (ast !== undefined && faults.length === 0 && meaning.length === 0) checkSelectors(ast, session.reportMeaning)
    if (ast !== undefined && faults.length === 0 && meaning.length === 0 && !isFormatOnly) {
      checkStages(ast, session.reportMeaning)
    }
  } catch (error) {
    faults.push(describeStop(error, limits.nesting, text))
  }
  const diagnostics = faults.length > 0 ? withoutRepeats(faults, text.length) : meaning
  return { ast: diagnostics.length === 0 ? ast : undefined, diagnostics }
}

/** Parses a LogQL query. Never throws: errors are diagnostics with positions. */
export function parseLogql(text: string, options: LogqlOptions = {}): LogqlParse {
  checkArgument(typeof text === 'string', text, 'a LogQL query', `parseLogql('{app="api"}')`)
  logqlOptions.check(options, '`parseLogql`')
  return findAll(text, options.isFormatOnly ?? false, { ...LOGQL_LIMITS, ...options.limits })
}

/** Parses a query like `parseLogql`, but throws SluiceError if there is an error. */
export function parseLogqlOrThrow(text: string, options: LogqlOptions = {}): LogqlExpr {
  const { ast, diagnostics } = parseLogql(text, options)
  if (ast === undefined) throw new SluiceError(diagnostics)
  return ast
}
