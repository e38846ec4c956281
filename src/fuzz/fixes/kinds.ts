import { present, type Random } from '../../base/index.ts'
import { mathFunctions, pipeDefinitions, printerOf, statsForms, type PlainToken } from '../../lang/log/index.ts'
import { atToken, misspell, splice, tokens, type MakeFault } from './fault.ts'

const pipeNames = new Set(pipeDefinitions.flatMap(({ names }) => names))
const functionNames = new Set([...statsForms.keys(), ...mathFunctions.keys()])
const counted = new Set(['limit', 'head', 'offset', 'skip', 'sample'])

const isPipe = (all: readonly PlainToken[], i: number): boolean =>
  all[i - 1]?.type === 'Bar' && pipeNames.has(present(all[i]).text.toLowerCase())

/** Misspells a name so that the result is not a known name. */
function misspeltName(word: string, known: ReadonlySet<string>, random: Random): string {
  for (let tries = 0; tries < 20; tries++) {
    const made = misspell(word, random)
    if (!known.has(made)) return made
  }
  return word
}

/** Removes a closing or opening bracket, or adds one. */
const parenthesis: MakeFault = (query, random) => {
  const all = tokens(query)
  const brackets = all.filter(({ text }) => text === '(' || text === ')')
  if (brackets.length === 0) return undefined
  const bracket = random.pick(brackets)
  if (random.below(4) === 0 && bracket.text === ')') {
    const text = splice(query, { start: bracket.span.end, end: bracket.span.end }, ')')
    return { original: query, text, offsets: [bracket.span.start, bracket.span.end] }
  }
  const text = splice(query, bracket.span, '')
  return { original: query, text, offsets: [bracket.span.start, partnerOf(all, bracket)] }
}

/** Returns the offset of the other bracket of the pair in the text from which `bracket` was removed. */
function partnerOf(all: readonly PlainToken[], bracket: PlainToken): number {
  const open: PlainToken[] = []
  for (const token of all) {
    if (token.text === '(') open.push(token)
    if (token.text !== ')') continue
    const partner = open.pop()
    if (token === bracket) return partner?.span.start ?? 0
    if (partner === bracket) return token.span.start - 1
  }
  return bracket.span.start
}

const quote: MakeFault = (query, random) => {
  const quoted = tokens(query).filter(({ type }) => type === 'Quoted')
  if (quoted.length === 0) return undefined
  const { span } = random.pick(quoted)
  const isEnd = random.below(3) > 0
  const text = isEnd
    ? splice(query, { start: span.end - 1, end: span.end }, '')
    : splice(query, { start: span.start, end: span.start + 1 }, '')
  return { original: query, text, offsets: [span.start, span.end - 2] }
}

const bar: MakeFault = (query, random) => {
  const bars = tokens(query).filter(({ type }) => type === 'Bar')
  switch (random.below(3)) {
    case 0:
      return { original: query, text: `${query} |`, offsets: [query.length + 1] }
    case 1:
      return query.startsWith('* |')
        ? { original: query, text: query.slice(2), offsets: [0] }
        : { original: query, text: `| ${query}`, offsets: [0] }
    default: {
      if (bars.length === 0) return undefined
      const { span } = random.pick(bars)
      return { original: query, text: splice(query, span, '| |'), offsets: [span.start, span.start + 2] }
    }
  }
}

/** Inserts `and` or `or` so that an operand is missing. */
const operator: MakeFault = (query, random) => {
  const word = random.pick(['and', 'or', 'AND', 'OR'])
  const all = tokens(query)
  const end = (all.find(({ type }) => type === 'Bar')?.span.start ?? query.length) - (query.includes('|') ? 1 : 0)
  const inner = all.filter(({ text, span }) => /^(and|or)$/i.test(text) && span.end < end)
  const choice = random.below(3)
  if (choice === 2 && inner.length > 0) {
    const { span } = random.pick(inner)
    return {
      original: query,
      text: splice(query, { start: span.end, end: span.end }, ` ${word}`),
      offsets: [span.start, span.end + 1],
    }
  }
  if (choice === 1) return { original: query, text: `${word} ${query}`, offsets: [0] }
  return { original: query, text: splice(query, { start: end, end }, ` ${word}`), offsets: [end + 1] }
}

