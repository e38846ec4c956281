import { SluiceError, throwIfErrors, type Diagnostic } from '../../base/index.ts'
import { lower, parse, type LowerOptions, type ParseOptions, type Query } from '../../lang/log/index.ts'
import type { LogicalPlan } from '../../plan/index.ts'
import { serverDiagnostic } from '../errors/diagnostics.ts'

type ReadOptions = LowerOptions &
  Pick<ParseOptions, 'parameters' | 'limits'> & {
    /** Changes the parsed query before it is planned. */
    readonly adapt?: ((query: Query) => Query) | undefined
  }

function readText(
  text: string,
  { dialect, limits, parameters }: ReadOptions,
  warn: (warnings: readonly Diagnostic[]) => void = () => {},
): Query {
  const { ast, diagnostics } = parse(text, { dialect, limits, parameters })
  throwIfErrors(diagnostics)
  warn(diagnostics)
  return ast
}

/**
 * Parses a query text to an unbound plan. Throws a `SluiceError` with a span in the text; `warn` receives other
 * diagnostics.
 */
export function readQuery(
  text: string,
  options: ReadOptions,
  warn?: (warnings: readonly Diagnostic[]) => void,
): LogicalPlan {
  const ast = readText(text, options, warn)
  return lower(options.adapt?.(ast) ?? ast, options)
}

/**
 * Parses a text that may contain only a filter: the plan is a filter over a scan, or only a scan. Throws
 * `server/pipes-in-filter` for pipes.
 */
export function readFilter(text: string, member: string, options: ReadOptions): LogicalPlan {
  const ast = readText(text, options)
  const more = ast.pipes.at(0) ?? ast.options.at(0)
  if (more !== undefined) throw new SluiceError([serverDiagnostic('pipes-in-filter', { member }, more.span)])
  return lower(ast, options)
}
