export { tell, type Reading, type Told } from './laws.ts'
export { parser, parserDefinition } from './fuzzer.ts'
export { drawText, textPool, type TextPool } from './texts.ts'
