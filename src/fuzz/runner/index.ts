export {
  defineFuzzer,
  lawBreaks,
  type FuzzFailure,
  type FuzzOptions,
  type FuzzReport,
  type Fuzzer,
  type FuzzerDefinition,
  type KeptCase,
  type Law,
} from './fuzzer.ts'
export { fuzzersOf } from './fuzzers.ts'
