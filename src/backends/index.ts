export * from './backend.ts'
export { rowsBackend } from './rows/index.ts'
