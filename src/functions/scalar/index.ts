import type { ScalarFunction } from '../definition.ts'

/** Every function of this kind, in the order of the reference. */
export const scalarFunctions: readonly ScalarFunction[] = []
