export * from './domains/index.ts'
export * from './record.ts'
