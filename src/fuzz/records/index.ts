export { records, recordsDefinition, type RecordsCase } from './fuzzer.ts'
