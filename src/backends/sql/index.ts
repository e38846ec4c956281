export * from './backend.ts'
export { dialects } from './dialects/index.ts'
export { verifyGuards } from './verify-guards.ts'
export type { Statement } from './compile.ts'
