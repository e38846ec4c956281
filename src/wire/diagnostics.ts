import { defineDiagnostics } from '../base/index.ts'

function orList(words: readonly string[]): string {
  return words.map((word) => `\`${word}\``).join(', ')
}

/** Notes `Did you mean …?`, followed by the list of known names if it is short. */
function nearNotes(near: readonly string[], known: readonly string[]): readonly string[] {
  const notes: string[] = []
  if (near.length > 0) notes.push(`Did you mean ${orList(near)}?`)
  if (known.length > 0 && known.length <= 12) notes.push(`Known here: ${orList(known)}.`)
  return notes
}

/** Errors in the form of a JSON body: encoding, syntax, types and member names. */
export const wireDiagnostic = defineDiagnostics('wire', {
  'empty-body': (d: { example: string }) => ({
    message: 'The body is empty; a JSON object is expected.',
    why: `Send at least \`${d.example}\`.`,
  }),
  'not-utf8': (d: { offsetBytes: number }) => ({
    message: `The body is not UTF-8: byte ${d.offsetBytes} cannot be read.`,
    why: 'JSON between systems is UTF-8 without exception.',
  }),
  'unknown-member': (d: { name: string; near: readonly string[]; known: readonly string[] }) => ({
    message: `There is no member \`${d.name}\` here.`,
    why: nearNotes(d.near, d.known),
  }),
  'half-surrogate': () => ({
    message: 'This text has half of a surrogate pair, which is not a character.',
    why: 'A character beyond U+FFFF is two escapes, such as `\\ud83d\\ude00`; a text that was cut between them lost one.',
  }),
  'not-json': (d: { offset: number; line: number; column: number; found: string; expected: string }) => ({
    message: `The body is not JSON: line ${d.line}, column ${d.column} has ${d.found} where ${d.expected} is expected.`,
  }),
  'too-deep': (d: { limit: number }) => ({
    message: `The body is nested deeper than ${d.limit} levels.`,
    why: 'Every list and every object inside another one counts as a level.',
  }),
  'too-many-items': (d: { limit: number }) => ({
    message: `The lists of the body have more than ${d.limit} items together.`,
    why: 'Many alternatives of one column belong in one filter with a list as its value.',
  }),
  'wrong-type': (d: { expected: string; found: string }) => ({
    message: `Expected ${d.expected} here, not ${d.found}.`,
  }),
  'missing-member': (d: { name: string; near: readonly string[]; hint?: string }) => ({
    message: `The member \`${d.name}\` is missing.`,
    why: [
      ...(d.near.length > 0 ? [`Is ${orList(d.near)} meant to be \`${d.name}\`?`] : []),
      ...(d.hint === undefined ? [] : [d.hint]),
    ],
  }),
  'duplicate-member': (d: { name: string; first: string }) => ({
    message: `\`${d.name}\` is given twice, also as \`${d.first}\`.`,
    why: 'Names of members compare without regard to case; keep one of them.',
  }),
  'unknown-word': (d: { word: string; near: readonly string[]; known: readonly string[] }) => ({
    message: `\`${d.word}\` is not known here.`,
    why: nearNotes(d.near, d.known),
  }),
  'out-of-range': (d: { limit: string }) => ({ message: `This must be ${d.limit}.` }),
  'hidden-character': (d: { position: number; code: string }) => ({
    message: `Character ${d.position} of this name is ${d.code}, which nobody sees.`,
    why: 'Write the name of the user without it: two names that look the same must be one user.',
  }),
  'bad-format': (d: { expected: string; found: string }) => ({
    message: `Expected ${d.expected} here, not ${d.found}.`,
  }),
  'bad-time': (d: { found: string; mayBeRelative: boolean }) => ({
    message: `Expected a time here, not ${d.found}.`,
    why: d.mayBeRelative
      ? 'Times are RFC 3339, for example `2026-01-02T03:04:05.678Z`, UTC without a zone; or `now`, `-1h`, `now-15m`, `now+1d` from the time of the request.'
      : 'Times are RFC 3339, for example `2026-01-02T03:04:05.678Z`; without a zone they are UTC.',
  }),
  'range-reversed': (d: { start: string; end: string; strictly: boolean }) => ({
    message: d.strictly ? `\`${d.end}\` must be after \`${d.start}\`.` : `\`${d.end}\` is before \`${d.start}\`.`,
    why: 'A range goes from its start up to, and without, its end.',
  }),
  'one-of': (d: { names: readonly string[]; what: string }) => ({
    message: `Only one of ${orList(d.names)} may be given.`,
    why: d.what,
  }),
})
