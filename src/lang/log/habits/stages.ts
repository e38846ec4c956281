import { quoteText } from '../print/quote.ts'
import { callText, callsText, keysText, statsText } from './calls.ts'
import { readCondition } from './conditions.ts'
import { durationText, fieldName, fieldOf } from './names.ts'
import { isWord, segmentsOf, type HabitToken } from './tokens.ts'

/** The text of a stage after its name. */
export interface StageRest {
  readonly source: string
  readonly tokens: readonly HabitToken[]
}

/** A stage of another query language, with its translation. */
export interface StageHabit {
  /** Names of the stage; two words of a name are separated by a blank. */
  readonly names: readonly string[]
  readonly language: string
  /** How the log language reads the stage, in prose. Set if the stage is also looked for in texts that parse. */
  readonly readAs?: string
  /** Translates the stage, without its leading `|`; `undefined` if impossible. */
  readonly meant: (rest: StageRest, name: string) => string | undefined
  /** Example of the stage, with its translation; a test checks both. */
  readonly example: readonly [written: string, meant: string]
}

const textOf = ({ source, tokens }: StageRest): string => {
  const [first] = tokens
  const last = tokens.at(-1)
  return first === undefined || last === undefined ? '' : source.slice(first.start, last.end)
}

/** Parses fields separated by commas or blanks, and returns them separated by commas. */
function fieldList(rest: StageRest): string | undefined {
  const words = rest.tokens.filter(({ text }) => text !== ',')
  const fields = words.map(fieldOf)
  return fields.length === 0 || fields.includes(undefined) ? undefined : fields.join(', ')
}

/** Translates a list of fields to drop, with or without a leading `-`. */
function fieldsWithout(tokens: readonly HabitToken[]): string | undefined {
  const names = tokens.filter(({ text }) => text !== ',')
  const fields = names.map(({ value }) => fieldName(value.replace(/^-/, '')))
  return fields.length === 0 || fields.includes(undefined) ? undefined : `delete ${fields.join(', ')}`
}

const numberOf = ({ tokens }: StageRest, otherwise: string): string | undefined => {
  const [first, second, third] = tokens
  if (first === undefined) return otherwise
  const value = ['=', '=='].includes(first.text) ? second : second?.text === '=' ? third : first
  return value !== undefined && /^-?\d+$/.test(value.text) ? value.text.replace('-', '') : undefined
}

/** Translates sort keys such as `a desc, -b, +c`. */
export function sortKeys(rest: StageRest): string | undefined {
  const keys = segmentsOf(rest.source, rest.tokens, [','])
    .filter(({ tokens }) => tokens.length > 0)
    .flatMap(({ tokens }) => {
      const isSigned = tokens.some(({ text }) => /^[-+]/.test(text))
      return isSigned ? tokens.map((token) => [token]) : [tokens]
    })
    .map(([first, second, third]) => {
      if (first === undefined || first.kind === 'mark') return undefined
      const field = fieldName(first.value.replace(/^[-+]/, ''))
      const isDescending = first.text.startsWith('-') || isWord(second, 'desc', 'descending')
      const isKnown = second === undefined || isWord(second, 'asc', 'desc', 'ascending', 'descending', 'nulls')
      return field === undefined ||
        !isKnown ||
        (third !== undefined && !isWord(second, 'nulls') && !isWord(third, 'nulls'))
        ? undefined
        : `${field}${isDescending ? ' desc' : ''}`
    })
  return keys.length === 0 || keys.includes(undefined) ? undefined : keys.join(', ')
}

const sortText = (rest: StageRest): string | undefined => {
  const keys = sortKeys(rest)
  return keys && `sort by (${keys})`
}

/** Returns the index of `by` outside parentheses; -1 if there is none. */
function byAt(tokens: readonly HabitToken[]): number {
  let depth = 0
  return tokens.findIndex((token) => {
    if (token.kind === 'mark' && '([{'.includes(token.text)) depth++
    if (token.kind === 'mark' && ')]}'.includes(token.text)) depth--
    return depth === 0 && isWord(token, 'by', 'by:')
  })
}

/** Translates `calls by keys` to a `stats` pipe; `span=5m` gives time buckets of that width. */
function grouped({ source, tokens }: StageRest, width?: string): string | undefined {
  const at = byAt(tokens)
  const before = at === -1 ? tokens : tokens.slice(0, at)
  const calls = callsText(source, before.at(-1)?.text === ',' ? before.slice(0, -1) : before)
  const behind = at === -1 ? [] : tokens.slice(at + 1).filter(({ text }) => text !== ':')
  const keys = behind.length === 0 ? [] : keysText(source, behind)
  if (keys === undefined || (calls === undefined && before.length > 0)) return undefined
  return statsText(calls ?? [], width === undefined ? keys : [`_time:${width}`, ...keys])
}

