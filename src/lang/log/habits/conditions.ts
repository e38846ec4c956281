import { quoteText } from '../print/quote.ts'
import { durationText, fieldName, fieldOf, patternText, valueText } from './names.ts'
import { isWord, type HabitToken } from './tokens.ts'

/** A condition of another query language, translated to the log language. */
export interface Condition {
  readonly text: string
  /** Name of the foreign syntax that was found; `undefined` if the condition is in the syntax of the log language. */
  readonly habit: string | undefined
}

/** A syntax for conditions in another query language, with its translation. */
export interface ConditionHabit {
  readonly name: string
  /**
   * True if the syntax is also looked for in texts that parse, because the log language would read it with another
   * meaning.
   */
  readonly isSilent?: boolean
  /**
   * Translates the condition at the beginning of `tokens`; `undefined` if it has another syntax. `length` is its number
   * of tokens. An empty `text` drops the condition.
   */
  readonly meant: (tokens: readonly HabitToken[]) => { readonly text: string; readonly length: number } | undefined
}

function found(text: string | undefined, length: number): { text: string; length: number } | undefined {
  return text === undefined ? undefined : { text, length }
}

/** Parses a list `(a, b)` that begins at an index; returns the values and the number of tokens. */
function listAt(
  tokens: readonly HabitToken[],
  at: number,
): { readonly values: readonly HabitToken[]; readonly length: number } {
  const values: HabitToken[] = []
  if (tokens[at]?.text !== '(') return { values, length: 0 }
  for (let i = at + 1; i < tokens.length; i += 2) {
    const value = tokens[i]
    if (value === undefined || value.kind === 'mark') break
    values.push(value)
    if (tokens[i + 1]?.text === ')') return { values, length: i + 2 - at }
    if (tokens[i + 1]?.text !== ',') break
  }
  return { values: [], length: 0 }
}

/** Translates a pattern of SQL's LIKE, such as `%a_b%`. */
function likePattern(text: string): string {
  return patternText(text.replaceAll('%', '*').replaceAll(/\*+/g, '*'))
}

const isNegation = (token: HabitToken | undefined): boolean => isWord(token, 'not')
const number = (token: HabitToken | undefined): string | undefined =>
  token !== undefined && /^-?\d+(\.\d+)?$/.test(token.value) ? token.value : undefined

/** Returns a translator for conditions `field [not] word "value"`, with an operator word of another language. */
function wordOperator(name: string, words: readonly string[], meant: (value: string) => string): ConditionHabit {
  return {
    name,
    isSilent: true,
    meant: (tokens) => {
      const field = fieldOf(tokens[0])
      const skipped = isNegation(tokens[1]) ? 1 : 0
      const operator = tokens[1 + skipped]
      const value = tokens[2 + skipped]
      // A quoted value is required, because with an unquoted value the tokens could be three search words.
      if (field === undefined || !isWord(operator, ...words) || value?.kind !== 'text') return undefined
      return found(`${skipped === 1 ? '!' : ''}${field}:${meant(value.value)}`, 3 + skipped)
    },
  }
}

/** Returns a translator for conditions `word(field, "value")`. */
function call(name: string, words: readonly string[], meant: (field: string, value: string) => string): ConditionHabit {
  return {
    name,
    meant: (tokens) => {
      if (!isWord(tokens[0], ...words) || tokens[1]?.touches !== true) return undefined
      const { values, length } = listAt(tokens, 1)
      const field = fieldOf(values[0])
      const [, value] = values
      if (field === undefined || (value === undefined) !== meant.length < 2) return undefined
      return found(meant(field, value?.value ?? ''), 1 + length)
    },
  }
}

const range = (min: string, max: string, open = '[', close = ']'): string => {
  if (min === '*' && max === '*') return '*'
  if (max === '*') return `>${open === '[' ? '=' : ''}${min}`
  if (min === '*') return `<${close === ']' ? '=' : ''}${max}`
  return `range${open === '[' ? '[' : '('}${min}, ${max}${close === ']' ? ']' : ')'}`
}

/** Returns the duration in a text such as `now-15m`; `undefined` for other texts. */
const beforeNow = (text: string): string | undefined =>
  /^now-/i.test(text) ? durationText(text.replace(/^now/i, '').replace(/\/[a-z]$/, '')) : undefined

