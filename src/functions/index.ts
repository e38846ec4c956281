export * from './definition.ts'
export * from './registry.ts'
export * from './series/index.ts'
