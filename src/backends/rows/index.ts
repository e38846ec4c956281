export { rowsBackend } from './backend.ts'
