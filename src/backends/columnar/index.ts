export { columnarBackend } from './backend.ts'
