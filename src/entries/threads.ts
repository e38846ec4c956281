/** `sluice/threads`: threads that take part in the long queries of an engine. */
export { queryThreads, type QueryThreadsOptions } from '../helpers/index.ts'
