import { isError, replaceWith, span, type Diagnostic } from '../../../base/index.ts'
import { logDiagnostic } from '../diagnostics.ts'
import { pipeDefinitions } from '../pipes/index.ts'
import { statsForms } from '../stats/call.ts'
import { withRepairs } from '../repair/repair.ts'
import { conditionHabits, mendedHabits, readCondition } from './conditions.ts'
import { lineFilterMeant, linesMeant, metricMeant } from './logql.ts'
import { isWord, segmentsOf, habitTokens, type QuerySegment, type HabitToken } from './tokens.ts'
import { clausesMeant, selectMeant } from './sql.ts'
import { isPipeless } from './pipeless.ts'
import { foreignStage, stageHabits } from './stages.ts'

export { conditionHabits, readCondition } from './conditions.ts'
export { stageHabits } from './stages.ts'
export { habitTokens } from './tokens.ts'

/** A syntax for the beginning of a query in another query language. */
interface HeadHabit {
  readonly name: string
  /**
   * Translates the beginning of a query to a filter and pipes of the log language; `undefined` if it has another
   * syntax.
   */
  readonly meant: (source: string, tokens: readonly HabitToken[]) => readonly string[] | undefined
}

const TABLES = ['logs', 'log', 'events', 'spans', 'traces']

const headHabits: readonly HeadHabit[] = [
  { name: 'SQL', meant: selectMeant },
  { name: 'SQL', meant: clausesMeant },
  { name: 'LogQL', meant: (_, tokens) => metricMeant(tokens) },
  {
    name: 'LogQL',
    meant: (_, tokens) => {
      const lines = linesMeant(tokens)
      return lines?.length === tokens.length ? [lines.filters.join(' ')] : undefined
    },
  },
  // A table name at the beginning: `logs | …`, `fetch logs | …`, `FROM logs | …`, `source = logs | …`
  { name: 'KQL', meant: (_, tokens) => (tokens.length === 1 && isWord(tokens[0], ...TABLES) ? ['*'] : undefined) },
  {
    name: 'DQL',
    meant: (_, [first, second, third, ...more]) => {
      if (isWord(first, 'fetch', 'from') && isWord(second, ...TABLES)) return third === undefined ? ['*'] : undefined
      return isWord(first, 'source') && second?.text === '=' && isWord(third, ...TABLES) && more.length === 0
        ? ['*']
        : undefined
    },
  },
  {
    name: 'SPL',
    meant: (source, [first, ...more]) => {
      const condition = isWord(first, 'search') && more.length > 0 ? readCondition(source, more) : undefined
      return condition?.habit === undefined ? undefined : [condition.text || '*']
    },
  },
  {
    name: 'jq',
    meant: (source, [first, open, ...more]) => {
      const isSelect = isWord(first, 'select') && open?.text === '(' && more.at(-1)?.text === ')'
      const condition = isSelect ? readCondition(source, more.slice(0, -1)) : undefined
      return condition === undefined ? undefined : [condition.text]
    },
  },
]

interface Meant {
  readonly stages: readonly string[]
  /** Translation that replaces `stages` if another part of the text is foreign. */
  readonly otherwise?: readonly string[]
  /** Name of the foreign syntax that was found; `undefined` if the part is in the syntax of the log language. */
  readonly habit: string | undefined
  /** How the log language reads the text, in prose; `undefined` if it reads the text as search words. */
  readonly readAs?: string
  /** True if the query begins with a pipe where a filter is expected. */
  readonly isPipeless?: boolean
}

/** Translates a pipe that stands in place of the filter, as in `stats count by level`. */
function pipelessMeant(segment: QuerySegment, source: string, isOwn: (text: string) => boolean): Meant | undefined {
  const [first] = segment.tokens
  if (first?.kind !== 'word' || !isPipeless(segment.tokens, isOwn(segment.text), isStatsName)) return undefined
  const stage = stageMeant({ ...segment, mark: '|' }, source, isOwn)
  if (stage === undefined) return undefined
  const [one = '', ...more] = stage.stages
  const filter = /^(?:filter|where)\s+(?=.)/i.exec(one)?.[0]
  const stages = filter === undefined ? ['*', one, ...more] : [one.slice(filter.length), ...more]
  return { stages, habit: first.text, isPipeless: true }
}

