import { checkArgument, nowhere, Options, SluiceError, span, type Diagnostic } from '../../base/index.ts'
import { utf8Length } from '../../data/index.ts'
import { describeStop, FaultList } from '../kit/index.ts'
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

function findAll(text: string, isFormatOnly: boolean, limits: LogqlLimits): LogqlParse {
  const bytes = text.length * 3 > limits.textBytes ? utf8Length(text) : text.length
  if (bytes > limits.textBytes) {
    const data = { bytes, limit: limits.textBytes }
    return { ast: undefined, diagnostics: [logqlDiagnostic('too-long', data, span(0, text.length))] }
  }
  const parser = (sharedParser ??= new LogqlParser())
  const faults = new FaultList()
  const meaning = new FaultList()
  const session = new LogqlSession(
    text,
    { depth: limits.nesting, operators: limits.operators },
    faults.report,
    meaning.report,
  )
  const isRight = (): boolean => faults.list.length === 0 && meaning.list.length === 0
  let ast: LogqlExpr | undefined
  try {
    ast = parser.parse(scan(text), session)
    if (ast !== undefined && isRight()) checkSelectors(ast, session.reportMeaning)
    if (ast !== undefined && isRight() && !isFormatOnly) {
      checkStages(ast, session.reportMeaning)
    }
  } catch (error) {
    faults.list.push(
      describeStop(
        error,
        () => logqlDiagnostic('too-deep', { limit: limits.nesting }, nowhere),
        () => logqlDiagnostic('too-many-errors', undefined, span(text.length, text.length)),
      ),
    )
  }
  const diagnostics = faults.list.length > 0 ? faults.withoutRepeats(text.length) : meaning.list
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
