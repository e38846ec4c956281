/**
 * Exports every query language under its name. Code that needs only one language imports that language's own
 * `index.ts`.
 */
export * as json from './json/index.ts'
export * as log from './log/index.ts'
export * as promql from './promql/index.ts'
