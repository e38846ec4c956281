export * from './levels.ts'
export * from './loggers.ts'
export * from './place-fields.ts'
export * from './placement.ts'
