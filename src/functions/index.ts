export * from './definition.ts'
export * from './registry.ts'
