export { setStraysAside } from './folders.ts'
export { KeptTables, type KeptTable, type KeptTablesOptions } from './kept-tables.ts'
export type { Retention } from './retention.ts'
export { storedReader } from './stored-reader.ts'
