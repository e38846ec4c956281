/** Outcome of one test. */
export interface TestResult {
  readonly name: string
  /** Every difference between expected and actual results; `undefined` if the test passed. */
  readonly failure?: string | undefined
}

/** Outcomes of the tests of one file, in their order. */
export interface TestReport {
  readonly file: string
  readonly tests: readonly TestResult[]
}
