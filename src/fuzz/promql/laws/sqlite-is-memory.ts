import { differenceIn } from './other-source.ts'
import type { PromqlLaw } from './law.ts'

/** Samples stored in SQLite give the same answer, bit by bit, and the same notes. */
export const sqliteIsMemory: PromqlLaw = {
  name: 'sqlite-is-memory',
  check: (given) => differenceIn(given, given.sqlite, 'SQLite'),
}
