import { defineDiagnostics } from '../../base/index.ts'

/** Errors of label matchers: in silences, routes, inhibition rules and filters. */
export const matcherDiagnostic = defineDiagnostics('matchers', {
  'bad-matcher': (d: { text: string; expected: string; column: number }) => ({
    message: `bad matcher format: ${d.text}`,
    why: `At column ${d.column} ${d.expected} is expected. A matcher reads \`name="value"\`, with \`=\`, \`!=\`, \`=~\` or \`!~\`.`,
  }),
  'bad-pattern': (d: { pattern: string; reason: string }) => ({
    message: `\`${d.pattern}\` is not a regular expression: ${d.reason}.`,
    why: 'Patterns are RE2 and match the whole value of the label.',
  }),
  'bad-name': (_: Record<never, never>) => ({
    message: 'The name of the label is empty.',
    why: 'A matcher tests one label. Name it.',
  }),
  'bad-shape': (d: { expected: string }) => ({ message: `A matcher needs ${d.expected}.` }),
  'matches-everything': (_: Record<never, never>) => ({
    message: 'at least one matcher must not match the empty string',
    why: 'The silence would hold for every alert without these labels. Add a matcher that only the wanted alerts pass.',
  }),
})
