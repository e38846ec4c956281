import type { Random } from '../../base/index.ts'
import { JsonText, toText, type Row, type StoredRow } from '../../data/index.ts'

export type PolicyJson =
  | null
  | boolean
  | number
  | string
  | readonly PolicyJson[]
  | { readonly [name: string]: PolicyJson }

/** Draws a field for a policy, mostly one by which access is restricted in practice. */
function fieldOf(random: Random, row: Row): string {
  const names = [...row.keys()].filter((name) => name !== '_time' && !(row.get(name) instanceof JsonText))
  const usual = names.slice(0, 3)
  return names.length === 0 ? 'level' : random.pick(random.next() < 0.6 ? usual : names)
}

function textIn(random: Random, row: Row, name: string): string {
  const value = row.get(name)
  const text = value === undefined ? '' : toText(value)
  if (text.length <= 12 || random.next() < 0.2) return text
  return random.pick(text.split(/[^\p{L}\p{N}_]+/u).filter((word) => word !== '')) ?? text
}

function comparison(random: Random, rows: readonly StoredRow[]): PolicyJson {
  // The time in the middle, so that about half of the rows match.
  const times = rows.map(({ row }) => toText(row.get('_time') ?? null)).toSorted()
  const op = random.pick(['gt', 'gte', 'lt', 'lte'])
  if (random.next() < 0.5) {
    const value = times[Math.floor(times.length * (0.2 + 0.6 * random.next()))] ?? '2026-01-02T00:00:00Z'
    return { key: '_time', type: 'datetime', filters: [{ op, value }] }
  }
  const { row } = random.pick(rows)
  const named = [...row].filter(([, value]) => Number.isFinite(value))
  if (named.length === 0) return { key: 'level', filters: [{ op: 'exists' }] }
  const [key, value] = random.pick(named)
  return { key, filters: [{ op, value: Number(value) }] }
}

function test(random: Random, rows: readonly StoredRow[], key: string): PolicyJson {
  const text = textIn(random, random.pick(rows).row, key)
  // Cuts by code points: half of a surrogate pair is not a valid string.
  const start = Array.from(text)
    .slice(0, 1 + random.below(3))
    .join('')
  switch (random.below(12)) {
    case 0:
      return { op: random.pick(['exists', 'notexists']) }
    case 1:
      return { op: random.pick(['contains', 'icontains', 'notcontains', 'inotcontains']), value: start }
    case 2:
      return { op: random.pick(['startswith', 'istartswith', 'endswith', 'iendswith']), value: start }
    case 3:
      return { op: random.pick(['regex', 'notregex']), value: random.pick(['^[a-d]', 'e', '[0-9]$', 'r|p']) }
    case 4:
      return { op: random.pick(['match', 'not_match']), value: `${start}*` }
    case 5:
    case 6: {
      const values = [text, textIn(random, random.pick(rows).row, key), textIn(random, random.pick(rows).row, key)]
      return { op: random.pick(['in', 'in', 'notin']), value: values }
    }
    default:
      return { op: random.pick(['match', 'eq', 'ne', 'not_match', 'eq']), value: text }
  }
}

function condition(random: Random, rows: readonly StoredRow[]): PolicyJson {
  const dice = random.next()
  if (dice < 0.12) return comparison(random, rows)
  const { row } = random.pick(rows)
  if (dice < 0.2) {
    const words = [...row.values()].flatMap((value) => (typeof value === 'string' ? value.split(/\W+/) : []))
    const value = random.pick(words.filter((word) => word !== '')) ?? 'error'
    return { key: '*', type: 'freetext', filters: [{ op: 'phrase_search', value }] }
  }
  const key = fieldOf(random, row)
  const filters = Array.from({ length: random.next() < 0.8 ? 1 : 2 }, () => test(random, rows, key))
  return { key, origin: 'root', type: 'string', filters }
}

function group(random: Random, rows: readonly StoredRow[], depth: number): PolicyJson {
  const conditions = Array.from({ length: 1 + random.below(2) }, () => condition(random, rows))
  const groups = depth > 0 && random.next() < 0.25 ? [group(random, rows, depth - 1)] : []
  return { operator: random.pick(['and', 'or']), conditions, groups }
}

/**
 * Draws the data scopes of one to three policies in stored form, with values from the rows. `kind` is the member of
 * `advanced` for these rows.
 */
export function drawScopes(random: Random, rows: readonly StoredRow[], kind: string): readonly PolicyJson[] {
  if (rows.length === 0) return [{ simple: { conditions: [{ key: 'level', filters: [{ op: 'exists' }] }] } }]
  return Array.from({ length: random.pick([1, 1, 1, 2, 3]) }, (): PolicyJson => {
    const allowed = group(random, rows, 1)
    return random.next() < 0.5 ? { simple: allowed } : { advanced: { [kind]: allowed } }
  })
}
