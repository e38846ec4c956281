import { CommandError, SluiceError, isSystemError } from '../../base/index.ts'
import { problem, type Check, type Finding, type Setup, type Status } from './check.ts'

/** A finding with the name of its check. */
export interface Reported extends Finding {
  readonly check: string
}

/** Runs checks one after the other. A check that throws is reported as a problem; the others still run. */
export async function runChecks(checks: readonly Check[], setup: Setup): Promise<readonly Reported[]> {
  const reported: Reported[] = []
  for (const { name, find } of checks) {
    let findings: readonly Finding[]
    try {
      findings = await find(setup)
    } catch (error) {
      if (!(error instanceof CommandError || error instanceof SluiceError || isSystemError(error))) throw error
      findings = [problem(error.message, 'Put that right and run the command again.')]
    }
    reported.push(...findings.map((finding) => ({ check: name, ...finding })))
  }
  return reported
}

function countOf(reported: readonly Reported[], status: Status): number {
  return reported.filter((each) => each.status === status).length
}

/** Formats the counts: `1 problem, 2 warnings.` */
function countsText(reported: readonly Reported[]): string {
  const counts = (['problem', 'warning'] as const).map((status) => {
    const count = countOf(reported, status)
    return `${count} ${status}${count === 1 ? '' : 's'}`
  })
  return `${counts.join(', ')}.`
}

/** Formats one line for each finding, the remedy on the line below, and the counts. */
export function textReport(reported: readonly Reported[]): string {
  const width = Math.max(...reported.map(({ check }) => check.length))
  const lines = reported.flatMap(({ check, status, message, fix }) => {
    const head = `${status.padEnd('problem'.length)}  ${check.padEnd(width)}  `
    return [`${head}${message}`, ...(fix === undefined ? [] : [`${' '.repeat(head.length)}${fix}`])]
  })
  return `${[...lines, '', countsText(reported)].join('\n')}\n`
}

/** Formats the report as JSON: `{"checks":[{"check","status","message","fix"}],"problems":1,"warnings":2}`. */
export function jsonReport(reported: readonly Reported[]): string {
  const counts = { problems: countOf(reported, 'problem'), warnings: countOf(reported, 'warning') }
  return `${JSON.stringify({ checks: reported, ...counts })}\n`
}
