export * from './incident.ts'
export * from './logs.ts'
