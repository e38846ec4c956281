import type { JsonValue, Random } from '../../../src/base/index.ts'
import { fieldNames } from '../../../src/fuzz/dataset.ts'
import { generateQuery, queryText } from '../../../src/fuzz/log-query.ts'
import { planOfPipeline } from '../../../src/fuzz/pipeline/pipeline-plan.ts'
import { generatePipeline } from '../../../src/fuzz/pipeline/pipeline.ts'
import { MAX_CAPITALS, commonCases } from '../../../src/lang/log/filters/common-case.ts'
import { escapeRegexp } from '../../../src/lang/json/to-text/to-text-names.ts'
import { sharedWords } from './payloads.ts'
import { knownLabels } from './foreign-sql.ts'
import { kindOf, placesOf, tokensOf, written, type Place } from './places.ts'
import { knownValues, type Compiler, type SqlOf } from './sql-of.ts'

/** A query with one place in which a string can be replaced. */
export interface Template {
  readonly source: string
  readonly place: Place['kind']
  readonly make: (text: string) => SqlOf | Promise<SqlOf>
  /** Returns the query with a string in its place, for reports. */
  readonly show: (text: string) => string
  /** Matches characters that have a special meaning in this place and must not occur in an attack. */
  readonly without: RegExp | undefined
  /** True if `*` is a wildcard in this place, so that the harmless string must have it too. */
  readonly isStarKept: boolean
  /** Other names and values of the query, which statements may sort together with the replaced string. */
  readonly others: readonly string[]
  /**
   * True if an attack and its harmless twin may be compared, because they agree in all properties on which a statement
   * may depend. If absent, they always may.
   */
  readonly isAlike?: ((attack: string, twin: string) => boolean) | undefined
}

/** Names of computed fields. Every query sorts them together with its other names. */
const COMPUTED_NAMES = ['_stream', '_stream_id']

/** Matches characters that delimit a placeholder such as `<field>` in the patterns of pipes. */
const ANGLES = /[<>]/g

/**
 * True if both strings have equally many spellings, which share equally many words. Also true if one has more than
 * `MAX_CAPITALS` capitals, since the query is then refused.
 */
function spellsAlike(attack: string, twin: string): boolean {
  if ([attack, twin].some((text) => (text.match(/\p{Lu}/gu)?.length ?? 0) > MAX_CAPITALS)) return true
  const [ours, theirs] = [commonCases([attack]), commonCases([twin])]
  return ours.length === theirs.length && sharedWords(ours) === sharedWords(theirs)
}

function textTemplates(random: Random, compiler: Compiler): readonly Template[] {
  const query = generateQuery(random)
  const tokens = tokensOf(queryText(query))
  const { dialect } = query
  const others = [...COMPUTED_NAMES, ...tokens.flatMap(({ says }) => (says === undefined ? [] : [says]))]
  const has = (name: RegExp): boolean => tokens.some(({ text }) => name.test(text))
  // The compiler replaces a range by the known values inside it.
  if (has(/^(?:[<>]|string_range|range|meets)$/)) others.push(...knownValues, ...knownLabels)
  // A common-case filter searches for every usual spelling of a string, after a lookup of the words that all spellings
  // share. Both depend on the letters.
  const isAlike = has(/_common_case$/) ? spellsAlike : undefined
  if (isAlike !== undefined) {
    const few = others.filter((text) => (text.match(/\p{Lu}/gu)?.length ?? 0) <= MAX_CAPITALS)
    others.push(...commonCases(few))
  }
  // The operator `meets` treats `*` as a wildcard.
  const isStarKept = has(/^meets$/)
  return placesOf(tokens).map((place): Template => {
    const put = (text: string): string => written(tokens, place, place.kind === 'pattern' ? escapeRegexp(text) : text)
    return {
      source: 'text',
      place: place.kind,
      make: (text) => compiler.text(put(text), { dialect }, text),
      show: put,
      without: ANGLES,
      isStarKept,
      others,
      isAlike,
    }
  })
}

