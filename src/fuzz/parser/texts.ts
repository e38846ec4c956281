import { present, seededRandom, type Random } from '../../base/index.ts'
import { filterDefinitions, pipeDefinitions, scan } from '../../lang/log/index.ts'
import { generateQuery } from '../log-query.ts'

export interface DrawnText {
  readonly text: string
  /** The way in which the text was made, for the histogram. */
  readonly how: string
}

/** Short complete texts and their tokens, from which new texts are made. */
export interface TextPool {
  readonly texts: readonly string[]
  readonly tokens: readonly (readonly string[])[]
}

const examples: readonly string[] = [...pipeDefinitions, ...filterDefinitions].flatMap(({ names, doc }) => [
  ...names,
  ...doc.examples.map(({ query }) => query),
])

/** Returns the tokens of a text, each with the blanks after it, so that joining them restores the text. */
function tokensOf(text: string): string[] {
  const starts = scan(text).tokens.map(({ startOffset }) => startOffset)
  return starts.map((start, i) => text.slice(i === 0 ? 0 : start, starts[i + 1] ?? text.length))
}

/** Returns words of the language and parts of random queries. Each block of cases has its own pool. */
export function textPool(block: number): TextPool {
  const random = seededRandom(block ^ 0x9a55e2)
  const texts = [...examples]
  for (let i = 0; i < 150; i++) {
    const { filter, pipes } = generateQuery(random)
    texts.push(filter, ...pipes.slice(0, 2).map((pipe) => `* | ${pipe}`))
  }
  // Short texts reach as many grammar rules as long ones, and more of them can be parsed in the same time.
  const short = texts.filter((text) => text.length <= 90)
  return { texts: short, tokens: short.map(tokensOf).filter((tokens) => tokens.length > 0) }
}

const ODD_CHARACTERS = [
  '"',
  "'",
  '`',
  '\\',
  '(',
  ')',
  '[',
  ']',
  '{',
  '}',
  '|',
  ',',
  ':',
  ';',
  '!',
  '=',
  '~',
  '<',
  '>',
  '*',
  '+',
  '-',
  '/',
  '.',
  '$',
  '@',
  '#',
  '%',
  '^',
  '&',
  '?',
  '_',
  '0',
  '9',
  'a',
  'Z',
  ' ',
  '\n',
  '\t',
  '\r',
  'ä',
  'ß',
  'İ',
  '日',
  '😀',
  '\ud83d',
  '\ude00',
  '\u0000',
  '\u00a0',
  '\u0301',
  '\u200d',
  '\u202e',
  '\u2028',
  '\ufeff',
  '\u{10ffff}',
] as const

const ODD_PIECES = [
  '9'.repeat(400),
  '1e999',
  '-0x1p3',
  '0b12',
  '0xfg',
  '1_000_',
  '9223372036854775808',
  '1h1h1h',
  '99999999999999999999y',
  '2026-13-45T25:61:61Z',
  '9999999999-01-01',
  '\\u12',
  '\\x',
  '\\u{110000}',
  '"\\ud800"',
  '/*',
  '# comment\n',
  '{a="',
  'in(',
  'options(',
  '__proto__',
  'constructor:',
  'if (',
  'NOT NOT ',
  ' OR OR ',
  '||',
] as const

function garbage(random: Random): string {
  let text = ''
  for (let i = random.below(16); i >= 0; i--) text += random.pick(ODD_CHARACTERS)
  return text
}

/** Joins a few tokens of arbitrary texts. */
function soup(random: Random, { tokens }: TextPool): string {
  let text = ''
  for (let i = random.below(8); i >= 0; i--) text += random.pick(random.pick(tokens))
  return text
}

function deep(random: Random): string {
  const [open, close] = random.pick([
    ['(', ')'],
    ['!(', ')'],
    ['a:(', ')'],
    ['a:in(', ' | fields a)'],
    ['* | union (', ')'],
    ['* | math ', ' as x'],
    ['-', ''],
    ['{', '}'],
    ['[', ']'],
    ['* | math x as y if (', ')'],
  ] as const)
  const depth = 1 + random.below(random.next() < 0.02 ? 3000 : 140)
  return open.repeat(depth) + random.pick(['', 'a', '*', '1']) + close.repeat(depth - (random.next() < 0.3 ? 1 : 0))
}

function mutatedTokens(random: Random, pool: TextPool): DrawnText {
  const parts = [...random.pick(pool.tokens)]
  const times = random.next() < 0.7 ? 1 : 2
  let how = ''
  for (let i = 0; i < times; i++) {
    const at = random.below(parts.length)
    const kind = random.pick(['delete', 'twice', 'swap', 'insert', 'odd'] as const)
    how = `token/${kind}`
    if (kind === 'delete') parts.splice(at, 1)
    else if (kind === 'twice') parts.splice(at, 0, present(parts[at]))
    else if (kind === 'insert') parts.splice(at, 0, random.pick(random.pick(pool.tokens)))
    else if (kind === 'odd') parts.splice(at, 0, random.pick(ODD_PIECES))
    else {
      const other = random.below(parts.length)
      const [one, two] = [present(parts[at]), present(parts[other])]
      parts[at] = two
      parts[other] = one
    }
    if (parts.length === 0) break
  }
  return { text: parts.join(''), how }
}

function mutatedUnits(random: Random, pool: TextPool): DrawnText {
  let text = random.pick(pool.texts)
  const times = 1 + random.below(3)
  let how = ''
  for (let i = 0; i < times; i++) {
    const at = random.below(text.length + 1)
    const kind = random.pick(['delete', 'twice', 'swap', 'insert', 'cut'] as const)
    how = `unit/${kind}`
    if (kind === 'delete') text = text.slice(0, at) + text.slice(at + 1)
    else if (kind === 'twice') text = text.slice(0, at) + text.slice(Math.max(0, at - 3))
    else if (kind === 'insert') text = text.slice(0, at) + random.pick(ODD_CHARACTERS) + text.slice(at)
    else if (kind === 'cut') text = text.slice(0, at)
    else text = text.slice(0, at) + (text[at + 1] ?? '') + (text[at] ?? '') + text.slice(at + 2)
  }
  return { text, how }
}

/** Draws a text to parse: valid, damaged or random. */
export function drawText(random: Random, pool: TextPool): DrawnText {
  const dice = random.next()
  if (dice < 0.25) return mutatedTokens(random, pool)
  if (dice < 0.5) return mutatedUnits(random, pool)
  if (dice < 0.7) return { text: soup(random, pool), how: 'soup' }
  if (dice < 0.9) return { text: garbage(random), how: 'garbage' }
  if (dice < 0.905) return { text: deep(random), how: 'deep' }
  return { text: random.pick(pool.texts), how: 'sound' }
}
