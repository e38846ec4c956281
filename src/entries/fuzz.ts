/** `sluice/fuzz`: queries at random, and the laws that every engine must keep. */
export * from '../fuzz/index.ts'
