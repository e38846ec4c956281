import { durationText, fieldName } from './names.ts'
import { isWord, segmentsOf, habitTokens, type HabitToken } from './tokens.ts'

/** Maps function names of other query languages to functions of the log language. */
const FUNCTIONS: Readonly<Record<string, string>> = {
  dc: 'count_uniq',
  distinct_count: 'count_uniq',
  count_distinct: 'count_uniq',
  countdistinct: 'count_uniq',
  dcount: 'count_uniq',
  nunique: 'count_uniq',
  cardinality: 'count_uniq',
  uniq: 'count_uniq',
  average: 'avg',
  mean: 'avg',
  stdev: 'stddev',
  stddev_pop: 'stddev',
  make_set: 'uniq_values',
  make_list: 'values',
  list: 'values',
  len: 'sum_len',
  arg_max: 'field_max',
  arg_min: 'field_min',
  take_any: 'any',
  any_value: 'any',
}

/** Parses `p99`, `perc95` or `percentile50` to a fraction; `undefined` for other texts. */
function fractionOf(text: string): string | undefined {
  const match = /^(?:p|perc|percentile|pct)?(\d{1,2}(?:\.\d+)?)$/i.exec(text)
  return match?.[1] === undefined ? undefined : String(Number((Number(match[1]) / 100).toFixed(6)))
}

/** Parses a call `a(b, c)` at the beginning of the tokens. Returns the name, the arguments and the number of tokens. */
function callAt(tokens: readonly HabitToken[], source: string) {
  const [name, open] = tokens
  if (name?.kind !== 'word' || open?.text !== '(') return undefined
  let depth = 0
  for (let i = 1; i < tokens.length; i++) {
    const { text, kind } = tokens[i] ?? { text: '', kind: 'mark' }
    if (kind === 'mark' && text === '(') depth++
    if (kind === 'mark' && text === ')' && --depth === 0) {
      const inside = segmentsOf(source, tokens.slice(2, i), [','])
      return { name: name.text, args: inside.filter(({ text: arg }) => arg !== ''), length: i + 1 }
    }
  }
  return undefined
}

