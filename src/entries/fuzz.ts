/** `sluice/fuzz`: generators of random queries and rows, and laws that every correct engine satisfies. */
export * from '../fuzz/index.ts'
