export * from './incident.ts'
export * from './logs.ts'
export * from './samples.ts'
