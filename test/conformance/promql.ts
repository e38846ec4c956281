import { resolve } from 'node:path'
import { checkScripts } from './promql-eval.ts'
import { checkGolden } from './promql-golden.ts'
import { checkPromqlParse } from './promql-parse.ts'
import type { VectorSet } from './report.ts'

/** All vectors for PromQL. */
export const promqlVectors: VectorSet = {
  language: 'promql',
  directory: resolve(import.meta.dirname, '../../../shared/vectors/promql'),
  run: async (directory) => [
    ...(await checkPromqlParse(directory)),
    ...(await checkScripts(directory)),
    ...(await checkGolden(directory)),
  ],
}
