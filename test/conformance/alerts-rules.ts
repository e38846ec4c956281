import { runPromtoolTests } from '../../src/alerting/testing/promtool/index.ts'
import { readCases } from './alerts-cases.ts'
import { checkAll, unreadable, type Outcome, type Verdict } from './outcome.ts'

interface RulesCase {
  readonly id: string
  readonly rules: object
  readonly test: object
  /** Messages with which promtool fails the unit test; absent if the test passes. */
  readonly fails?: readonly string[]
}

/** Returns the rule and the time from a failure message of the form `rule: High, time: 2m0s, err: …`. */
function placeOf(message: string): string {
  const [, rule = '', time = ''] = /^rule: (.*), time: (\w+), err:/.exec(message) ?? []
  return `rule \`${rule}\` failed at ${time.replace(/(?<=m)0s$/, '')}`
}

async function check({ rules, test, fails }: RulesCase): Promise<Verdict> {
  // Promtool has no server URL, so template functions that return it crash there.
  if (JSON.stringify(test).includes('nil pointer dereference'))
    return { skip: 'a crash of the reference, not its semantics' }
  const files = { readFile: () => JSON.stringify(rules) }
  const { tests } = await runPromtoolTests('test.yaml', JSON.stringify(test, undefined, 1), files)
  const failure = tests.flatMap((each) => each.failure ?? []).join('\n')
  if (fails === undefined) return failure === '' ? undefined : { failure }
  const missing = fails.find((message) => !failure.includes(placeOf(message)))
  return missing === undefined ? undefined : { failure: `does not fail with: ${missing}; got ${failure}` }
}

/** Checks that unit tests of rule files pass or fail as in promtool. */
export async function checkAlertRules(directory: string): Promise<readonly Outcome[]> {
  const file = 'rules.json'
  try {
    const content = readCases<RulesCase>(directory, file)
    return content === undefined ? [] : [await checkAll(file, content.cases, check)]
  } catch (error) {
    return [unreadable(file, error)]
  }
}
