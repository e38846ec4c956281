/** `sluice/threads`: threads that take part in the long queries of an engine, and one that indexes what is stored. */
export { indexThread, type IndexThread } from '../helpers/index.ts'
export { queryThreads, type QueryThreadsOptions } from '../helpers/index.ts'
