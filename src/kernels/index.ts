export { decimalTables } from './decimal-tables.ts'
export type { Kernels } from './kernels.ts'
export * as layout from './layout.ts'
export { KernelMemory } from './memory.ts'
