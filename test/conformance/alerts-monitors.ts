import { runMonitorTests } from '../../src/alerting/testing/monitors/index.ts'
import { monitorQueryTools } from '../../src/server/index.ts'
import { readCases } from './alerts-cases.ts'
import { checkAll, type Outcome, type Vector, type Verdict } from './outcome.ts'

interface Case extends Vector {
  readonly monitors: readonly object[]
  readonly tests: readonly object[]
}

const tools = {
  readFile: (path: string): string => {
    throw new Error(`the vectors name no file, but ${path}`)
  },
  queryTools: monitorQueryTools,
}

async function check({ monitors, tests }: Case): Promise<Verdict> {
  const report = await runMonitorTests('vector', JSON.stringify({ monitors, tests }), tools)
  const failures = report.tests.flatMap(({ failure }) => failure ?? [])
  return failures.length === 0 ? undefined : { failure: failures.join('\n') }
}

/** Runs the test files of monitors, each from stored rows and samples to states and notifications. */
export async function checkAlertsMonitors(directory: string): Promise<readonly Outcome[]> {
  const file = readCases<Case>(directory, 'monitors.json')
  return file === undefined ? [] : [await checkAll('monitors.json', file.cases, check)]
}
