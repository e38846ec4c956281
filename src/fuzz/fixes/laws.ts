import { applyFix, isError, spanOf, type Diagnostic, type Fix } from '../../base/index.ts'
import {
  canon,
  filterDefinitions,
  grammarKeywords,
  mathFunctions,
  parse,
  pipeDefinitions,
  runningForms,
  statsForms,
  windowFunctions,
} from '../../lang/log/index.ts'
import { standardFunctions } from '../../functions/index.ts'
import type { Dialect } from '../../plan/index.ts'
import { difference, type EngineAnswer } from '../answer.ts'
import type { Law } from '../runner/fuzzer.ts'

/** A text with all diagnostics about it. */
export interface FixedText {
  readonly text: string
  readonly dialect: Dialect
  readonly diagnostics: readonly Diagnostic[]
  /**
   * The valid query from which the text was made; `undefined` if there is none, or if the text could also come from
   * other queries.
   */
  readonly meant: string | undefined
  /** Names and values of the data in lower case. A fix may use them even if the text does not contain them. */
  readonly dataWords: ReadonlySet<string>
  readonly check: (text: string) => readonly Diagnostic[]
  readonly answer: (text: string) => Promise<EngineAnswer>
}

type FixLaw = Law<FixedText>

/** Yields each fix with its diagnostic and the resulting text. */
function* fixed({ text, diagnostics }: FixedText): Generator<{ reported: Diagnostic; fix: Fix; made: string }> {
  for (const reported of diagnostics)
    for (const fix of reported.fixes) yield { reported, fix, made: applyFix(text, fix) }
}

const named = ({ code, message }: Diagnostic): string => `${code}: ${message}`

function startOf({ origin }: Diagnostic): number {
  return spanOf(origin)?.start ?? 0
}

const knownWord = /^\w+$/

/** True if a fix replaces the marked word with another one. The result may have further errors. */
function isOtherWord({ edits }: Fix, { origin }: Diagnostic): boolean {
  const [edit, ...more] = edits
  const where = spanOf(origin)
  const isWhole = edit?.span.start === where?.start && edit?.span.end === where?.end
  return isWhole && more.length === 0 && knownWord.test(edit?.text ?? '')
}

/** True if two diagnostics mark positions at the same distance from the start or from the end of their texts. */
function isSameSpan(text: string, reported: Diagnostic, made: string, again: Diagnostic): boolean {
  const [start, other] = [startOf(reported), startOf(again)]
  return start === other || text.length - start === made.length - other
}

/** A fix removes its error. If it was the only error, the fixed text parses. */
export const fixesHold: FixLaw = {
  name: 'fixes-hold',
  check: (given) => {
    const errors = given.diagnostics.filter(isError)
    // A diagnostic that applies at several positions counts once.
    const isOne =
      errors.length <= 1 && parse(given.text, { dialect: given.dialect }).diagnostics.filter(isError).length <= 1
    // Binding errors appear only once the text parses, so a fix may uncover some.
    const isReading = errors.every(({ code }) => code.startsWith('log/'))
    for (const { reported, fix, made } of fixed(given)) {
      if (made === given.text) return `${reported.code} has a fix that changes nothing`
      const left = given.check(made)
      // This message applies at several positions, but its fix changes only one of them.
      const isEverywhere = reported.notes.some((note) => note.startsWith('The same holds at '))
      const refusal = left.find(
        (each) =>
          isError(each) &&
          (!isReading || each.code.startsWith('log/')) &&
          !(isEverywhere && named(each) === named(reported)),
      )
      // A fix of a warning need not remove the errors of a text.
      if (isOne && (errors.length === 0 || isError(reported)) && refusal !== undefined && !isOtherWord(fix, reported))
        return `${reported.code} is fixed by ${made}, which is refused: ${named(refusal)}`
      const again = left.find((each) => named(each) === named(reported) && isSameSpan(given.text, reported, made, each))
      if (again !== undefined && !isEverywhere) return `${reported.code} is fixed by ${made}, which says the same`
    }
    return undefined
  },
}

