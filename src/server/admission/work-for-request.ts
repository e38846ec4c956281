import { Budget, workFor } from '../../base/index.ts'
import type { ServerLimits } from '../settings/limits.ts'

/**
 * Begins to answer a request: bodies and texts are read before their query has a budget, and this one ends that when nobody
 * waits any more, or when it takes longer than a query may. Throws `budget/cancelled` and `budget/deadline`.
 */
export function workForRequest<T>(signal: AbortSignal, { queryMs }: Pick<ServerLimits, 'queryMs'>, piece: () => T): T {
  const limits = { memoryBytes: Infinity, scanRows: Infinity, timeoutMs: queryMs }
  return workFor(new Budget(limits, () => performance.now(), signal), piece)
}
