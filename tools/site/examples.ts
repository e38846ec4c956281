import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { BlockLanguage } from '../../site/run/block.ts'
import { root } from '../library.ts'

/** A query that causes a diagnostic. */
export interface Example {
  readonly code: string
  readonly language: BlockLanguage
  readonly query: string
  /** The corrected query; `undefined` if the first fix of the diagnostic produces it. */
  readonly fixed: string | undefined
  readonly options: Readonly<Record<string, string>>
  /** Options of the fixed query. */
  readonly fixedOptions: Readonly<Record<string, string>>
}

/** Diagnostics without an example, with the reason and what causes them instead. */
export interface Elsewhere {
  readonly reason: string
  readonly codes: readonly string[]
}

const folder = join(root, 'site/examples')
const ELSEWHERE = 'elsewhere.txt'
/** Prefix of options that apply only to the corrected query. */
const FIXED = 'fixed.'

/** Query language of an example file by its file name. */
const languages: Readonly<Record<string, BlockLanguage>> = {
  log: 'native',
  logql: 'logql',
  promql: 'promql',
  traceql: 'traceql',
  json: 'pipeline',
}

/** In an example file, `""` on its own stands for an empty query. */
const unquoted = (text: string): string => (text === '""' ? '' : text)

/**
 * Parses a file of examples: a line with the code, the dialect and options; the query, indented; and the corrected
 * query after `=` if no fix produces it. Throws for an example without a query.
 */
function readExamples(name: string): readonly Example[] {
  const language = languages[name.replace(/\.txt$/, '')]
  if (language === undefined) throw new Error(`No language is named after site/examples/${name}.`)
  const text = readFileSync(join(folder, name), 'utf8').trim()
  return text.split('\n\n').map((block) => {
    const [head = '', query, fixed] = block.split('\n')
    const [code = '', ...words] = head.split(' ')
    if (query?.startsWith('  ') !== true) throw new Error(`site/examples/${name}: ${code} has no query below it.`)
    const pairs = words.filter((word) => word.includes('=')).map((word) => word.split('=') as [string, string])
    const options = Object.fromEntries(pairs.filter(([name]) => !name.startsWith(FIXED)))
    const others = pairs.filter(([name]) => name.startsWith(FIXED))
    return {
      code,
      language: words.includes('logsql') ? 'logsql' : language,
      query: unquoted(query.slice(2)),
      fixed: fixed?.replace(/^= /, ''),
      options,
      fixedOptions: {
        ...options,
        ...Object.fromEntries(others.map(([name, value]) => [name.slice(FIXED.length), value])),
      },
    }
  })
}

/** Returns all examples by code. Throws if a code has two. */
export function allExamples(): ReadonlyMap<string, Example> {
  const examples = new Map<string, Example>()
  for (const name of readdirSync(folder).filter((each) => each.endsWith('.txt') && each !== ELSEWHERE))
    for (const example of readExamples(name)) {
      if (examples.has(example.code)) throw new Error(`${example.code} has two examples.`)
      examples.set(example.code, example)
    }
  return examples
}

/** Parses the list of diagnostics without an example: paragraphs with a reason, each followed by indented codes. */
export function elsewhere(): readonly Elsewhere[] {
  const text = readFileSync(join(folder, ELSEWHERE), 'utf8').trim()
  return text.split('\n\n').map((block) => {
    const [reason = '', ...codes] = block.split('\n')
    return { reason, codes: codes.flatMap((line) => line.trim().split(' ')) }
  })
}

/**
 * Throws unless every code of the reference has either an example or a reason for having none. Also throws for an
 * example or reason with an unknown code.
 */
export function checkCodes(codes: ReadonlySet<string>, examples: Iterable<string>, others: readonly Elsewhere[]): void {
  const told = [...examples, ...others.flatMap((each) => each.codes)]
  const twice = told.find((code, i) => told.indexOf(code) !== i)
  if (twice !== undefined) throw new Error(`${twice} is twice in site/examples.`)
  const unknown = told.find((code) => !codes.has(code))
  if (unknown !== undefined) throw new Error(`site/examples has ${unknown}, which is no diagnostic.`)
  const known = new Set(told)
  const missing = [...codes].find((code) => !known.has(code))
  if (missing !== undefined)
    throw new Error(`${missing} needs a query that causes it in site/examples, or a line in its elsewhere.txt.`)
}
