/**
 * `sluice/types`: every type that a signature of another sub-path speaks of, for the declarations of libraries that use
 * the package. There is nothing to run. `tools/types.ts` writes the whole list into the package.
 */
export type * from './sluice.ts'
