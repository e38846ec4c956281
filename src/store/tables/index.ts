export { defineTable, type Objects, type TableSpec } from './define-table.ts'
export { tableDiagnostic } from './diagnostics.ts'
export { catalogOf, tableOf, tableSet, type TableInput, type TableSet } from './table-of.ts'