const statsOf = (rest: StageRest): string | undefined => (rest.tokens.length === 0 ? undefined : grouped(rest))

/** Translates assignments `name = expression, …` to the pipe `math`. */
function computed({ source, tokens }: StageRest): string | undefined {
  const made = segmentsOf(source, tokens, [',']).map(({ tokens: [name, equals, ...value] }) => {
    const field = fieldOf(name)
    const [first] = value
    const last = value.at(-1)
    if (field === undefined || equals?.text !== '=' || first === undefined || last === undefined) return undefined
    return `${source.slice(first.start, last.end)} as ${field}`
  })
  return made.length === 0 || made.includes(undefined) ? undefined : `math ${made.join(', ')}`
}

const conditionText = ({ source, tokens }: StageRest): string | undefined => {
  const text = readCondition(source, tokens)?.text
  return text === undefined || text === '' ? undefined : `filter ${text}`
}

/**
 * Translates a template with fields such as `{{.a}}` to the template of the pipe `format`, where fields are written
 * `<a>`.
 */
function templateText({ tokens: [template, ...more] }: StageRest): string | undefined {
  if (template?.kind !== 'text' || more.length > 0) return undefined
  const escaped = template.value.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  const meant = escaped.replaceAll(/\{\{\s*\.([A-Za-z_]\w*)\s*\}\}/g, '<$1>')
  return meant.includes('{{') ? undefined : `format ${quoteText(meant)}`
}

/** Removes `span=5m` from a stage; returns the width and the remaining text. */
function withoutSpan({ source, tokens }: StageRest): { readonly width: string | undefined; readonly rest: StageRest } {
  const at = tokens.findIndex((token, i) => isWord(token, 'span', 'bins') && tokens[i + 1]?.text === '=')
  if (at === -1) return { width: undefined, rest: { source, tokens } }
  return {
    width: durationText(tokens[at + 2]?.text ?? ''),
    rest: { source, tokens: [...tokens.slice(0, at), ...tokens.slice(at + 3)] },
  }
}

