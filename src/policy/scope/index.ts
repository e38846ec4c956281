export { scopeFaults, type ScopeTools } from './allowance.ts'
export * from './combine.ts'
export { policyDiagnostic } from './diagnostics.ts'
export { checkScopeShape } from './shape.ts'
