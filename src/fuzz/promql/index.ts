export { generatePromql, type PromqlCase } from './generate.ts'
export { promqlLaws, type PromqlLaw } from './laws/index.ts'
export { promql, promqlDefinition, smallerMetrics, type SamplesCase } from './fuzzer.ts'
export { compareReaders, knownDifferences, loadSecondReader } from './second-reader.ts'