function headMeant(
  { text, tokens }: QuerySegment,
  source: string,
  isOwn: (text: string) => boolean,
): Meant | undefined {
  const own = isOwn(text)
  const pipeless = isPipeName(tokens[0]?.text ?? '')
    ? pipelessMeant({ text, tokens, mark: '' }, source, isOwn)
    : undefined
  if (pipeless !== undefined) return pipeless
  for (const { name, meant } of headHabits) {
    const stages = meant(source, tokens)
    if (stages === undefined) continue
    // A selector `{…}` alone is valid in the log language too, where it matches only stream fields.
    const isSelector = own && name === 'LogQL' && tokens.at(-1)?.text === '}'
    return isSelector ? { stages: [text], otherwise: stages, habit: undefined } : { stages, habit: name }
  }
  const condition = readCondition(source, tokens, own ? silentConditions : conditionHabits)
  if (own && condition?.habit === undefined) return { stages: [text], habit: undefined }
  return condition === undefined ? undefined : { stages: [condition.text || '*'], habit: condition.habit }
}

const silentConditions = conditionHabits.filter(({ isSilent }) => isSilent === true)

/** Translates one stage: a line filter, a stage of another language, a condition, or a stage of the log language. */
function stageMeant(
  { text, tokens, mark }: QuerySegment,
  source: string,
  isOwn: (text: string) => boolean,
): Meant | undefined {
  const [first, ...more] = tokens
  if (mark !== '|') {
    const filter = first === undefined ? undefined : lineFilterMeant([{ ...first, kind: 'mark', text: mark }, first])
    return filter === undefined || more.length > 0 ? undefined : { stages: [`filter ${filter}`], habit: 'LogQL' }
  }
  if (isOwn(`* | ${text}`)) {
    const condition = isWord(first, 'where', 'filter') ? readCondition(source, more, silentConditions) : undefined
    const silent = foreignStage(source, tokens)
    const readAs = silent?.habit.readAs
    if (silent !== undefined && readAs !== undefined) return { stages: [silent.text], habit: more[0]?.text, readAs }
    if (condition?.habit === undefined) return { stages: [text], habit: undefined }
    return { stages: [`filter ${condition.text || '*'}`], habit: condition.habit }
  }
  const foreign = foreignStage(source, tokens)
  if (foreign !== undefined) {
    const habit = foreign.habit.readAs === undefined ? foreign.name : more[0]?.text
    return { stages: [foreign.text], habit }
  }
  if (first === undefined || isOwnName(first.text) || !/[:=<>]/.test(text)) return undefined
  const condition = readCondition(source, tokens)
  return condition === undefined ? undefined : { stages: [`filter ${condition.text}`], habit: condition.habit }
}

function isStatsName(word: string): boolean {
  return statsForms.has(word.toLowerCase())
}

let pipeNames: ReadonlySet<string> | undefined

/** True if a stage of the log language or of another one begins with this word. */
function isPipeName(word: string): boolean {
  pipeNames ??= new Set([
    ...pipeDefinitions.flatMap(({ names }) => names),
    ...stageHabits.flatMap(({ names }) => names.map((name) => name.split(' ')[0] ?? name)),
  ])
  return pipeNames.has(word.toLowerCase())
}

let ownNames: ReadonlySet<string> | undefined

/** True if a stage of the log language begins with this word. */
function isOwnName(word: string): boolean {
  ownNames ??= new Set([...pipeDefinitions.flatMap(({ names }) => names), ...statsForms.keys()])
  return ownNames.has(word.toLowerCase())
}

export interface ForeignForm {
  readonly habit: string
  readonly text: string
  /**
   * True if diagnostics of the log parser already explain all foreign syntax in the text, such as `by` after the
   * functions.
   */
  readonly isNear: boolean
  readonly readAs?: string | undefined
  /** True if the query begins with a pipe of the log language where a filter is expected. */
  readonly isPipeless: boolean
}

/** Maximum length of a text that is examined for foreign syntax, UTF-16 units. */
const MAX_LENGTH = 4096
const MAX_STAGES = 24

/**
 * Words that suggest foreign syntax. A text that parses is examined for foreign syntax only if it contains one of them.
 */
