import { compileMatchers, parseMatcher, readSilenceMatchers } from '../../src/alerting/matchers/index.ts'
import { SluiceError } from '../../src/base/index.ts'
import { Labels } from '../../src/data/index.ts'
import { readCases } from './alerts-cases.ts'
import { checkAll, type Outcome, type Vector } from './outcome.ts'

interface SilenceCase extends Vector {
  readonly matchers?: readonly object[]
  readonly silenced?: readonly number[]
  readonly filter?: readonly string[]
  readonly found?: readonly number[]
  readonly refused?: number
}

function indexesOf(alerts: readonly Labels[], vector: SilenceCase): readonly number[] | 'refused' {
  try {
    const matchers = vector.filter?.map(parseMatcher) ?? readSilenceMatchers(vector.matchers ?? [], [])
    const holds = compileMatchers(matchers)
    return alerts.flatMap((labels, i) => (holds(labels) ? [i] : []))
  } catch (error) {
    if (error instanceof SluiceError) return 'refused'
    throw error
  }
}

/** Checks which of the recorded alerts each silence or filter matches. */
export async function checkAlertSilences(directory: string): Promise<readonly Outcome[]> {
  const file = readCases<SilenceCase>(directory, 'silences.json')
  if (file === undefined) return []
  const alerts = (file.others['alerts'] as readonly Readonly<Record<string, string>>[]).map((each) => Labels.of(each))
  const outcome = await checkAll('silences.json', file.cases, (vector) => {
    const found = indexesOf(alerts, vector)
    const expected = vector.refused === undefined ? (vector.silenced ?? vector.found) : 'refused'
    return String(found) === String(expected)
      ? undefined
      : { failure: `expected ${String(expected)}, found ${String(found)}` }
  })
  return [outcome]
}
