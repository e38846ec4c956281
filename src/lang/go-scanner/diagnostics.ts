import {
  insertAt,
  replaceWith,
  type Diagnostic,
  type DiagnosticText,
  type Fix,
  type Origin,
  type Span,
} from '../../base/index.ts'
import type { ScanFault } from './faults.ts'

/** Diagnostics for texts that exceed a limit. */
export const limitTexts = {
  'too-long': (d: { bytes: number; limit: number }) => ({
    message: `The query is ${d.bytes} bytes long; at most ${d.limit} are read.`,
  }),
  'too-deep': (d: { limit: number }) => ({ message: `The query nests deeper than ${d.limit} levels.` }),
  'too-many-errors': () => ({ message: 'There are too many errors; the rest of the query was not read.' }),
}

/** Type of the function that creates the limit diagnostics of one language. */
export type LimitDiagnostics = <K extends keyof typeof limitTexts>(
  what: K,
  data: Parameters<(typeof limitTexts)[K]>[0],
  where: Origin | Span,
) => Diagnostic

/** The message about an invalid token, and a note on the correct form. */
export interface FaultText {
  readonly message: string
  readonly note: string
}

/** Messages about invalid tokens that LogQL and TraceQL share, except those for comments and numbers. */
export const faultTexts: Readonly<Record<Exclude<ScanFault['kind'], 'comment' | 'number'>, FaultText>> = {
  string: {
    message: 'This quote never closes.',
    note: 'A string in double quotes has no line breaks; between back quotes it may.',
  },
  escape: {
    message: 'This string has an unknown escape sequence.',
    note: 'A backslash itself is written `\\\\`; between back quotes it means nothing.',
  },
  encoding: {
    message: 'This string is not valid UTF-8.',
    note: 'Single bytes are written as escapes in double quotes, such as `\\xff`, and the character U+FFFD as `\\ufffd`.',
  },
  character: {
    message: 'Strings stand in double quotes or back quotes.',
    note: 'Single quotes are not part of the language.',
  },
}

/**
 * Returns the message for a comment that is never closed. `mark` is the mark of the language's other comments, which
 * end with the line.
 */
export function commentText(mark: string): FaultText {
  const note = `A comment begins with \`/*\` and ends with \`*/\`, or runs from \`${mark}\` to the end of the line.`
  return { message: 'This comment never closes.', note }
}

/** Returns fixes that replace single quotes by double quotes. */
export function quoteFixes(kind: string, text: string, at: Span): readonly Fix[] {
  return kind === 'character' && text.endsWith("'") ? [inDoubleQuotes(text, at)] : []
}

export function inDoubleQuotes(quoted: string, at: Span): Fix {
  return replaceWith(at, JSON.stringify(quoted.slice(1, -1)))
}

/** A token that is not allowed at its position. */
export interface Unexpected {
  /** The token as written; empty at the end of the text. */
  readonly found: string
  readonly expected: readonly string[]
  /**
   * Data for the error message of the reference implementation (Loki or Tempo): its name for the token, its names for
   * the expected tokens, and `losesLine`, true if its message gives line 0.
   */
  readonly reference: { readonly found: string; readonly expected: readonly string[]; readonly losesLine: boolean }
}

/** Maximum number of alternatives that a message lists. */
const MAX_LISTED = 6

/**
 * Returns the sentence that lists the expected tokens. Names with a blank are printed as prose, other names as code.
 */
function wanted(expected: readonly string[]): string {
  const shown = expected.slice(0, MAX_LISTED).map((name) => (name.includes(' ') ? name : `\`${name}\``))
  if (shown.length === 0) return ''
  return ` Expected ${shown.join(', ')}${expected.length > shown.length ? ' or others' : ''}.`
}

/**
 * Returns the definition of the diagnostic `unexpected`. `fixes` returns the fixes of the language. A token in single
 * quotes gets double quotes instead; without any fix, a missing bracket is added.
 */
export function unexpectedText(
  fixes: (unexpected: Unexpected, at: Span) => readonly Fix[],
): (d: Unexpected) => DiagnosticText {
  return (d) => ({
    message:
      d.found === ''
        ? `The query ends too early.${wanted(d.expected)}`
        : `\`${d.found}\` does not belong here.${wanted(d.expected)}`,
    fixes: (at) => {
      if (d.found.startsWith("'")) return [inDoubleQuotes(d.found, at)]
      const own = fixes(d, at)
      return own.length > 0 ? own : closeFixes(d, at)
    },
  })
}

/** Returns the fix that adds a missing closing bracket at the end of the text, if one is expected. */
function closeFixes({ found, expected }: Unexpected, at: Span): readonly Fix[] {
  const close = found === '' ? expected.find((name) => name === ')' || name === '}') : undefined
  return close === undefined ? [] : [insertAt(at.start, close)]
}
