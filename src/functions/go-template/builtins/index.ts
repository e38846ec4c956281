import { collectionFunctions } from './collections.ts'
import { compareFunctions } from './compare.ts'
import type { FunctionMap } from './definition.ts'
import { printingFunctions } from './printing.ts'

/** The functions that are built into Go's template language. */
export const builtinFunctions: FunctionMap = new Map(
  [compareFunctions, collectionFunctions, printingFunctions].flatMap((table) => Object.entries(table)),
)
