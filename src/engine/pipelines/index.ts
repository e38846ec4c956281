/** Structured queries on an engine, apart from the rest so that log queries do not load them. */
export { functionNamesOf } from './function-names.ts'
export { JsonEngine, createJson } from './json-engine.ts'
