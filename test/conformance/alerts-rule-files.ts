import { SluiceError } from '../../src/base/index.ts'
import { readRules } from '../../src/alerting/rules/index.ts'
import { readCases } from './alerts-cases.ts'
import { checkAll, unreadable, type Outcome, type Verdict } from './outcome.ts'

interface RuleFileCase {
  readonly id: string
  readonly text: string
  readonly taken: boolean
  readonly rules?: number
}

/** Matches files that only a lax YAML parser accepts. Sluice may reject them. */
const IS_LAX = /^---$|^ *limit: \d+\.\d+$/m

function check({ text, taken, rules }: RuleFileCase): Verdict {
  let found: number
  try {
    found = readRules(text).reduce((total, group) => total + group.rules.length, 0)
  } catch (error) {
    if (!(error instanceof SluiceError)) throw error
    if (!taken || IS_LAX.test(text)) return undefined
    return { failure: `refused: ${error.message}` }
  }
  if (!taken) return { failure: 'taken' }
  return found === rules ? undefined : { failure: `has ${found} rules, not ${rules}` }
}

/** Checks which rule files are accepted, and how many rules they have. */
export async function checkAlertRuleFiles(directory: string): Promise<readonly Outcome[]> {
  const file = 'rule-files.json'
  try {
    const content = readCases<RuleFileCase>(directory, file)
    return content === undefined ? [] : [await checkAll(file, content.cases, check)]
  } catch (error) {
    return [unreadable(file, error)]
  }
}
