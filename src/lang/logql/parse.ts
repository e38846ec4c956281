import { checkArgument, Options, SluiceError } from '../../base/index.ts'
import { GoSession, readText, type TextLimits, type ScannedText } from '../go-scanner/index.ts'
import type { LogqlExpr } from './ast.ts'
import { checkSelectors, checkStages } from './check.ts'
import { logqlDiagnostic } from './diagnostics.ts'
import { LogqlParser } from './parser/parser.ts'
import { scan } from './parser/scan.ts'

/** Limits on one text. Operators between label conditions count as operators too. */
export type LogqlLimits = TextLimits

export const LOGQL_LIMITS: LogqlLimits = { textBytes: 65_536, nesting: 128, operators: 1000 }

export interface LogqlOptions {
  /**
   * True to accept a query that can be formatted but not run: patterns, templates, paths and addresses in stages are
   * not checked.
   */
  readonly isFormatOnly?: boolean | undefined
  readonly limits?: Partial<LogqlLimits> | undefined
}

const logqlOptions = new Options<LogqlOptions>({ isFormatOnly: 'boolean', limits: 'object' })

export type LogqlParse = ScannedText<LogqlExpr>

let sharedParser: LogqlParser | undefined

function findAll(text: string, isFormatOnly: boolean, limits: LogqlLimits): LogqlParse {
  return readText(text, limits, logqlDiagnostic, (reports, hasErrors) => {
    sharedParser ??= new LogqlParser()
    const ast = sharedParser.parse(scan(text), new GoSession(text, limits, reports))
    if (ast !== undefined && !hasErrors()) checkSelectors(ast, reports.reportMeaning)
    if (ast !== undefined && !hasErrors() && !isFormatOnly) checkStages(ast, reports.reportMeaning)
    return ast
  })
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
