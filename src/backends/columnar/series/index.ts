export * from './answer.ts'
export * from './json-answer.ts'
export * from './number-text.ts'
export * from './query.ts'