const SUSPICIOUS =
  /\b(?:select|order\s+by|group\s+by|r?like|ilike|contains|has|hasprefix|starts_?with|ends_?with|matches|regexp|between|earliest|latest|index|sourcetype|last|past|since|_exists_)\b|:\/|["']~\d|(?:^|\s)\+|\}\s*!|\bfields\s+-/i

/**
 * Translates a query that is written in another query language or contains foreign syntax; `undefined` if the text has
 * no foreign syntax or cannot be translated.
 */
export function foreignForm(source: string, isOwn: (text: string) => boolean): ForeignForm | undefined {
  const tokens = habitTokens(source)
  if (tokens === undefined || tokens.length === 0) return undefined
  const [head, ...rest] = segmentsOf(source, tokens, ['|', '|=', '|~'])
  if (head === undefined || head.tokens.length === 0 || rest.length > MAX_STAGES) return undefined
  const first = headMeant(head, source, isOwn)
  if (first === undefined) return undefined
  // A table name may also be a search word; the stages after it decide.
  const isTable = first.habit === 'KQL'
  const found: Meant[] = []
  for (const segment of rest) {
    const meant = stageMeant(segment, source, isOwn)
    if (meant === undefined) return undefined
    found.push(meant)
  }
  const isForeign = found.some(({ habit }) => habit !== undefined)
  const habits = isTable || first.habit === undefined ? [] : [first.habit]
  const stages = [...((isForeign ? first.otherwise : undefined) ?? first.stages)]
  for (const [i, meant] of found.entries()) {
    if (meant.habit !== undefined) habits.push(meant.habit)
    for (const stage of meant.stages) {
      const filter = /^(?:filter|where)\s+(?=.)/i.exec(stage)?.[0]
      const isHead = stages.length === 1 && (stages[0] === '*' ? first.habit !== undefined : rest[i]?.mark !== '|')
      if (filter === undefined || !isHead) stages.push(stage)
      else
        stages[0] = stages[0] === '*' ? stage.slice(filter.length) : `${stages[0] ?? ''} ${stage.slice(filter.length)}`
    }
  }
  if (isTable && rest.some(({ text }) => !isOwn(`* | ${text}`))) habits.push('KQL')
  const strange = habits.find((name) => !isOwnName(name.split(' ')[0] ?? '') && !mendedHabits.has(name))
  const readable = found.find(({ readAs }) => readAs !== undefined)
  const habit = strange ?? habits[0]
  if (habit === undefined) return undefined
  return {
    habit,
    text: stages.join(' | '),
    isNear: strange === undefined && first.isPipeless !== true,
    readAs: readable?.habit === habit ? readable.readAs : undefined,
    isPipeless: first.isPipeless === true,
  }
}

/**
 * Adds tested fixes to diagnostics. If the text is foreign, one diagnostic with the translation replaces all others.
 */
export function withFixes(
  source: string,
  diagnostics: readonly Diagnostic[],
  errorsOf: (text: string) => readonly Diagnostic[],
): readonly Diagnostic[] {
  const hasErrors = diagnostics.some(isError)
  // An invalid escape is an error in every language, and prevents the rest of the text from being parsed.
  if (hasErrors && diagnostics.every((each) => !isError(each) || each.code === 'log/bad-escape'))
    return withRepairs(source, diagnostics, errorsOf)
  const isSuspicious = hasErrors || SUSPICIOUS.test(source)
  if (source.length > MAX_LENGTH || !(isSuspicious || isPipeName(/^\s*([\w-]+)/.exec(source)?.[1] ?? '')))
    return withRepairs(source, diagnostics, errorsOf)
  const found = foreignForm(source, (text) => errorsOf(text).length === 0)
  const start = source.length - source.trimStart().length
  const where = span(start, Math.max(start, source.trimEnd().length))
  const isMeant = found !== undefined && (isSuspicious || found.isPipeless)
  const isBetter = isMeant && found.text !== source.trim() && errorsOf(found.text).length === 0
  if (!isBetter) return withRepairs(source, diagnostics, errorsOf)
  if (found.isNear) return withRepairs(source, diagnostics, errorsOf, [replaceWith(where, found.text)])
  const { habit, text: meant, readAs } = found
  const isRead = !hasErrors
  const diagnostic = found.isPipeless
    ? logDiagnostic('missing-pipe', { pipe: habit, meant, isRead }, where)
    : logDiagnostic('foreign-form', { habit, meant, isRead, readAs }, where)
  return hasErrors ? [diagnostic] : [diagnostic, ...diagnostics.filter(({ code }) => !code.startsWith('log/'))]
}
