import { present, seededRandom, type Random } from '../../../src/base/index.ts'
import { attackText, harmlessTwin, meetsAlike, sortsAlike, standsInAlike, variantOf } from './payloads.ts'
import { drawCatalogPlace, foreignCompilers, knownLabels } from './foreign-sql.ts'
import { catalogTemplates, queryTemplates, type Template, type Templates } from './pairs.ts'
import type { Rounds } from '../run.ts'
import { makeCompilers, type SqlOf } from './sql-of.ts'
import { ingestTemplates, promqlTemplates } from './store-pairs.ts'

export interface Difference {
  readonly seed: number
  readonly attack: string
  readonly harmless: string
  readonly question: string
  readonly found: string
  readonly expected: string
}

export interface InjectionReport {
  /** Number of drawn queries; each has its own seed. */
  questions: number
  /** Number of compared pairs of statements. */
  pairs: number
  /** Number of pairs in which both strings are refused with the same code. They do not count as compared. */
  refused: number
  readonly byPlace: Map<string, number>
  readonly differences: Difference[]
}

/** Number of attacks of one class that are tried in each place. */
const ATTACKS_PER_PLACE = 6

/**
 * Error code for a string that looks like a field name. The harmless twin may get it although the attack does not, so
 * such pairs are skipped.
 */
const ASKS_FOR_A_NAME = 'log/in-without-colon'

function textOf(sql: SqlOf): string {
  return sql.kind === 'sql' ? sql.text : sql.code
}

/**
 * Compares the statement of a harmless string with those of several attacks of the same class, all in one place of one
 * query.
 */
async function tryPlace(template: Template, random: Random, seed: number, report: InjectionReport): Promise<void> {
  const { others, without, isStarKept, isAlike } = template
  const first = attackText(random, { without })
  const harmless = harmlessTwin(first, isStarKept)
  if (harmless === undefined) return
  const variants = Array.from({ length: ATTACKS_PER_PLACE - 1 }, () => variantOf(first, random))
  const attacks = [...new Set([first, ...variants])].filter(
    (attack) =>
      harmlessTwin(attack, isStarKept) === harmless &&
      sortsAlike(attack, harmless, others) &&
      meetsAlike(attack, harmless, others) &&
      standsInAlike(attack, harmless, knownLabels) &&
      isAlike?.(attack, harmless) !== false,
  )
  if (attacks.length === 0) return
  const expected = await template.make(harmless)
  if (expected.kind === 'refused' && expected.code === ASKS_FOR_A_NAME) return
  for (const attack of attacks) {
    const found = await template.make(attack)
    if (found.kind !== expected.kind || textOf(found) !== textOf(expected)) {
      report.differences.push({
        seed,
        attack,
        harmless,
        question: template.show(attack),
        found: textOf(found),
        expected: textOf(expected),
      })
    } else if (found.kind === 'refused') report.refused++
    if (found.kind === 'sql' && expected.kind === 'sql') {
      report.pairs++
      const key = `${template.source} ${template.place}`
      report.byPlace.set(key, (report.byPlace.get(key) ?? 0) + 1)
    }
  }
}

export interface Source {
  readonly name: string
  /** Relative frequency with which this source is drawn. */
  readonly weight: number
  readonly templates: Templates
}

/** Returns all sources of queries. */
export async function makeSources(): Promise<readonly Source[]> {
  return [
    { name: 'questions', weight: 40, templates: queryTemplates(await makeCompilers()) },
    { name: 'other databases', weight: 40, templates: queryTemplates(foreignCompilers()) },
    { name: 'catalogs', weight: 9, templates: catalogTemplates(drawCatalogPlace) },
    { name: 'PromQL', weight: 8, templates: await promqlTemplates() },
    { name: 'ingest', weight: 3, templates: await ingestTemplates() },
  ]
}

export interface InjectionOptions {
  /** Whether to go on; called with the number of compared pairs. */
  readonly more: Rounds
  readonly seed: number
  readonly sources: readonly Source[]
}

const MAX_DIFFERENCES = 20

/** Compares pairs until `more` returns false or `MAX_DIFFERENCES` pairs differ. */
export async function runInjection({ more, seed, sources }: InjectionOptions): Promise<InjectionReport> {
  const weights = sources.reduce((sum, { weight }) => sum + weight, 0)
  const report: InjectionReport = { questions: 0, pairs: 0, refused: 0, byPlace: new Map(), differences: [] }
  while (more(report.pairs) && report.differences.length < MAX_DIFFERENCES) {
    const questionSeed = seed + report.questions++
    const random = seededRandom(questionSeed)
    let at = random.next() * weights
    const source = present(sources.find(({ weight }) => (at -= weight) < 0) ?? sources[0])
    const templates = await source.templates(random)
    for (let t = 0; t < Math.min(3, templates.length); t++)
      await tryPlace(random.pick(templates), random, questionSeed, report)
  }
  return report
}
