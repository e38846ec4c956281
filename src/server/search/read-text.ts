import { SluiceError, throwIfErrors, type Diagnostic } from '../../base/index.ts'
import { lower, parse, type LowerOptions, type ParseOptions } from '../../lang/log/index.ts'
import type { LogicalPlan } from '../../plan/index.ts'
import { serverDiagnostic } from '../errors/diagnostics.ts'

type Reading = LowerOptions & Pick<ParseOptions, 'parameters' | 'limits'>

/** The plan of a query text, names unresolved. Throws a `SluiceError` positioned in the text; `warn` gets what else there is to say. */
export function readQuery(
  text: string,
  options: Reading,
  warn: (warnings: readonly Diagnostic[]) => void = () => {},
): LogicalPlan {
  const { ast, diagnostics } = parse(text, options)
  throwIfErrors(diagnostics)
  warn(diagnostics)
  return lower(ast, options)
}

/**
 * The plan of a text that holds a filter and nothing else: a filter over a scan, or the scan alone. Throws
 * `server/pipes-in-filter` when it holds more.
 */
export function readFilter(text: string, member: string, options: Reading): LogicalPlan {
  const { ast, diagnostics } = parse(text, options)
  throwIfErrors(diagnostics)
  const more = ast.pipes.at(0) ?? ast.options.at(0)
  if (more !== undefined) throw new SluiceError([serverDiagnostic('pipes-in-filter', { member }, more.span)])
  return lower(ast, options)
}
