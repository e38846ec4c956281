import { deletedIsNeverSent } from './deleted-is-never-sent.ts'
import { droppedIsNeverSent } from './dropped-is-never-sent.ts'
import { exportedIsMemory } from './exported-is-memory.ts'
import { filesAreMemory } from './files-are-memory.ts'
import type { PromqlLaw } from './law.ts'
import { optimizedIsRaw } from './optimized-is-raw.ts'
import { packedIsMemory } from './packed-is-memory.ts'
import { parametersAreValues } from './parameters-are-values.ts'
import { printThenParse } from './print-then-parse.ts'
import { rangeIsInstants } from './range-is-instants.ts'
import { readersAgree } from './readers-agree.ts'
import { sharedIsAlone } from './shared-is-alone.ts'
import { sqliteIsMemory } from './sqlite-is-memory.ts'

export type { LawCase, PromqlLaw } from './law.ts'

export const promqlLaws: readonly PromqlLaw[] = [
  printThenParse,
  readersAgree,
  optimizedIsRaw,
  sqliteIsMemory,
  filesAreMemory,
  packedIsMemory,
  deletedIsNeverSent,
  droppedIsNeverSent,
  exportedIsMemory,
  rangeIsInstants,
  parametersAreValues,
  sharedIsAlone,
]
