import type { ValueTest } from '../../../data/index.ts'
import type { Query, Source, SqlExpr } from '../statement/ast.ts'
import type { Statement } from '../compile.ts'
import type { Program } from '../statement/programs.ts'
import { BY_CHARACTERS } from '../notes.ts'
import { children, roots } from '../statement/walk.ts'
import { ADDED } from './printed.ts'

const OWN_SUMS =
  "Sums and means are SQLite's own: floats may differ in the last digits, and a group without numbers has NULL, not NaN."

const WORDS = 'a search for words'

/** For notes to people: names of the conditions that need host functions (code of Sluice), by kind of test. */
const CONDITIONS: { readonly [K in ValueTest['kind']]?: string } = {
  phrase: WORDS,
  'phrase-prefix': WORDS,
  sequence: WORDS,
  'contains-all': WORDS,
  'contains-any': WORDS,
  regexp: 'a regular expression',
  glob: 'a pattern',
}

const JSON_FIELDS = 'fields of a JSON column'

const UNTYPED = 'a column that may hold values of any type'

/** For notes to people: the purpose of each host function. */
const NEEDS: Readonly<Record<string, string>> = {
  sluice_native: UNTYPED,
  sluice_bool: UNTYPED,
  sluice_group_key: UNTYPED,
  sluice_join_key: UNTYPED,
  sluice_unix: 'a time in a column of any type',
  sluice_rest: JSON_FIELDS,
  sluice_field: JSON_FIELDS,
  sluice_any_field: JSON_FIELDS,
  sluice_member: JSON_FIELDS,
  sluice_sort_key: 'an order of strings and numbers',
  sluice_sort_key_desc: 'an order of strings and numbers',
  sluice_group_order: 'an order of strings and numbers',
  sluice_stats: 'a stats function',
  sluice_final: 'a stats function',
  sluice_expr: 'a computed value',
  sluice_test: 'a condition',
}

function needOfTest({ test, form, restKey }: Program & { kind: 'test' }): string {
  if (restKey !== undefined) return JSON_FIELDS
  const need = CONDITIONS[test.kind]
  if (need !== undefined || form === 'any') return need ?? UNTYPED
  return form === 'text' ? 'a comparison regardless of case' : 'a comparison of numbers or times as strings'
}

/** Returns the purposes for which a statement calls host functions, each with the name of one of these functions. */
function needsOf({ sql, parameters }: Statement): ReadonlyMap<string, string> {
  const needs = new Map<string, string>()
  for (const given of parameters) {
    if (given.kind === 'program' && given.program.kind === 'test') needs.set(needOfTest(given.program), 'sluice_test')
  }
  for (const [name] of sql.matchAll(/\bsluice_\w+(?=\()/g)) {
    const need = NEEDS[name] ?? 'a value'
    if (name !== 'sluice_test' && !needs.has(need)) needs.set(need, name)
  }
  return needs
}

function isAdded(expr: SqlExpr): boolean {
  if (expr.kind === 'aggregate' && Object.values(ADDED).includes(expr.name)) return true
  const inside = children(expr)
  return inside.exprs.some(isAdded) || inside.selects.some(hasAdded)
}

/** True if SQLite adds numbers anywhere in the statement, so that last digits may differ. */
function hasAdded(query: Query): boolean {
  return (query.kind === 'select' ? [query] : query.selects).some(
    (select) => roots(select).some(isAdded) || readsAdded(select.from),
  )
}

function readsAdded(source: Source): boolean {
  if (source.kind === 'join') return readsAdded(source.left) || readsAdded(source.right)
  return source.kind === 'select' && hasAdded(source.query)
}

/**
 * Returns sentences for people who run the statement in a shell: which functions the shell lacks, and how rows may
 * differ from Sluice's answer.
 */
export function notesOf(statement: Statement): readonly string[] {
  const { query } = statement
  const needs = [...needsOf(statement)].map(([need, name]) => `${need} (${name})`)
  const notes: string[] = []
  if (needs.length > 0) {
    notes.push(`A shell cannot run it: only connections of Sluice have the functions for ${needs.join(', ')}.`)
  }
  if (query.orderBy.some((term) => term.ranks !== undefined)) notes.push(BY_CHARACTERS)
  if (hasAdded(query)) notes.push(OWN_SUMS)
  return notes
}
