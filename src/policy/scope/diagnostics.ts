import { defineDiagnostics } from '../../base/index.ts'

function list(words: readonly string[]): string {
  return words.map((word) => `\`${word}\``).join(', ')
}

/** Errors of data scopes that cannot be enforced. */
export const policyDiagnostic = defineDiagnostics('policy', {
  'scope-member': (d: { name: string; near: readonly string[] }) => ({
    message: `A data scope has no member \`${d.name}\` here.`,
    why: [
      ...(d.near.length === 0 ? [] : [`Did you mean ${list(d.near)}?`]),
      'What a scope does not understand it could not enforce.',
    ],
  }),
  'scope-twice': (d: { name: string }) => ({
    message: `\`${d.name}\` stands twice here.`,
    why: 'Only one of them could be enforced.',
  }),
  'scope-word': (d: { what: string; word: string; known: readonly string[] }) => ({
    message: `There is no ${d.what} \`${d.word}\` in a data scope.`,
    why: `Known are ${list(d.known)}.`,
  }),
  'scope-condition': (d: { reason: string }) => ({ message: `This condition cannot restrict anything: ${d.reason}.` }),
  'scope-size': (d: { count: number; limit: number }) => ({
    message: `A data scope has at most ${d.limit} characters of patterns; this one has ${d.count}.`,
    why: 'Let the data carry a field that says who may see it, and test that.',
  }),
  'scope-disabled': (_: Record<never, never>) => ({
    message: '`disabled` stands only at the top of a kind of data in a data scope.',
    why: 'There it means no access to the kind. Further in it would say nothing certain.',
  }),
})
