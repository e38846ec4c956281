import { SluiceError } from '../../../base/index.ts'
import { printDurationMs } from '../../../lang/promql/index.ts'
import { RuleGroup, readRules, type GroupDefinition } from '../../rules/index.ts'
import type { TestReport } from '../report.ts'
import { withSource } from '../../source-error.ts'
import { alertDifference, sampleDifference } from './compare.ts'
import { readTestFile, type AlertTest, type PromtoolFile, type PromtoolTest } from './read-test-file.ts'
import { TestSamples } from './test-samples.ts'

/** File access of a test run. Paths are as written in the test file. */
export interface TestFiles {
  readonly readFile: (path: string) => string
  /** Returns the paths that match a pattern such as `*.yaml`. Default: the pattern is a path. */
  readonly findFiles?: (pattern: string) => readonly string[]
  /** Called before each evaluation; if it rejects, the run ends. */
  readonly pause?: () => Promise<void>
}

/**
 * Maximum number of evaluations in a test: 70 days at one a minute. Within this limit a test takes at most some
 * minutes.
 */
const MAX_EVALUATIONS = 100_000

async function readGroups(file: PromtoolFile, { readFile, findFiles = (path) => [path] }: TestFiles) {
  const groups = []
  for (const path of file.ruleFiles.flatMap(findFiles)) {
    const text = readFile(path)
    const definitions = await withSource(path, text, () => readRules(text))
    groups.push(...definitions.map((definition) => ({ path, definition })))
  }
  const orderOf = (name: string): number => file.groupOrder.indexOf(name)
  return groups.toSorted((a, b) => orderOf(a.definition.name) - orderOf(b.definition.name))
}

/** Runs one test: evaluates all groups at every step, and checks alert expectations at their times. */
class TestRun {
  readonly #file: PromtoolFile
  readonly #test: PromtoolTest
  readonly #samples: TestSamples
  readonly #groups: readonly RuleGroup[]
  readonly #pause: TestFiles['pause']
  readonly #failures: string[] = []

  constructor(
    file: PromtoolFile,
    test: PromtoolTest,
    groups: readonly { readonly path: string; readonly definition: GroupDefinition }[],
    pause: TestFiles['pause'],
  ) {
    this.#pause = pause
    const { startMs, intervalMs, series, externalLabels, externalUrl } = test
    this.#file = file
    this.#test = test
    this.#samples = new TestSamples(series, startMs, intervalMs, file.evaluationIntervalMs)
    const environment = {
      queries: this.#samples,
      sink: this.#samples,
      externalLabels,
      externalUrl,
      intervalMs,
      resendDelayMs: 0,
      monotonicMs: () => 0,
    }
    this.#groups = groups.map(({ path, definition }) => new RuleGroup(path, definition, environment))
  }

  /** Returns all failures as one string; `undefined` if there are none. */
  async run(): Promise<string | undefined> {
    if (await this.#evaluateAll()) await this.#checkExpressions()
    return this.#failures.length === 0 ? undefined : this.#failures.join('\n')
  }

  /** Returns false if an evaluation failed, which ends the test. */
  async #evaluateAll(): Promise<boolean> {
    const { alertTests, expressionTests } = this.#test
    const stepMs = this.#file.evaluationIntervalMs
    const endMs = [...alertTests, ...expressionTests].reduce((end, test) => Math.max(end, test.evalOffsetMs), 0)
    if (endMs / stepMs > MAX_EVALUATIONS) {
      this.#failures.push(`The test needs more than ${MAX_EVALUATIONS} evaluations. Shorten it.`)
      return false
    }
    // An alert expectation between two evaluations applies to the earlier one.
    const byEvaluation = Map.groupBy(alertTests, ({ evalOffsetMs }) => Math.floor(evalOffsetMs / stepMs))
    for (let i = 0; i * stepMs <= endMs; i++) {
      await this.#pause?.()
      if (!(await this.#evaluate(i * stepMs))) return false
      for (const test of byEvaluation.get(i) ?? []) this.#checkAlerts(test)
    }
    return true
  }

  async #evaluate(offsetMs: number): Promise<boolean> {
    const before = this.#failures.length
    const atMs = this.#test.startMs + offsetMs
    this.#samples.loadUntil(atMs)
    for (const group of this.#groups) {
      await group.evaluate(atMs)
      for (const { name, lastError } of group.status().rules)
        if (lastError !== '')
          this.#failures.push(`rule \`${name}\` failed at ${printDurationMs(offsetMs)}: ${lastError}`)
    }
    return this.#failures.length === before
  }

  #checkAlerts({ line, alertName, evalOffsetMs, expected }: AlertTest): void {
    const got = this.#groups
      .flatMap((group) => group.status().rules)
      .flatMap((rule) => (rule.kind === 'alerting' && rule.name === alertName ? rule.alerts : []))
      .filter(({ state }) => state === 'firing')
    const found = alertDifference(expected, got)
    if (found !== undefined)
      this.#failures.push(`line ${line}: alert \`${alertName}\` at ${printDurationMs(evalOffsetMs)}\n${found}`)
  }

  async #checkExpressions(): Promise<void> {
    for (const { line, expression, evalOffsetMs, expected } of this.#test.expressionTests) {
      const heading = `line ${line}: \`${expression}\` at ${printDurationMs(evalOffsetMs)}`
      try {
        const got = await this.#samples.instant(expression, this.#test.startMs + evalOffsetMs)
        const found = sampleDifference(expected, got, this.#file.isFuzzy)
        if (found !== undefined) this.#failures.push(`${heading}\n${found}`)
      } catch (error) {
        if (!(error instanceof SluiceError)) throw error
        this.#failures.push(`${heading} fails: ${error.message}`)
      }
    }
  }
}

/**
 * Runs a file of promtool unit tests over an in-memory engine. `file` is the name in the report. Throws SluiceError for
 * errors in the file itself, and SourceError for errors in its rule files.
 */
export async function runPromtoolTests(file: string, text: string, files: TestFiles): Promise<TestReport> {
  const read = readTestFile(text)
  const groups = await readGroups(read, files)
  const tests = []
  for (const test of read.tests) {
    const failure = await new TestRun(read, test, groups, files.pause).run()
    tests.push(failure === undefined ? { name: test.name } : { name: test.name, failure })
  }
  return { file, tests }
}
