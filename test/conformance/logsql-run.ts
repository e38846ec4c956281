import { checkValues } from './logsql-values.ts'
import type { Outcome } from './logsql-outcome.ts'

/** Every file of vectors that runs functions or plans. */
export async function checkRuns(directory: string): Promise<readonly Outcome[]> {
  return [await checkValues(directory)]
}