const byParentheses: MakeFault = (query, random) => {
  const all = tokens(query)
  const lists = all.flatMap((token, i) => {
    if (!/^(by|on)$/i.test(token.text) || all[i + 1]?.text !== '(') return []
    const close = all.findIndex(({ text }, at) => at > i && text === ')')
    return close > i + 2 ? [{ open: all[i + 1], close: all[close] }] : []
  })
  if (lists.length === 0) return undefined
  const { open, close } = random.pick(lists)
  const without = splice(splice(query, present(close).span, ''), present(open).span, '')
  return { original: query, text: without, offsets: [present(open).span.start, present(close).span.start - 2] }
}

/** Writes an operator as other languages do: `==`, `!==`, `:==`, `: =`, `&&`, `||`. */
const equals: MakeFault = (query, random) => {
  const word = (all: readonly PlainToken[], i: number): boolean =>
    present(all[i]).text === ':' &&
    all[i - 1]?.isWord === true &&
    (all[i + 1]?.isWord === true || all[i + 1]?.text === '=')
  const joins = tokens(query).filter(({ text, touches }) => /^(and|or)$/i.test(text) && !touches)
  if (joins.length > 0 && random.below(2) === 0) {
    const { text, span } = random.pick(joins)
    const by = text.toLowerCase() === 'and' ? '&&' : '||'
    return { original: query, text: splice(query, span, by), offsets: [span.start] }
  }
  const all = tokens(query)
  const candidates = all.filter((_, i) => word(all, i))
  if (candidates.length === 0) return undefined
  const colon = random.pick(candidates)
  const hasEquals = present(all[all.indexOf(colon) + 1]).text === '='
  const end = colon.span.end + (hasEquals ? 1 : 0)
  const original = splice(query, { start: colon.span.start, end }, ':=')
  const by = random.pick(['==', ':==', '==='])
  return {
    original,
    text: splice(query, { start: colon.span.start, end }, by),
    offsets: [colon.span.start, colon.span.start + 1],
  }
}

const missingNumber: MakeFault = (query, random) => {
  const all = tokens(query)
  const candidates = all.filter(
    (token, i) => counted.has(token.text.toLowerCase()) && i > 0 && /^[0-9]/.test(all[i + 1]?.text ?? ''),
  )
  if (candidates.length === 0) return undefined
  const token = random.pick(candidates)
  const number = all[all.indexOf(token) + 1]
  const text = splice(query, { start: token.span.end, end: present(number).span.end }, '')
  return { original: query, text, offsets: [token.span.start] }
}

/** Writes `\d` of a regular expression in double quotes, where the backslash must be doubled. */
const escape: MakeFault = (query, random) => {
  const quoted = tokens(query).filter(({ type, text }) => type === 'Quoted' && text.startsWith('"'))
  if (quoted.length === 0) return undefined
  const { span } = random.pick(quoted)
  const mark = random.pick(['d', 's', 'w', '.', '-', '/', '['])
  const at = span.start + 1 + (random.below(2) === 0 ? 0 : span.end - span.start - 2)
  const close = mark === '[' ? ']' : ''
  const where = { start: at, end: at }
  return {
    original: splice(query, where, `\\\\${mark}${close}`),
    text: splice(query, where, `\\${mark}${close}`),
    offsets: [span.start, at],
  }
}

const quoted = printerOf('native').text

