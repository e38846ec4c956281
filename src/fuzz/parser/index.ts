export { tell, type Reading, type Told } from './laws.ts'
export { runParserFuzz, type ParserFailure, type ParserFuzzOptions, type ParserFuzzReport } from './run.ts'
export { drawText, textPool, type ParserCase, type TextPool } from './texts.ts'
