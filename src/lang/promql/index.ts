export * from './ast.ts'
