import { callsText, keysText, statsText } from './calls.ts'
import { readCondition } from './conditions.ts'
import { fieldOf } from './names.ts'
import { isWord, segmentsOf, type HabitToken } from './tokens.ts'
import { sortKeys } from './stages.ts'

/** Keywords that begin the clauses of a SQL statement, in the order of the clauses. */
const CLAUSES = ['select', 'from', 'where', 'group by', 'having', 'order by', 'limit', 'offset'] as const
type Clause = (typeof CLAUSES)[number]

/** Splits a statement into its clauses; `undefined` if they are out of order. */
function clausesOf(tokens: readonly HabitToken[]): ReadonlyMap<Clause, readonly HabitToken[]> | undefined {
  const clauses = new Map<Clause, HabitToken[]>()
  let depth = 0
  let latest = -1
  let into: HabitToken[] | undefined
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i]
    if (token === undefined || token.text === ';') continue
    if (token.kind === 'mark' && '(['.includes(token.text)) depth++
    if (token.kind === 'mark' && ')]'.includes(token.text)) depth--
    const clauseIndex =
      depth > 0
        ? -1
        : CLAUSES.findIndex((clause) => {
            const [one = '', two] = clause.split(' ')
            return isWord(token, one) && (two === undefined || isWord(tokens[i + 1], two))
          })
    const clause = CLAUSES[clauseIndex]
    if (clause === undefined) {
      if (into === undefined) return undefined
      into.push(token)
      continue
    }
    if (clauseIndex <= latest) return undefined
    latest = clauseIndex
    into = []
    clauses.set(clause, into)
    if (clause.includes(' ')) i++
  }
  return clauses
}

const numberOf = (tokens: readonly HabitToken[] | undefined): string | undefined =>
  tokens?.length === 1 && /^\d+$/.test(tokens[0]?.text ?? '') ? tokens[0]?.text : undefined

/** Parses a select list: fields, or calls and group keys. */
function selected(source: string, tokens: readonly HabitToken[], keys: readonly string[] | undefined) {
  const isDistinct = isWord(tokens[0], 'distinct')
  const segments = segmentsOf(source, isDistinct ? tokens.slice(1) : tokens, [','])
  if (segments.length === 1 && segments[0]?.text === '*') return { calls: [], fields: [], isDistinct: false }
  const calls: string[] = []
  const fields: string[] = []
  for (const { tokens: segment } of segments) {
    const call = segment.length > 1 ? callsText(source, segment) : undefined
    const field = fieldOf(segment[0])
    const bucket = segment.length > 1 && call === undefined ? keysText(source, segment) : undefined
    const isKey =
      keys !== undefined && (bucket ?? keysText(source, segment))?.every((key) => keys.includes(key)) === true
    if (isKey) continue
    if (call?.length === 1 && call[0] !== undefined) calls.push(call[0])
    else if (segment.length === 1 && field !== undefined) fields.push(field)
    else return undefined
  }
  return { calls, fields, isDistinct }
}

/**
 * Translates `SELECT … FROM … WHERE … GROUP BY … ORDER BY … LIMIT …`. `undefined` for statements with joins, subqueries
 * or other parts that are not supported.
 */
export function selectMeant(source: string, tokens: readonly HabitToken[]): readonly string[] | undefined {
  const clauses = clausesOf(tokens)
  const from = clauses?.get('from')
  const select = clauses?.get('select')
  if (clauses === undefined || select === undefined || from === undefined || from.length !== 1) return undefined
  const where = clauses.get('where')
  const condition = where === undefined ? undefined : readCondition(source, where)
  if (where !== undefined && condition === undefined) return undefined
  const group = clauses.get('group by')
  const keys = group === undefined ? undefined : keysText(source, group)
  if (group !== undefined && keys === undefined) return undefined
  const what = selected(source, select, keys)
  if (what === undefined) return undefined
  const behind = tailMeant(source, clauses)
  if (behind === undefined) return undefined
  const filter = condition === undefined || condition.text === '' ? '*' : condition.text
  if (what.isDistinct) return [filter, `uniq by (${what.fields.join(', ')})`, ...behind]
  if (what.calls.length > 0 || keys !== undefined) {
    // Without `GROUP BY`, the fields that are selected next to calls are the group keys.
    const groups = keys ?? what.fields
    return [filter, statsText(what.calls, groups), ...behind]
  }
  return [filter, ...behind, ...(what.fields.length === 0 ? [] : [`fields ${what.fields.join(', ')}`])]
}

/** Translates the clauses `HAVING`, `ORDER BY`, `LIMIT` and `OFFSET` to stages. */
function tailMeant(source: string, clauses: ReadonlyMap<Clause, readonly HabitToken[]>): readonly string[] | undefined {
  const stages: string[] = []
  const having = clauses.get('having')
  if (having !== undefined) {
    const condition = readCondition(source, having)
    if (condition === undefined) return undefined
    stages.push(`filter ${condition.text}`)
  }
  const order = clauses.get('order by')
  if (order !== undefined) {
    const keys = sortKeys({ source, tokens: order })
    if (keys === undefined) return undefined
    stages.push(`sort by (${keys})`)
  }
  for (const clause of ['offset', 'limit'] as const) {
    const tokens = clauses.get(clause)
    const count = numberOf(tokens)
    if (tokens !== undefined && count === undefined) return undefined
    if (count !== undefined) stages.push(`${clause} ${count}`)
  }
  return stages
}

/** Translates a filter followed by SQL clauses, such as `level:error ORDER BY a DESC LIMIT 10` or `WHERE a = 1`. */
export function clausesMeant(source: string, tokens: readonly HabitToken[]): readonly string[] | undefined {
  let depth = 0
  const at = tokens.findIndex((token, i) => {
    if (token.kind === 'mark' && '(['.includes(token.text)) depth++
    if (token.kind === 'mark' && ')]'.includes(token.text)) depth--
    const isTwo = isWord(token, 'order', 'group') && isWord(tokens[i + 1], 'by')
    return depth === 0 && (isTwo || (i === 0 && isWord(token, 'where')))
  })
  const isWhere = at === 0 && isWord(tokens[0], 'where')
  if (at === -1) return undefined
  const clauses = clausesOf(tokens.slice(at))
  if (clauses === undefined || clauses.has('from') || clauses.has('select')) return undefined
  const filter = isWhere ? clauses.get('where') : tokens.slice(0, at)
  const condition = filter === undefined || filter.length === 0 ? { text: '*' } : readCondition(source, filter)
  if (condition === undefined) return undefined
  const group = clauses.get('group by')
  const keys = group === undefined ? undefined : keysText(source, group)
  const behind = tailMeant(source, clauses)
  if ((group !== undefined && keys === undefined) || behind === undefined) return undefined
  return [condition.text, ...(keys === undefined ? [] : [statsText([], keys)]), ...behind]
}