function fieldsOf(args: readonly string[]): string | undefined {
  const fields = args.map((arg) => fieldName(arg.replaceAll(/^["'`]|["'`]$/g, '')))
  return fields.includes(undefined) ? undefined : fields.join(', ')
}

/** Translates a call to a stats call of the log language; `undefined` if the log language has no such function. */
export function callText(name: string, args: readonly string[]): string | undefined {
  const fn = name.toLowerCase()
  if (fn === 'count' || fn === 'c') {
    const [arg] = args
    if (arg === undefined || arg === '*' || arg === '1' || arg === '') return 'count()'
    const distinct = /^distinct\s+(.+)$/i.exec(arg)?.[1]
    if (distinct !== undefined) return `count_uniq(${distinct})`
    const fields = fieldsOf(args)
    return fields && `count(${fields})`
  }
  const [first, second] = args
  if (
    ['percentile', 'percentile_cont', 'quantile', 'perc'].includes(fn) &&
    first !== undefined &&
    second !== undefined
  ) {
    const isFirst = /^[\d.]+$/.test(first)
    const at = isFirst ? first : second
    const fraction = Number(at) <= 1 ? at : fractionOf(at)
    const field = fieldsOf([isFirst ? second : first])
    return fraction === undefined || field === undefined ? undefined : `quantile(${fraction}, ${field})`
  }
  const fields = fieldsOf(args)
  if (fields === undefined) return undefined
  const fraction = fn.startsWith('p') ? fractionOf(fn) : undefined
  if (fraction !== undefined && args.length === 1) return `quantile(${fraction}, ${fields})`
  if ((fn === 'earliest' || fn === 'latest') && args.length === 1)
    return `field_${fn === 'earliest' ? 'min' : 'max'}(_time, ${fields})`
  if (!/^[a-z_]\w*$/.test(fn)) return undefined
  return `${FUNCTIONS[fn] ?? fn}(${fields})`
}

/** Functions of one field whose field other languages often write without parentheses. */
const BARE = ['avg', 'sum', 'min', 'max', 'median', 'count_uniq', 'dc']

/**
 * Translates calls `[name =] fn(args) [as name]` that are separated by commas or blanks; `undefined` if a call cannot
 * be translated.
 */
export function callsText(source: string, tokens: readonly HabitToken[]): readonly string[] | undefined {
  const calls: string[] = []
  for (let at = 0; at < tokens.length;) {
    const rest = tokens.slice(at)
    const [first] = rest
    if (first?.text === ',') {
      at++
      continue
    }
    const isNamed = rest[1]?.text === '=' && first?.kind !== 'mark'
    const from = isNamed ? rest.slice(2) : rest
    const [fn, field] = from
    const isBare = isWord(fn, ...BARE) && field?.kind === 'word' && !isWord(field, 'by', 'as')
    const call = isBare ? { name: fn?.text ?? '', args: [field], length: 2 } : callAt(from, source)
    const text =
      call === undefined
        ? isWord(from[0], 'count', 'c')
          ? 'count()'
          : undefined
        : callText(
            call.name,
            call.args.map(({ text: arg }) => arg),
          )
    if (text === undefined) return undefined
    at += (isNamed ? 2 : 0) + (call?.length ?? 1)
    const isAs = isWord(tokens[at], 'as')
    const written = isNamed ? first?.value : isAs ? tokens[at + 1]?.value : undefined
    if (isAs) at += 2
    const name = written === undefined ? undefined : fieldName(written)
    calls.push(name === undefined ? text : `${text} as ${name}`)
  }
  return calls.length === 0 ? undefined : calls
}

/** Translates a group key: a field, or a field with a bucket as other languages write it. */
function keyText({
  text,
  tokens,
}: {
  readonly text: string
  readonly tokens: readonly HabitToken[]
}): string | undefined {
  const call = callAt(tokens, text)
  if (call === undefined) return tokens.length === 1 ? fieldsOf([text]) : undefined
  const args =
    callAt(habitTokens(text) ?? [], text)?.args.map(({ text: arg }) => arg.replaceAll(/^["'`]|["'`]$/g, '')) ?? []
  if (!/^(bin|bucket|bin_auto|date_trunc|time_bucket|tumble|toStartOfInterval|histogram)$/i.test(call.name))
    return undefined
  const width = args.map((arg) => durationText(arg) ?? durationText(`1 ${arg}`)).find((each) => each !== undefined)
  const field = args.find((arg) => durationText(arg) === undefined && durationText(`1 ${arg}`) === undefined)
  const name = field === undefined ? '_time' : fieldName(field)
  return width === undefined || name === undefined ? undefined : `${name}:${width}`
}

/**
 * Translates group keys that are separated by commas or blanks, such as `a, bin(_time, 5m), {a}`; `undefined` if a key
 * cannot be translated.
 */
export function keysText(source: string, tokens: readonly HabitToken[]): readonly string[] | undefined {
  const isWrapped = ['(', '{'].includes(tokens[0]?.text ?? '') && [')', '}'].includes(tokens.at(-1)?.text ?? '')
  const inside = isWrapped ? tokens.slice(1, -1) : tokens
  const segments = segmentsOf(source, inside, [','])
  const isSpaced = segments.length === 1 && inside.length > 1 && inside.every(({ kind }) => kind !== 'mark')
  const single = inside.map((token) => ({ text: token.text, tokens: [token] }))
  const keys: string[] = []
  for (const segment of isSpaced ? single : segments) {
    const key = keyText({ text: segment.text, tokens: habitTokens(segment.text) ?? [] })
    if (key === undefined) return undefined
    keys.push(key)
  }
  return keys.length === 0 ? undefined : keys
}

/** Writes a `stats` pipe with these calls and keys; without calls it counts rows. */
export function statsText(calls: readonly string[], keys: readonly string[]): string {
  const by = keys.length === 0 ? '' : `by (${keys.join(', ')}) `
  return `stats ${by}${calls.length === 0 ? 'count()' : calls.join(', ')}`
}
