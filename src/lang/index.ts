/** All front ends by name; code that needs one imports its own index. */
export * as json from './json/index.ts'
export * as log from './log/index.ts'
export * as promql from './promql/index.ts'
