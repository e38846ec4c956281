import { join } from 'node:path'

/** The launcher of the command line, for processes of their own: it runs what `npm run build` made as long as that is younger than the source, which takes four times as long to start. */
export const program = join(import.meta.dirname, '../../bin/sluice.cjs')
