export * from './domains/index.ts'
export * from './record.ts'
export * from './samples/index.ts'
export * from './memory/index.ts'