/** Translates named groups `(?<name>…)` of other regular expression engines to `(?P<name>…)`. */
const patternOf = (text: string): string => text.replaceAll(/\(\?<(?=[A-Za-z_])/g, '(?P<')

export const stageHabits: readonly StageHabit[] = [
  {
    names: ['table', 'project', 'select', 'columns', 'display', 'cut', 'project-reorder'],
    language: 'SPL or KQL',
    meant: (rest) => {
      const fields = fieldList(rest)
      return fields && `fields ${fields}`
    },
    example: ['table a b', 'fields a, b'],
  },
  {
    names: ['project-away', 'discard'],
    language: 'KQL',
    meant: (rest) => {
      const fields = fieldList(rest)
      return fields && `delete ${fields}`
    },
    example: ['project-away a, b', 'delete a, b'],
  },
  {
    names: ['fields'],
    language: 'SPL',
    readAs: 'a name of a field here',
    meant: ({ tokens }) => {
      if (tokens[0]?.text === '-') return fieldsWithout(tokens.slice(1))
      const isLeftOut = tokens.every(({ kind, text }) => text === ',' || (kind === 'word' && /^-./.test(text)))
      return isLeftOut ? fieldsWithout(tokens) : undefined
    },
    example: ['fields -a, -b', 'delete a, b'],
  },
  {
    names: ['project-rename'],
    language: 'KQL',
    meant: ({ tokens: [to, equals, from, ...more] }) =>
      equals?.text === '=' && more.length === 0 ? `rename ${fieldOf(from) ?? ''} as ${fieldOf(to) ?? ''}` : undefined,
    example: ['project-rename a = b', 'rename b as a'],
  },
  {
    names: ['dedup'],
    language: 'SPL',
    meant: (rest) => {
      const count = /^\d+$/.test(rest.tokens[0]?.text ?? '') ? rest.tokens[0]?.text : undefined
      const fields = fieldList(count === undefined ? rest : { ...rest, tokens: rest.tokens.slice(1) })
      return fields && `first ${count ?? '1'} by (_time desc) partition by (${fields})`
    },
    example: ['dedup a', 'first 1 by (_time desc) partition by (a)'],
  },
  {
    names: ['distinct', 'uniq by', 'unique'],
    language: 'KQL',
    meant: (rest) => {
      const fields = fieldList(rest)
      return fields && `uniq by (${fields})`
    },
    example: ['distinct a, b', 'uniq by (a, b)'],
  },
  {
    names: ['timechart'],
    language: 'SPL',
    meant: (rest) => {
      const { width, rest: others } = withoutSpan(rest)
      return grouped(others, width ?? '5m')
    },
    example: ['timechart span=1m count by a', 'stats by (_time:1m, a) count()'],
  },
  {
    names: ['chart', 'eventstats', 'stats', 'summarize', 'aggregate', 'aggr', 'agg'],
    language: 'SPL or KQL',
    meant: statsOf,
    example: ['summarize n = count() by a', 'stats by (a) count() as n'],
  },
  {
    names: ['count'],
    language: 'KQL',
    meant: (rest) => (rest.tokens.length === 0 ? 'stats count()' : counted(rest)),
    example: ['count', 'stats count()'],
  },
  {
    names: ['group by', 'by', 'count by', 'groupby'],
    language: 'SQL',
    meant: (rest) => {
      const keys = keysText(rest.source, rest.tokens)
      return keys && statsText([], keys)
    },
    example: ['group by a', 'stats by (a) count()'],
  },
  {
    names: ['order by', 'sort by', 'sort'],
    language: 'SQL',
    meant: sortText,
    example: ['sort -a', 'sort by (a desc)'],
  },
  {
    names: ['head', 'take', 'limit', 'first'],
    language: 'KQL',
    meant: (rest) => {
      const count = rest.tokens.length > 3 ? undefined : numberOf(rest, '10')
      return count && `limit ${count}`
    },
    example: ['take 5', 'limit 5'],
  },
  {
    names: ['tail'],
    language: 'SPL',
    meant: (rest) => {
      const count =
        rest.tokens.length > 2
          ? undefined
          : numberOf({ ...rest, tokens: rest.tokens.filter(({ text }) => text !== '-n') }, '10')
      return count && `last ${count} by (_time)`
    },
    example: ['tail 5', 'last 5 by (_time)'],
  },
  {
    names: ['top'],
    language: 'SPL or KQL',
    meant: (rest) => {
      const { tokens } = rest
      const hasLimit = isWord(tokens[0], 'limit') && tokens[1]?.text === '='
      const count = hasLimit ? tokens[2]?.text : /^\d+$/.test(tokens[0]?.text ?? '') ? tokens[0]?.text : undefined
      const behind = { ...rest, tokens: tokens.slice(hasLimit ? 3 : count === undefined ? 0 : 1) }
      // `top 5 by a desc` is KQL and sorts by `a`; `top 5 a` is SPL and counts values of `a`.
      if (isWord(behind.tokens[0], 'by')) {
        const keys = sortKeys({ ...rest, tokens: behind.tokens.slice(1) })
        const isSort = behind.tokens.some((token) => isWord(token, 'asc', 'desc'))
        return keys && isSort ? `sort by (${keys}) | limit ${count ?? '10'}` : undefined
      }
      const fields = fieldList(behind)
      return fields && `top ${count ?? '10'} by (${fields})`
    },
    example: ['top limit=5 a', 'top 5 by (a)'],
  },
  {
    names: ['rare'],
    language: 'SPL',
    meant: (rest) => {
      const fields = fieldList(rest)
      return fields && `stats by (${fields}) count() as hits | sort by (hits) | limit 10`
    },
    example: ['rare a', 'stats by (a) count() as hits | sort by (hits) | limit 10'],
  },
  {
    names: ['eval', 'extend', 'let', 'fieldsadd'],
    language: 'SPL or KQL',
    meant: computed,
    example: ['eval a=b/2', 'math b/2 as a'],
  },
  {
    names: ['rex', 'regex', 'regexp'],
    language: 'SPL or LogQL',
    meant: ({ tokens }) => {
      const isOf = isWord(tokens[0], 'field') && tokens[1]?.text === '='
      const from = isOf ? fieldOf(tokens[2]) : undefined
      const [pattern, ...more] = tokens.slice(isOf ? 3 : 0)
      if (pattern?.kind !== 'text' || more.length > 0) return undefined
      return `extract_regexp ${quoteText(patternOf(pattern.value))}${from === undefined ? '' : ` from ${from}`}`
    },
    example: ['rex field=a "(?<n>\\d+)"', 'extract_regexp "(?P<n>\\\\d+)" from a'],
  },
  {
    names: ['parse', 'pattern'],
    language: 'LogQL',
    meant: ({ tokens: [pattern, ...more] }) =>
      pattern?.kind === 'text' && more.length === 0 ? `extract ${quoteText(pattern.value)}` : undefined,
    example: ['pattern "id=<id> "', 'extract "id=<id> "'],
  },
  {
    names: ['json', 'parse_json', 'spath', 'from_json'],
    language: 'LogQL',
    meant: ({ tokens }) => (tokens.length === 0 ? 'unpack_json' : undefined),
    example: ['json', 'unpack_json'],
  },
  {
    names: ['logfmt', 'kv', 'extract_kv'],
    language: 'LogQL',
    meant: ({ tokens }) => (tokens.length === 0 ? 'unpack_logfmt' : undefined),
    example: ['logfmt', 'unpack_logfmt'],
  },
  {
    names: ['line_format'],
    language: 'LogQL',
    meant: templateText,
    example: ['line_format "{{.a}}!"', 'format "<a>!"'],
  },
  {
    names: ['label_format'],
    language: 'LogQL',
    meant: ({ tokens: [to, equals, from, ...more] }) =>
      equals?.text === '=' && from?.kind === 'word' && more.length === 0
        ? `rename ${fieldOf(from) ?? ''} as ${fieldOf(to) ?? ''}`
        : undefined,
    example: ['label_format a=b', 'rename b as a'],
  },
  {
    names: ['search', 'grep', 'where', 'filter', 'having'],
    language: 'SPL or a shell',
    meant: (rest) => conditionText({ ...rest, tokens: rest.tokens.filter(({ text }) => !/^-[ivE]+$/.test(text)) }),
    example: ['search a b=1', 'filter a b:1'],
  },
  {
    names: ['wc'],
    language: 'a shell',
    meant: ({ tokens }) => (tokens.every(({ text }) => text === '-l') ? 'stats count()' : undefined),
    example: ['wc -l', 'stats count()'],
  },
  {
    names: ['rename'],
    language: 'SQL',
    meant: (rest) => {
      const text = textOf(rest)
      return /["']/.test(text) ? `rename ${text.replaceAll("'", '"')}` : undefined
    },
    example: ["rename a as 'b c'", 'rename a as "b c"'],
  },
  {
    names: ['mvexpand', 'mv-expand', 'unnest'],
    language: 'SPL or KQL',
    meant: (rest) => {
      const fields = fieldList(rest)
      return fields && `unroll by (${fields})`
    },
    example: ['mvexpand a', 'unroll by (a)'],
  },
  {
    names: ['fillnull'],
    language: 'SPL',
    meant: (rest) => {
      const isOf = isWord(rest.tokens[0], 'value') && rest.tokens[1]?.text === '='
      const field = fieldOf(rest.tokens[isOf ? 3 : 0])
      const value = isOf ? (rest.tokens[2]?.value ?? '0') : '0'
      return field === undefined || rest.tokens.length !== (isOf ? 4 : 1)
        ? undefined
        : `coalesce(${field}) default ${quoteText(value)} as ${field}`
    },
    example: ['fillnull value=0 a', 'coalesce(a) default "0" as a'],
  },
]

/** Translates a stats function that is written as a stage, such as `count() by a`. */
function counted(rest: StageRest): string | undefined {
  const at = byAt(rest.tokens)
  const isCall = rest.tokens[0]?.text === '('
  if (!isCall || at === -1) {
    const keys = isWord(rest.tokens[0], 'by') ? keysText(rest.source, rest.tokens.slice(1)) : undefined
    return keys && statsText([], keys)
  }
  const args = rest.source.slice(rest.tokens[0]?.end, rest.tokens[at - 1]?.start).trim()
  const keys = keysText(rest.source, rest.tokens.slice(at + 1))
  const call = callText('count', args === '' ? [] : [args])
  return keys === undefined || call === undefined ? undefined : statsText([call], keys)
}

const byName = new Map(stageHabits.flatMap((habit) => habit.names.map((name) => [name, habit] as const)))

export interface ForeignStage {
  readonly habit: StageHabit
  readonly name: string
  readonly text: string
}

/** Translates a stage of another query language; `undefined` if it is not known. */
export function foreignStage(source: string, tokens: readonly HabitToken[]): ForeignStage | undefined {
  const [first, second] = tokens
  if (first?.kind !== 'word') return undefined
  const one = first.text.toLowerCase()
  const two = `${one} ${second?.text.toLowerCase() ?? ''}`
  for (const [name, length] of [
    [two, 2],
    [one, 1],
  ] as const) {
    const habit = byName.get(name)
    const text = habit?.meant({ source, tokens: tokens.slice(length) }, name)
    if (habit !== undefined && text !== undefined) return { habit, name, text }
  }
  return undefined
}
