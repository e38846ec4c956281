/** Outcome of one test. */
export interface TestResult {
  readonly name: string
  /** All differences between expected and actual results; `undefined` if the test passed. */
  readonly failure?: string | undefined
}

/** Results of the tests of one file, in order. */
export interface TestReport {
  readonly file: string
  readonly tests: readonly TestResult[]
}
