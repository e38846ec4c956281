import { enableCompileCache, flushCompileCache } from 'node:module'

/** What is compiled in the first moments is what every start compiles. */
const FIRST_MS = 1000

/**
 * Node writes what was compiled to the disk when a thread ends by itself; one that is killed would leave nothing for the next
 * start, so it is written early, too. Does nothing where nobody has asked for it to be kept.
 */
export function writeCompiledSoon(): void {
  setTimeout(() => flushCompileCache(), FIRST_MS).unref()
}

/** From here on modules are read with what was compiled of them before. */
export function keepCompiled(): void {
  enableCompileCache()
  writeCompiledSoon()
}
