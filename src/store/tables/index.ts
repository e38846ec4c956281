export { defineTable, type Objects, type TableSpec } from './define-table.ts'
export { tableDiagnostic } from './diagnostics.ts'
export { catalogOf, tableOf, tableSet, type TableInput, type TablesInput, type TableSet } from './table-of.ts'
