export { columnarBackend, type Tables } from './backend.ts'
