import { present } from '../base/index.ts'
import { writeFilter } from './filters.ts'
import { fieldText, valueText, type PipeGenerator, type Writer } from './writer.ts'
import { WEIGHT, inlineRow } from './row-pipes.ts'
import { writeRunning, writeWindow } from './stats-calls.ts'

const two = (w: Writer): string => [...new Set(w.list(1, 2, () => w.name()))].map(fieldText).join(', ')

const direction = (w: Writer): string => w.pick(['', ' asc', ' desc', ' DESC'])

/** Writes the right side of a join with few rows, because joins multiply rows. */
function source(w: Writer): { readonly text: string; readonly fields: readonly string[] } {
  if (w.level > 0 || w.chance(0.15)) {
    const names = [...new Set([w.nameLike('a'), w.nameLike('level'), w.nameLike('status'), 'x'])]
    return { text: `rows(${w.list(0, 4, () => inlineRow(w, names)).join(', ')})`, fields: names }
  }
  const { text, fields } = w.subquery()
  const limit = w.pick([3, 6, 12])
  const dice = w.random.below(6)
  // Only a few columns, so that optimizer rules must map their names through the prefix.
  if (dice === 0) {
    const kept = [...new Set([...(w.has('logs') ? ['level', 'status'] : []), ...fields.slice(0, 2)])]
    return { text: `(${text} | fields ${kept.map(fieldText).join(', ')} | limit ${limit})`, fields: kept }
  }
  if (dice > 2) return { text: `(${text} | limit ${limit})`, fields }
  const key = fields.includes('level') ? 'level' : (fields[0] ?? 'level')
  const field = fieldText(fields.length === 0 ? key : w.pick(fields))
  const ofLogs = ['max(status)', 'sum(duration_ms)', 'uniq_values(workload)', 'min(_time)']
  const call = w.pick(['count()', ...(w.has('logs') ? ofLogs : [`max(${field})`, `uniq_values(${field})`])])
  const [first, second] = ['x', 'n', 'y'].filter((name) => name !== key)
  return {
    text: `(${text} | stats by (${fieldText(key)}) ${call} as ${first}, count() as ${second} | limit ${limit})`,
    fields: [key, present(first), present(second)],
  }
}

function writeJoin(w: Writer): string {
  const { text, fields } = source(w)
  const type = w.pick(['', ' left', ' inner', ' right', ' full', ' inner', ' right', ' full', ' cross', ' cross'])
  w.use(`join/${type === '' ? 'left' : type.trim()}`)
  const prefix = w.pick(['', ' prefix "r."', ' prefix r clashing', ' prefix r clashing'])
  const shared = w.fields.filter((name) => fields.includes(name))
  const keys = w.list(1, 2, () => {
    if (shared.length > 0 && w.chance(0.7)) return fieldText(w.pick(shared))
    w.use('join/other-name')
    return `${w.field()} = ${fieldText(fields.length === 0 ? 'level' : w.pick(fields))}`
  })
  if (keys.length > 1) w.use('join/several-keys')
  if (prefix !== '') w.use('join/prefix')
  const clashes = prefix === ' prefix r clashing'
  const left = w.fields
  const named = fields.map((name) => {
    const hasPrefix = prefix !== '' && (!clashes || left.includes(name))
    return hasPrefix ? `r.${name}` : name
  })
  w.fields = [...new Set([...left, ...named])]
  w.made = named.filter((name) => name.startsWith('r.'))
  const list = [...new Set(keys)].join(', ')
  const by = type === ' cross' && w.chance(0.5) ? 'by ()' : w.chance(0.3) ? `on (${list})` : w.by(list)
  return `join ${by} ${text}${type}${prefix}`
}

const rank = (w: Writer): string => w.pick(['', '', ' rank', ' rank as pos'])

const partition = (w: Writer): string => (w.chance(0.3) ? ` partition ${w.by(w.field())}` : '')

function writeSort(w: Writer): string {
  const names = [...new Set(w.list(1, 2, () => w.name()))]
  const sort = `sort ${w.by(names.map((name) => fieldText(name) + direction(w)).join(', '))}`
  if (!w.chance(0.35)) return sort
  w.use('sort/options')
  if (w.chance(0.2)) {
    w.use('sort/after')
    const values = names.map((name) => (name === '_time' ? JSON.stringify(w.time(0n)) : valueText(w.value(name))))
    return `${sort} after (${values.join(', ')})${w.pick(['', ' limit 5'])}`
  }
  if (w.chance(0.2)) {
    w.use('sort/ties')
    return `${sort} limit ${w.pick([1, 3, 10])} with ties`
  }
  const part = partition(w)
  const limits = [' limit 1', ' limit 3', ' limit 10', ...(part === '' ? [''] : [])]
  return `${sort}${part}${w.pick(['', ' offset 1'])}${w.pick(limits)}${rank(w)}`
}

