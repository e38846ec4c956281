import { resolve } from 'node:path'
import { checkE2e } from './logsql-e2e.ts'
import { checkFilters } from './logsql-filters.ts'
import { checkOptimizer } from './logsql-optimizer.ts'
import { checkParsing } from './logsql-parse.ts'
import { checkPipes } from './logsql-pipes.ts'
import { checkValues } from './logsql-values.ts'
import type { VectorSet } from './report.ts'

/** All vectors for the `logsql` dialect. Those about the optimizer do not run under other names. */
export const logsqlVectors: VectorSet = {
  language: 'logsql',
  directory: resolve(import.meta.dirname, '../../../shared/vectors/logsql'),
  run: async (directory, seed) => [
    ...(await checkParsing(directory, seed)),
    ...(seed === undefined ? await checkOptimizer(directory) : []),
    ...(await checkValues(directory, seed)),
    ...(await checkFilters(directory, seed)),
    ...(await checkPipes(directory, seed)),
    ...(await checkE2e(directory, seed)),
  ],
}
