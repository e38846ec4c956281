export * from './apply-scope.ts'
export * from './verify-scope.ts'
