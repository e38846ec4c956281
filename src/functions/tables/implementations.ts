import type { TableImplementation } from '../definition.ts'
import { implementTable } from './define.ts'
import { compare, compileCompare } from './compare.ts'
import { compileFacets, facets } from './facets.ts'
import { compileFieldNames, fieldNames } from './field-names.ts'
import { compileFieldValues, fieldValues } from './field-values.ts'
import { compileFillGaps, fillGaps } from './fill-gaps.ts'
import { compileGenerateSequence, generateSequence } from './generate-sequence.ts'
import { compileLimitTies, limitTies } from './limit-ties.ts'
import { patterns } from './patterns.ts'
import { compilePatterns } from './patterns-state.ts'
import { blocksCount, blockStats, compilePhysical, queryStats } from './physical.ts'
import { compileStreamContext, streamContext } from './stream-context.ts'
import { compileWindow, windowFunction } from './window.ts'

/** Table functions with their code, in the order of `index.ts`. */
export const tableImplementations: readonly TableImplementation[] = [
  implementTable(blockStats, compilePhysical(blockStats)),
  implementTable(blocksCount, compilePhysical(blocksCount)),
  implementTable(compare, compileCompare),
  implementTable(facets, compileFacets),
  implementTable(fieldNames, compileFieldNames),
  implementTable(fieldValues, compileFieldValues),
  implementTable(fillGaps, compileFillGaps),
  implementTable(generateSequence, compileGenerateSequence),
  implementTable(limitTies, compileLimitTies),
  implementTable(patterns, compilePatterns),
  implementTable(queryStats, compilePhysical(queryStats)),
  implementTable(streamContext, compileStreamContext),
  implementTable(windowFunction, compileWindow),
]