/** Matches a value that needs no quotes: none of its characters ends a value or is a wildcard. */
const RUN = /^[^\s()[\]{}|;,*"'`\\$]+$/u

const isBehindColon = (all: readonly PlainToken[], i: number): boolean =>
  all[i - 1]?.text === ':' && all[i - 2]?.isWord === true && all[i - 1]?.touches === true

/** Removes the quotes of a value such as `"a@b"`. */
const unquoted: MakeFault = (query, random) =>
  atToken(
    query,
    random,
    (all, i) => present(all[i]).type === 'Quoted' && RUN.test(present(all[i]).value) && isBehindColon(all, i),
    ({ value }) => value,
  )

/** Removes the quotes of a pattern such as `*"50%"*`. */
const unquotedPattern: MakeFault = (query, random) => {
  const all = tokens(query)
  const candidates = all.filter(
    (token, i) => isBehindColon(all, i) && (token.type === 'Quoted' ? RUN.test(token.value) : token.isWord),
  )
  if (candidates.length === 0) return undefined
  const { span, value } = random.pick(candidates)
  const odd = `${value}${random.pick(['%', '@', '@x', '%y', '&', '?', '~'])}`
  const [before, after] = random.pick([
    ['*', '*'],
    ['', '*'],
    ['*', ''],
    ['*b*', '*'],
  ] as const)
  return {
    original: splice(query, span, `${before}${quoted(odd)}${after}`),
    text: splice(query, span, `${before}${odd}${after}`),
    offsets: [span.start],
  }
}

/** Writes `\b` of a regular expression in a quoted string, where it means a backspace. */
const boundary: MakeFault = (query, random) => {
  const all = tokens(query)
  const candidates = all.filter(
    ({ type, text }, i) =>
      type === 'Quoted' && /^["']/.test(text) && ['~', '=~', '!~'].includes(all[i - 1]?.text ?? ''),
  )
  if (candidates.length === 0) return undefined
  const at = random.pick(candidates).span.start + 1
  const where = { start: at, end: at }
  return { original: splice(query, where, '\\\\b'), text: splice(query, where, '\\b'), offsets: [at] }
}

/** The kinds of mistakes by name. */
export const kinds: ReadonlyMap<string, MakeFault> = new Map<string, MakeFault>([
  [
    'misspelt pipe',
    (query, random) => atToken(query, random, isPipe, ({ text }) => misspeltName(text, pipeNames, random)),
  ],
  [
    'misspelt function',
    (query, random) =>
      atToken(
        query,
        random,
        (all, i) => functionNames.has(present(all[i]).text) && all[i + 1]?.text === '(' && !isPipe(all, i),
        ({ text }) => misspeltName(text, functionNames, random),
      ),
  ],
  [
    'missing value',
    (query, random) => {
      const all = tokens(query)
      const end = all.find(({ type }) => type === 'Bar')?.span.start ?? query.length
      const candidates = all.filter(
        (token, i) => all[i - 1]?.text === ':' && token.isWord && token.span.end < end && all[i + 1]?.touches !== true,
      )
      if (candidates.length === 0) return undefined
      const { span } = random.pick(candidates)
      return { original: query, text: splice(query, span, ''), offsets: [span.start - 1, span.start] }
    },
  ],
  ['unbalanced parenthesis', parenthesis],
  ['unbalanced quote', quote],
  ['extra pipe', bar],
  [
    'wrong direction',
    (query, random) =>
      atToken(
        query,
        random,
        (all, i) => /^(asc|desc)$/i.test(present(all[i]).text) && all[i - 1]?.isWord === true,
        ({ text }) =>
          random.pick(
            text.toLowerCase() === 'desc'
              ? ['descending', 'dsc', 'decs', 'des', 'descend']
              : ['ascending', 'acs', 'ascend'],
          ),
      ),
  ],
  ['missing parentheses of by', byParentheses],
  ['foreign equality', equals],
  ['misplaced and/or', operator],
  ['missing number', missingNumber],
  ['unknown escape', escape],
])

/** All kinds of mistakes, including those that apply to no query of the corpus. */
export const allKinds: ReadonlyMap<string, MakeFault> = new Map([
  ...kinds,
  ['unquoted value', unquoted],
  ['unquoted pattern', unquotedPattern],
  ['backspace', boundary],
])

/**
 * Kinds of mistakes from which the original query can be inferred. With other kinds, several valid queries give the
 * same damaged text.
 */
export const plainKinds: ReadonlySet<string> = new Set([
  'missing parentheses of by',
  'foreign equality',
  'unknown escape',
  'unquoted value',
  'unquoted pattern',
  'backspace',
])
