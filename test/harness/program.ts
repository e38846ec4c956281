import { join } from 'node:path'

/**
 * Path of the command-line launcher, which tests run in a separate process. The launcher runs the output of `npm run
 * build` if that is newer than the source; otherwise it runs the source, which starts more slowly.
 */
export const program = join(import.meta.dirname, '../../bin/sluice.cjs')