/** Generators of pipes that read all rows before they return the first. */
export const tablePipes: readonly PipeGenerator[] = [
  { name: 'sort', weight: 5, write: writeSort },
  {
    name: 'uniq',
    weight: 1.6,
    write: (w) => {
      const names = [...new Set(w.list(1, 2, () => w.name()))]
      w.fields = names
      const filter = w.chance(0.1) ? ` filter ${w.pick(['err', 'api', '5'])}` : ''
      const hits = w.chance(0.2) ? ' with hits' : ''
      if (hits !== '') w.fields = [...names, 'hits']
      return `uniq ${w.by(names.map(fieldText).join(', '))}${filter}${hits}${w.pick(['', '', '', ' limit 3'])}`
    },
  },
  {
    name: 'top',
    weight: WEIGHT,
    write: (w) => {
      const names = [...new Set(w.list(1, 2, () => w.name()))]
      const hits = w.pick(['', '', ' hits as "hit count"'])
      w.fields = [...names, hits === '' ? 'hits' : 'hit count']
      return `top ${w.pick(['', '1 ', '3 ', '10 '])}${w.by(names.map(fieldText).join(', '))}${hits}${rank(w)}`
    },
  },
  {
    name: 'first',
    weight: WEIGHT,
    write: (w) => `first ${w.pick([1, 2])} ${w.by(w.field() + direction(w))}${partition(w)}${rank(w)}`,
  },
  {
    name: 'last',
    weight: WEIGHT,
    write: (w) => `last ${w.pick([1, 2])} ${w.by(w.field() + direction(w))}${partition(w)}${rank(w)}`,
  },
  { name: 'sample', weight: 1.2, write: (w) => w.pick(['sample 2', 'sample 3 rows', 'sample 1']) },
  {
    name: 'limit-by',
    weight: WEIGHT,
    write: (w) => {
      const offset = w.pick(['', '', ' offset 1', ' offset 2'])
      if (offset !== '') w.use('limit-by/offset')
      return `limit ${w.pick([1, 2, 3])} ${w.by(two(w))}${offset}`
    },
  },
  { name: 'join', weight: 1.6, write: writeJoin },
  {
    name: 'union',
    weight: 0.9,
    write: (w) => {
      const { text, fields } = source(w)
      w.fields = [...new Set([...w.fields, ...fields])]
      return `union ${text}`
    },
  },
  { name: 'running_stats', weight: 1, write: (w) => writeRunning(w, 'running_stats') },
  { name: 'total_stats', weight: 1, write: (w) => writeRunning(w, 'total_stats') },
  { name: 'window', weight: 1, write: writeWindow },
  {
    name: 'field_names',
    weight: WEIGHT,
    write: (w) => {
      w.fields = ['name', 'hits']
      return `field_names${w.pick(['', '', ' filter e', ' as name'])}`
    },
  },
  {
    name: 'field_values',
    weight: WEIGHT,
    write: (w) => {
      const name = w.name()
      w.fields = [name, 'hits']
      return `field_values ${fieldText(name)}${w.pick(['', '', ' filter e'])}${w.pick(['', '', ' limit 3'])}`
    },
  },
  {
    name: 'facets',
    weight: WEIGHT,
    write: (w) => {
      w.fields = ['field_name', 'field_value', 'hits']
      return `facets ${w.pick([1, 3])}${w.pick(['', ' max_values_per_field 5'])}${w.pick(['', ' max_value_len 6'])}${w.pick(['', ' keep_const_fields'])}`
    },
  },
  {
    name: 'compare',
    weight: WEIGHT,
    write: (w) => {
      const filter = writeFilter(w, 1)
      w.fields = ['field_name', 'field_value', 'hits', 'others']
      return `compare (${filter})${w.pick(['', ' 3'])}`
    },
  },
  {
    name: 'patterns',
    weight: WEIGHT,
    write: (w) => {
      w.fields = ['hits', 'pattern']
      const at = ` at ${w.like(w.pick(['content', 'a']))}`
      return `patterns${w.pick(['', ' 5'])}${w.has('logs') ? w.pick(['', at]) : at}`
    },
  },
  {
    name: 'stream_context',
    needs: 'logs',
    weight: 1.6,
    write: (w) =>
      `stream_context${w.pick([' before 1', ' after 2', ' before 1 after 1'])}${w.pick(['', ' time_window 1m'])}`,
  },
  {
    name: 'generate_sequence',
    needs: 'logs',
    weight: 0.4,
    write: (w) => {
      w.fields = ['content']
      return `generate_sequence ${w.pick([1, 5])}`
    },
  },
]
