import { runPromtoolTests } from '../../src/alerting/testing/promtool/index.ts'
import { readCases } from './alerts-cases.ts'
import { checkAll, unreadable, type Outcome, type Verdict } from './outcome.ts'

interface RulesCase {
  readonly id: string
  readonly rules: object
  readonly test: object
  /** Messages of a test that fails. */
  readonly fails?: readonly string[]
}

/** The rule and the time of a failure: `rule: High, time: 2m0s, err: …`. */
function placeOf(message: string): string {
  const [, rule = '', time = ''] = /^rule: (.*), time: (\w+), err:/.exec(message) ?? []
  return `rule \`${rule}\` failed at ${time.replace(/(?<=m)0s$/, '')}`
}

async function check({ rules, test, fails }: RulesCase): Promise<Verdict> {
  // Promtool has no URL of a server, and the functions of templates that return it crash there.
  if (JSON.stringify(test).includes('nil pointer dereference'))
    return { skip: 'a crash of the reference, not its semantics' }
  const files = { readFile: () => JSON.stringify(rules) }
  const { tests } = await runPromtoolTests('test.yaml', JSON.stringify(test, undefined, 1), files)
  const failure = tests.flatMap((each) => each.failure ?? []).join('\n')
  if (fails === undefined) return failure === '' ? undefined : { failure }
  const missing = fails.find((message) => !failure.includes(placeOf(message)))
  return missing === undefined ? undefined : { failure: `does not fail with: ${missing}; got ${failure}` }
}

/** Runs the unit tests of rule files that promtool passes, and those that it refuses. */
export async function checkAlertRules(directory: string): Promise<readonly Outcome[]> {
  const file = 'rules.json'
  try {
    const content = readCases<RulesCase>(directory, file)
    return content === undefined ? [] : [await checkAll(file, content.cases, check)]
  } catch (error) {
    return [unreadable(file, error)]
  }
}
