export { generatePromql, type PromqlCase } from './generate.ts'
export { promqlLaws, type PromqlLaw } from './laws/index.ts'
export { runPromqlFuzz, type PromqlFailure, type PromqlFuzzOptions, type PromqlFuzzReport } from './run.ts'
export { compareReaders, knownDifferences, loadSecondReader, type SecondReader } from './second-reader.ts'
