export * from './backend.ts'
export { backendTable } from './backend-table.ts'
export { rowsBackend } from './rows/index.ts'
