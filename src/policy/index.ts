export * from './apply-scope.ts'
