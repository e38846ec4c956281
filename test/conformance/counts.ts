import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'

/** How one set of vectors came out. */
export interface Tally {
  readonly name: string
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

type Counts = Record<string, Record<string, number>>

const PATH = resolve(import.meta.dirname, 'counts.json')

/**
 * Compares pass counts with the committed ones: one text for each that dropped. With `isRaising`, counts that grew are
 * written down as the new least.
 */
export function checkCounts(language: string, tallies: readonly Tally[], isRaising: boolean): readonly string[] {
  const counts = JSON.parse(readFileSync(PATH, 'utf8')) as Counts
  const known = counts[language] ?? {}
  const lost: string[] = []
  const raised = { ...known }
  for (const { name, passed } of tallies) {
    const least = known[name] ?? 0
    if (passed < least) lost.push(`${language} ${name}: ${passed} passed, ${least} were passing before`)
    raised[name] = Math.max(least, passed)
  }
  for (const name of Object.keys(known)) {
    if (!tallies.some((tally) => tally.name === name)) lost.push(`${language} ${name}: was not run`)
  }
  if (isRaising) writeFileSync(PATH, `${JSON.stringify({ ...counts, [language]: raised }, undefined, 2)}\n`)
  return lost
}
