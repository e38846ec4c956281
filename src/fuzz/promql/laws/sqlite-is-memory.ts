import { differenceIn } from './other-source.ts'
import type { PromqlLaw } from './law.ts'

/** Samples stored in SQLite give a bit-identical answer with the same annotations. */
export const sqliteIsMemory: PromqlLaw = {
  name: 'sqlite-is-memory',
  check: (given) => differenceIn(given, given.sqlite, 'SQLite'),
}
