import type { TableFunction } from '../definition.ts'
import { compare } from './compare.ts'
import { facets } from './facets.ts'
import { fieldNames } from './field-names.ts'
import { fieldValues } from './field-values.ts'
import { fillGaps } from './fill-gaps.ts'
import { generateSequence } from './generate-sequence.ts'
import { limitTies } from './limit-ties.ts'
import { patterns } from './patterns.ts'
import { blocksCount, blockStats, queryStats } from './physical.ts'
import { streamContext } from './stream-context.ts'
import { windowFunction } from './window.ts'

export { MAX_FACET_CHARS, MAX_FACET_VALUES } from './facets.ts'

export type { WindowCall, WindowParams } from './window.ts'

/** Table functions in reference order; `implementations.ts` adds their code. */
export const tableFunctions: readonly TableFunction[] = [
  blockStats,
  blocksCount,
  compare,
  facets,
  fieldNames,
  fieldValues,
  fillGaps,
  generateSequence,
  limitTies,
  patterns,
  queryStats,
  streamContext,
  windowFunction,
]