/** Condition syntaxes of other query languages, the most certain first. */
export const conditionHabits: readonly ConditionHabit[] = [
  wordOperator('like', ['like', 'ilike', 'rlike'], likePattern),
  wordOperator('contains', ['contains', 'contains_cs', 'has', 'has_cs', 'hasprefix'], (text) =>
    patternText(`*${text}*`),
  ),
  wordOperator('startswith', ['startswith', 'starts_with', 'startswith_cs'], (text) => patternText(`${text}*`)),
  wordOperator('endswith', ['endswith', 'ends_with', 'endswith_cs'], (text) => patternText(`*${text}`)),
  wordOperator('matches', ['matches', 'regexp'], (text) => `~${quoteText(text)}`),
  {
    name: 'matches regex',
    isSilent: true,
    meant: (tokens) => {
      const field = fieldOf(tokens[0])
      const pattern = tokens[3]
      return field !== undefined &&
        isWord(tokens[1], 'matches') &&
        isWord(tokens[2], 'regex') &&
        pattern?.kind === 'text'
        ? found(`${field}:~${quoteText(pattern.value)}`, 4)
        : undefined
    },
  },
  {
    name: 'in',
    meant: (tokens) => {
      const skipped = isNegation(tokens[1]) ? 1 : 0
      const field = fieldOf(tokens[0])
      if (field === undefined || field.endsWith(':') || !isWord(tokens[1 + skipped], 'in')) return undefined
      const { values, length } = listAt(tokens, 2 + skipped)
      if (length === 0) return undefined
      const list = values.map(({ value }) => valueText(value)).join(', ')
      return found(`${skipped === 1 ? '!' : ''}${field}:in(${list})`, 2 + skipped + length)
    },
  },
  {
    name: 'between',
    isSilent: true,
    meant: (tokens) => {
      const field = fieldOf(tokens[0])
      const [min, max] = [number(tokens[2]), number(tokens[4])]
      const isBetween = isWord(tokens[1], 'between') && isWord(tokens[3], 'and')
      return field === undefined || min === undefined || max === undefined || !isBetween
        ? undefined
        : found(`${field}:${range(min, max)}`, 5)
    },
  },
  {
    name: 'is null',
    meant: (tokens) => {
      const skipped = isNegation(tokens[2]) ? 1 : 0
      const field = fieldOf(tokens[0])
      if (field === undefined || !isWord(tokens[1], 'is') || !isWord(tokens[2 + skipped], 'null')) return undefined
      return found(`${field}:${skipped === 1 ? '*' : '""'}`, 3 + skipped)
    },
  },
  call('contains()', ['contains', 'has'], (field, value) => `${field}:${patternText(`*${value}*`)}`),
  call('startswith()', ['startswith', 'starts_with'], (field, value) => `${field}:${patternText(`${value}*`)}`),
  call('like()', ['like'], (field, value) => `${field}:${likePattern(value)}`),
  call('match()', ['match', 'matches', 'regexp_like'], (field, value) => `${field}:~${quoteText(value)}`),
  call('isnotnull()', ['isnotnull', 'isnotempty', 'exists'], (field) => `${field}:*`),
  call('isnull()', ['isnull', 'isempty', 'missing'], (field) => `${field}:""`),
  {
    name: '_exists_',
    isSilent: true,
    meant: ([first]) => {
      const field = /^_exists_:(.+)$/.exec(first?.text ?? '')?.[1]
      return field === undefined ? undefined : found(`${fieldName(field) ?? field}:*`, 1)
    },
  },
  {
    name: 'time of the request',
    isSilent: true,
    meant: ([first, equals, value]) => {
      if (!isWord(first, 'earliest', 'latest') || equals?.text !== '=') return undefined
      if (isWord(first, 'latest')) return isWord(value, 'now', 'now()') ? found('', 3) : undefined
      const time = durationText(value?.value ?? '')
      return found(time && `_time:${time}`, 3)
    },
  },
  {
    name: 'index',
    isSilent: true,
    meant: ([first, equals, value]) =>
      isWord(first, 'index', 'sourcetype') && equals?.text === '=' && value !== undefined && value.kind !== 'mark'
        ? found('', 3)
        : undefined,
  },
  {
    name: 'time in words',
    isSilent: true,
    meant: (tokens) => {
      let at = 0
      const isAsked =
        isWord(tokens[0], 'last', 'past', 'since') || (isWord(tokens[0], 'in') && isWord(tokens[1], 'last', 'past'))
      if (!isAsked) return undefined
      while (isWord(tokens[at], 'in', 'last', 'past', 'since', 'the')) at++
      const whole = durationText(tokens[at]?.value ?? '')
      const both = durationText(`${tokens[at]?.value ?? ''} ${tokens[at + 1]?.value ?? ''}`)
      const length = at + (whole === undefined ? 2 : 1)
      const time = whole ?? both
      return found(time && `_time:${time}`, isWord(tokens[length], 'ago') ? length + 1 : length)
    },
  },
  {
    name: 'time range',
    meant: ([first, second]) => {
      if (first?.text.startsWith('_time:') !== true) return undefined
      const isQuoted = first.text === '_time:' && second?.kind === 'text' && second.touches
      const written = isQuoted ? second.value : first.text.slice('_time:'.length)
      const time = durationText(written.replace(/^\s*(the\s+)?(last|past|since|in the last)\s+/i, ''))
      return time === written ? undefined : found(time && `_time:${time}`, isQuoted ? 2 : 1)
    },
  },
  {
    name: 'ago()',
    meant: ([field, mark, ago, open, value, close]) => {
      if (!isWord(ago, 'ago') || open?.text !== '(' || close?.text !== ')' || !['>', '>='].includes(mark?.text ?? ''))
        return undefined
      const time = durationText(value?.text ?? '')
      const name = fieldOf(field)
      return name === '_time' || /^(TimeGenerated|Timestamp)$/i.test(name ?? '')
        ? found(time && `_time:${time}`, 6)
        : undefined
    },
  },
  {
    name: 'range',
    meant: (tokens) => {
      const [first, open, min, to, max, close] = tokens
      if (first?.text.endsWith(':') !== true || !isWord(to, 'to')) return undefined
      const isRange = ['[', '{'].includes(open?.text ?? '') && [']', '}'].includes(close?.text ?? '')
      const field = fieldName(first.text)
      if (!isRange || field === undefined || min === undefined || max === undefined) return undefined
      if (field === '_time') {
        const time = beforeNow(min.value)
        return found(time !== undefined && /^(now|\*)$/i.test(max.value) ? `_time:${time}` : undefined, 6)
      }
      return found(`${field}:${range(min.value, max.value, open?.text, close?.text)}`, 6)
    },
  },
  {
    name: 'regular expression between slashes',
    isSilent: true,
    meant: (tokens) => {
      const [first] = tokens
      const match = /^([^:/]+):\/(.*)$/.exec(first?.text ?? '')
      if (match?.[1] === undefined || match[2] === undefined) return undefined
      let pattern = match[2]
      let length = 1
      while (!pattern.endsWith('/') && tokens[length]?.touches === true) pattern += tokens[length++]?.text ?? ''
      const field = fieldName(match[1])
      return pattern.length > 1 && pattern.endsWith('/')
        ? found(`${field ?? ''}:~${quoteText(pattern.slice(0, -1))}`, length)
        : undefined
    },
  },
  {
    name: 'slop',
    isSilent: true,
    meant: ([first, second]) =>
      first?.kind === 'text' && second?.touches === true && /^~\d+$/.test(second.text)
        ? found(first.text, 2)
        : undefined,
  },
  {
    name: '+ in front',
    isSilent: true,
    meant: ([first]) => (/^\+[\p{L}_"]/u.test(first?.text ?? '') ? found(first?.text.slice(1), 1) : undefined),
  },
  {
    name: '@ in front',
    meant: ([first]) => {
      const match = /^@(?!timestamp)([^:]+):(.+)$/.exec(first?.text ?? '')
      return match?.[1] === undefined || match[2] === undefined ? undefined : found(`${match[1]}:${match[2]}`, 1)
    },
  },
]

/** Names of the condition syntaxes for which diagnostics of the log parser already offer a fix. */
export const mendedHabits: ReadonlySet<string> = new Set(['in', 'is null', 'range', 'time range', '@ in front'])

const COMPARISONS = new Set(['=', '==', '!=', '<>', '<', '<=', '>', '>=', '=~', '!~'])

function compared(field: string, operator: string, value: HabitToken): string {
  const text = value.value
  const isPattern = value.kind === 'word' && text.includes('*')
  switch (operator) {
    case '=':
    case '==':
      return `${field}:${isPattern ? patternText(text) : valueText(text)}`
    case '!=':
    case '<>':
      return `!${field}:${isPattern ? patternText(text) : valueText(text)}`
    case '=~':
      return `${field}:~${quoteText(text)}`
    case '!~':
      return `!${field}:~${quoteText(text)}`
    default:
      return `${field}:${operator}${valueText(text)}`
  }
}

/**
 * Operators that the log language has too, or that a fix corrects. A text whose operators are all in this set is not
 * foreign.
 */
const OWN = new Set(['=', '!=', '<', '<=', '>', '>=', '==', '=~', '!~'])

const MAX_DEPTH = 64
/** Maximum number of tokens that one condition may have. */
const MAX_PIECES = 64

class ConditionReader {
  readonly #source: string
  readonly #tokens: readonly HabitToken[]
  readonly #habits: readonly ConditionHabit[]
  #at = 0
  #depth = 0
  habit: string | undefined
  hasFailed = false

  constructor(source: string, tokens: readonly HabitToken[], habits: readonly ConditionHabit[]) {
    this.#source = source
    this.#tokens = tokens
    this.#habits = habits
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#tokens.length
  }

  #next(): HabitToken | undefined {
    return this.#tokens[this.#at]
  }

  #note(habit: string): void {
    this.habit ??= habit
  }

  #join(operators: readonly string[], marks: readonly string[], read: () => string): string {
    const conditions = [read()]
    for (;;) {
      const next = this.#next()
      const isOperator = isWord(next, ...operators) || (next?.kind === 'mark' && marks.includes(next.text))
      if (!isOperator || next === undefined) break
      this.#at++
      conditions.push(read())
    }
    return conditions.filter((part) => part !== '').join(` ${operators[0] ?? ''} `)
  }

  readOr(): string {
    return this.#join(['or'], ['||'], () => this.#join(['and'], ['&&'], () => this.#readRow()))
  }

  /** Translates a sequence of adjacent conditions. */
  #readRow(): string {
    const conditions: string[] = []
    for (;;) {
      const next = this.#next()
      if (next === undefined || this.hasFailed) break
      if (isWord(next, 'and', 'or') || (next.kind === 'mark' && ['&&', '||', ')'].includes(next.text))) break
      conditions.push(this.#readOne())
    }
    return conditions.filter((part) => part !== '').join(' ')
  }

  #readOne(): string {
    const next = this.#next()
    if (next === undefined || this.hasFailed) return ''
    const isNegated = isWord(next, 'not') || next.text === '!'
    if (isNegated || next.text === '(') return this.#readInside(isNegated)
    const rest = this.#tokens.slice(this.#at, this.#at + MAX_PIECES)
    for (const { name, meant } of this.#habits) {
      const match = meant(rest)
      if (match === undefined) continue
      this.#at += match.length
      this.#note(name)
      return match.text
    }
    return this.#comparison() ?? this.#own()
  }

  #readInside(isNegated: boolean): string {
    this.#at++
    if (++this.#depth > MAX_DEPTH) this.hasFailed = true
    const inside = isNegated ? this.#readOne() : this.readOr()
    this.#depth--
    if (isNegated) return `!${inside}`
    if (this.#next()?.text === ')') this.#at++
    else this.hasFailed = true
    return `(${inside})`
  }

  #comparison(): string | undefined {
    const [first, operator, value] = this.#tokens.slice(this.#at, this.#at + 3)
    if (first === undefined || operator === undefined || value === undefined) return undefined
    if (operator.kind !== 'mark' || !COMPARISONS.has(operator.text) || value.kind === 'mark') return undefined
    // `field:>5` is syntax of the log language.
    if (first.kind === 'word' && first.text.endsWith(':') && operator.touches) return undefined
    const field = fieldOf(first)
    if (field === undefined || (first.kind === 'text' && first.text.startsWith("'"))) return undefined
    this.#at += 3
    if (!OWN.has(operator.text)) this.#note(operator.text)
    else if (/^[@.]/.test(first.text)) this.#note(first.text)
    return compared(field, operator.text, value)
  }

  /** Copies a term that needs no translation, with all tokens that touch it. */
  #own(): string {
    const start = this.#next()?.start ?? 0
    let depth = 0
    let end = start
    do {
      const token = this.#next()
      if (token === undefined) break
      if (token.kind === 'mark') {
        if ('([{'.includes(token.text)) depth++
        else if (')]}'.includes(token.text)) depth--
        if (depth < 0) break
      }
      end = token.end
      this.#at++
    } while (!this.isAtEnd && (depth > 0 || this.#next()?.touches === true))
    if (depth < 0 || end === start) this.hasFailed = true
    return this.#source.slice(start, end)
  }
}

/** Translates conditions joined by `and`, `or` and blanks; `undefined` if a part cannot be translated. */
export function readCondition(
  source: string,
  tokens: readonly HabitToken[],
  habits: readonly ConditionHabit[] = conditionHabits,
): Condition | undefined {
  const reader = new ConditionReader(source, tokens, habits)
  const text = reader.readOr()
  return reader.hasFailed || !reader.isAtEnd ? undefined : { text, habit: reader.habit }
}
