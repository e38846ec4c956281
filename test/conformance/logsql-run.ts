import { checkE2e } from './logsql-e2e.ts'
import { checkFilters } from './logsql-filters.ts'
import type { Outcome } from './logsql-outcome.ts'
import { checkPipes } from './logsql-pipes.ts'
import { checkValues } from './logsql-values.ts'

/** Every file of vectors that runs functions or plans. */
export async function checkRuns(directory: string, seed?: number): Promise<readonly Outcome[]> {
  return [
    await checkValues(directory, seed),
    await checkFilters(directory, seed),
    ...(await checkPipes(directory, seed)),
    await checkE2e(directory, seed),
  ]
}