/** Members of a structured query whose strings the user chooses freely. */
const FREE_MEMBERS = new Set(['key', 'alias', 'value', 'prefix', 'sourceColumn'])
const PATTERN_OPS = new Set(['regex', 'notregex'])

type Json = JsonValue | undefined

function isPatternFilter(members: Readonly<Record<string, Json>>): boolean {
  return typeof members['op'] === 'string' && PATTERN_OPS.has(members['op'])
}

function eachFree(json: Json, visit: (text: string, isPattern: boolean) => void): void {
  if (Array.isArray(json)) {
    for (const item of json) eachFree(item, visit)
  } else if (typeof json === 'object' && json !== null) {
    const members = json as Readonly<Record<string, Json>>
    for (const [member, value] of Object.entries(members)) {
      const isFree = FREE_MEMBERS.has(member)
      const isPattern = isPatternFilter(members)
      if (isFree && typeof value === 'string') visit(value, isPattern)
      else if (isFree && Array.isArray(value))
        for (const item of value) if (typeof item === 'string') visit(item, isPattern)
      if (typeof value === 'object') eachFree(value, visit)
    }
  }
}

function replaced(json: JsonValue, place: Place, text: string, member = '', isPattern = false): JsonValue {
  if (typeof json === 'string') {
    if (!FREE_MEMBERS.has(member) || json !== place.original) return json
    return isPattern ? escapeRegexp(text) : text
  }
  if (Array.isArray(json)) return json.map((item) => replaced(item as JsonValue, place, text, member, isPattern))
  if (typeof json !== 'object' || json === null) return json
  const members = json as Readonly<Record<string, JsonValue>>
  const isPatternHere = isPatternFilter(members)
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => [name, replaced(value, place, text, name, isPatternHere)]),
  )
}

function pipelineTemplates(random: Random, compiler: Compiler): readonly Template[] {
  const { body } = generatePipeline(random)
  const places = new Map<string, Place>()
  eachFree(body, (text, isPattern) => {
    if (text === '*' || text === '' || text.startsWith('[') || places.has(text)) return
    places.set(text, { kind: isPattern ? 'pattern' : (kindOf(text) ?? 'value'), original: text })
  })
  const others = [...COMPUTED_NAMES, ...places.keys()]
  if (/"op":"[gl]te?"/.test(JSON.stringify(body))) others.push(...knownValues, ...knownLabels)
  return [...places.values()].map((place): Template => {
    const put = (text: string): JsonValue => replaced(body, place, text)
    return {
      source: 'pipeline',
      place: place.kind,
      make: (text) => compiler.plan(() => planOfPipeline(put(text)), text),
      show: (text) => JSON.stringify(put(text)),
      without: undefined,
      isStarKept: true,
      others,
    }
  })
}

/** Returns queries with the places in which a string can be replaced. */
export type Templates = (random: Random) => readonly Template[] | Promise<readonly Template[]>

/** Returns a source of templates from text and structured queries, each compiled by one of the compilers. */
export function queryTemplates(compilers: readonly Compiler[]): Templates {
  return (random) => {
    const compiler = random.pick(compilers)
    return random.next() < 0.6 ? textTemplates(random, compiler) : pipelineTemplates(random, compiler)
  }
}

/** Returns a source of templates from text queries over tables whose catalog entry contains the replaced string. */
export function catalogTemplates(
  drawPlace: (random: Random) => { readonly place: string; readonly over: (text: string) => Compiler },
): Templates {
  return (random) => {
    const query = generateQuery(random)
    const { dialect } = query
    const asked = queryText(query)
    const { place, over } = drawPlace(random)
    const said = tokensOf(asked).flatMap(({ says }) => says ?? [])
    return [
      {
        source: `catalog, ${place}:`,
        place: 'name',
        make: (text) => over(text).text(asked, { dialect }, text),
        show: (text) => `${JSON.stringify(text)} in ${asked}`,
        without: undefined,
        isStarKept: true,
        others: [...COMPUTED_NAMES, ...fieldNames, ...said],
      },
    ]
  }
}
