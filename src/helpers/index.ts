export { HelperLinks, type LinkOptions } from './links.ts'
export { queryThreads, type QueryThreadsOptions } from './query-threads.ts'
export { serveHelp } from './serve-help.ts'
export { HelperThreads, type HelperThreadsOptions } from './threads.ts'
