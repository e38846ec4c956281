import { checkE2e } from './logsql-e2e.ts'
import { checkFilters } from './logsql-filters.ts'
import type { Outcome } from './logsql-outcome.ts'
import { checkPipes } from './logsql-pipes.ts'
import { checkValues } from './logsql-values.ts'

/** Every file of vectors that runs functions or plans. */
export async function checkRuns(directory: string): Promise<readonly Outcome[]> {
  return [
    await checkValues(directory),
    await checkFilters(directory),
    ...(await checkPipes(directory)),
    await checkE2e(directory),
  ]
}
