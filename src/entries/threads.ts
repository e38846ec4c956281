/** `sluice/threads`: threads that take part in the long queries of an engine, one that indexes what is stored, and code that a thread compiles beforehand. */
export { warmUp, type WarmUpOptions } from '../engine/index.ts'
export { indexThread, type IndexThread } from '../helpers/index.ts'
export { queryThreads, type QueryThreadsOptions } from '../helpers/index.ts'
