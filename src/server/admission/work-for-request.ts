import { Budget, runWithBudget } from '../../base/index.ts'
import type { ServerLimits } from '../settings/limits.ts'

/**
 * Runs work for a request that has no budget yet. Stops when the client disconnects or the time limit of a query is
 * exceeded: throws `budget/cancelled` or `budget/deadline`.
 */
export function workForRequest<T>(signal: AbortSignal, { queryMs }: Pick<ServerLimits, 'queryMs'>, work: () => T): T {
  const limits = { memoryBytes: Infinity, scanRows: Infinity, timeoutMs: queryMs }
  return runWithBudget(new Budget(limits, () => performance.now(), signal), work)
}