const knownWords: ReadonlySet<string> = new Set(
  [
    ...pipeDefinitions.flatMap(({ names }) => names),
    ...filterDefinitions.flatMap(({ names }) => names),
    ...statsForms.keys(),
    ...mathFunctions.keys(),
    ...runningForms.keys(),
    ...windowFunctions.keys(),
    ...standardFunctions.stats.names(),
    ...grammarKeywords(),
    '_time',
    '_stream',
    'sun',
    'mon',
    'tue',
    'wed',
    'thu',
    'fri',
    'sat',
    'sunday',
    'monday',
    'tuesday',
    'wednesday',
    'thursday',
    'friday',
    'saturday',
    // Flags of a regular expression.
    'i',
  ].map((word) => word.toLowerCase()),
)
/** Matches a character that `quoteText` writes as an escape. */
const ESCAPE = /\\(?:u[\dA-Fa-f]{4}|U[\dA-Fa-f]{8}|x[\dA-Fa-f]{2}|[a-z])/g

/**
 * Returns the first word or number of a fixed text that occurs neither in the original text nor in the data. A word may
 * be composed of parts from both.
 */
export function inventionIn(made: string, text: string, dataWords: ReadonlySet<string>): string | undefined {
  // A limit without a number means 10 in LogsQL, so a fix may insert it.
  const written = text.toLowerCase().replaceAll(/\b(?:limit|head)\b(?!\s*\d)/g, '$& 10')
  const isFrom = (word: string): boolean => written.includes(word) || knownWords.has(word) || dataWords.has(word)
  for (const [run] of made
    .replaceAll(ESCAPE, ' ')
    .toLowerCase()
    .matchAll(/[\p{L}\p{Nd}_]+/gu)) {
    // A duplicate result name gets a number as suffix.
    const word = run.replace(/(?<=.)_2$/, '')
    if (isFrom(word)) continue
    const parts = word.match(/\p{Nd}+|[^\p{Nd}_]+/gu) ?? []
    const stray = parts.find((part) => !isFrom(part))
    if (stray !== undefined) return run
  }
  return undefined
}

/** A fix invents no number, string or name. A lint that adds something, such as a limit, names it in its title. */
export const fixesInventNothing: FixLaw = {
  name: 'fixes-invent-nothing',
  check: (given) => {
    for (const { reported, made } of fixed(given)) {
      if (reported.code.startsWith('lint/')) continue
      const invented = inventionIn(made, given.text, given.dataWords)
      if (invented !== undefined) return `${reported.code} is fixed by ${made}, which invents \`${invented}\``
    }
    return undefined
  },
}

/** If only one query can be meant, the first fix of the first parser error leads to the answer of that query. */
export const firstFixIsMeant: FixLaw = {
  name: 'first-fix-is-meant',
  check: async ({ text, dialect, meant, diagnostics, answer }) => {
    if (meant === undefined) return undefined
    // Messages that also apply to the valid query are not about the mistake.
    const alsoMeant = new Set(parse(meant, { dialect }).diagnostics.map(named))
    const own = diagnostics.filter((each) => !alsoMeant.has(named(each)))
    const reported = own.find(isError) ?? own.find(({ code }) => code.startsWith('log/'))
    const [fix] = reported?.fixes ?? []
    if (reported === undefined || fix === undefined) return undefined
    const made = applyFix(text, fix)
    const read = parse(made, { dialect })
    // A text with several errors needs several fixes.
    if (read.diagnostics.some(isError)) return undefined
    if (canon(read.ast, dialect) === canon(parse(meant, { dialect }).ast, dialect)) return undefined
    const parted = difference(await answer(meant), await answer(made))
    return parted === undefined ? undefined : `${reported.code} is fixed by ${made}, but ${meant} was meant: ${parted}`
  },
}

/** No message is reported twice, and no position has the same code twice. */
export const reportedOnce: FixLaw = {
  name: 'told-once',
  check: ({ diagnostics }) => {
    const seen = new Set<string>()
    for (const { code, message, origin } of diagnostics) {
      const where = spanOf(origin)
      const keys = [`message ${message}`, ...(where === undefined ? [] : [`${code} at ${where.start} to ${where.end}`])]
      for (const key of keys) {
        if (seen.has(key)) return `says twice: ${key}`
        seen.add(key)
      }
    }
    return undefined
  },
}
