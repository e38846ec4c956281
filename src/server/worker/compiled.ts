import { enableCompileCache, flushCompileCache } from 'node:module'

/** What is compiled in the first moments is what every start compiles. */
const FIRST_MS = 1000

/**
 * From here on modules are read with what was compiled of them before. Node writes that to the disk when a thread ends by itself;
 * one that is killed would leave nothing for the next start, so it is written early, too.
 */
export function keepCompiled(): void {
  enableCompileCache()
  setTimeout(() => flushCompileCache(), FIRST_MS).unref()
}
