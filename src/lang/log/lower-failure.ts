import { SluiceError, type Span } from '../../base/index.ts'
import { logDiagnostic } from './diagnostics.ts'

/** What lowering throws where a query means something that no plan can say. */
export function lowerFailure(
  what: Parameters<typeof logDiagnostic>[0] & 'unsupported',
  data: { what: string },
  where: Span,
): SluiceError {
  return new SluiceError([logDiagnostic(what, data, where)])
}
