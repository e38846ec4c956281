import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Outcome } from './outcome.ts'

type Counts = Record<string, Record<string, number>>

const PATH = resolve(import.meta.dirname, 'counts.json')
/**
 * Share of the renamed vectors of a run whose number becomes the minimum for later runs, rounded down to a multiple of
 * `STEP`. The full number would be too strict, because it depends slightly on the seed.
 */
const SURE_PART = 0.85
const STEP = 20

function countsOf(outcomes: readonly Outcome[], isRenamed: boolean): ReadonlyMap<string, number> {
  return new Map(
    outcomes.flatMap(({ file, passed, renamed }): [string, number][] => [
      [file, passed],
      ...(isRenamed ? [[`${file} renamed`, Math.floor((renamed * SURE_PART) / STEP) * STEP] as [string, number]] : []),
    ]),
  )
}

/**
 * Compares pass counts with the committed ones. Returns a message for each count that dropped. With `isRaising`, counts
 * that grew become the new minimum.
 */
export function checkCounts(
  language: string,
  outcomes: readonly Outcome[],
  isRenamed: boolean,
  isRaising: boolean,
): readonly string[] {
  const counts = JSON.parse(readFileSync(PATH, 'utf8')) as Counts
  const key = isRenamed ? `${language}-renamed` : language
  const known = counts[key] ?? {}
  const actual = countsOf(outcomes, isRenamed)
  const lost: string[] = []
  const raised = { ...known }
  for (const [name, count] of actual) {
    const least = known[name] ?? 0
    if (count < least) lost.push(`${key} ${name}: ${count} passed, ${least} were passing before`)
    raised[name] = Math.max(least, count)
  }
  for (const name of Object.keys(known)) if (!actual.has(name)) lost.push(`${key} ${name}: was not run`)
  if (isRaising) writeFileSync(PATH, `${JSON.stringify({ ...counts, [key]: raised }, undefined, 2)}\n`)
  return lost
}
