import { join } from 'node:path'

/**
 * The launcher of the command line, for separate processes. It runs the output of `npm run build` if that is newer than
 * the source, which takes four times as long to start.
 */
export const program = join(import.meta.dirname, '../../bin/sluice.cjs')
