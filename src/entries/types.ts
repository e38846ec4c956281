/**
 * `sluice/types`: every type that occurs in a signature of another sub-path, so that the declarations of libraries
 * which use the package can name it. It exports no values. `tools/types.ts` writes the whole list into the package.
 */
export type * from './sluice.ts'
