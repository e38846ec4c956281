export { HelperLinks } from './links.ts'
export { HelperThreads, type HelperThreadsOptions } from './threads.ts'
