export { tell, type ParserOptions, type ParserReport } from './laws.ts'
export { parser, parserDefinition } from './fuzzer.ts'
export { drawText, textPool, type TextPool } from './texts.ts'
