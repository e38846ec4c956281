import { defineDiagnostics } from '../../base/index.ts'

/** Errors of a YAML document with their positions. `kind` of `not-yaml` contains no text of the document. */
export const yamlDiagnostic = defineDiagnostics('yaml', {
  'too-large': (d: { limit: string }) => ({ message: `The document is larger than ${d.limit}. Split it.` }),
  'not-yaml': (d: { kind: string; reason: string }) => ({ message: `This is not YAML: ${d.reason}` }),
  'too-many-aliases': (d: { limit: number }) => ({
    message: `The aliases of the document repeat values more than ${d.limit} times. Write fewer aliases.`,
  }),
  'unknown-anchor': (_: object) => ({ message: 'No anchor before this alias has its name.' }),
  'unknown-member': (d: { name: string; owner: string; known: readonly string[]; near: string | undefined }) => ({
    message: `\`${d.name}\` is not a member of ${d.owner}.${d.near === undefined ? '' : ` Did you mean \`${d.near}\`?`}`,
    why: `The members are ${d.known.map((name) => `\`${name}\``).join(', ')}.`,
  }),
  unsupported: (d: { name: string; advice: string }) => ({
    message: `\`${d.name}\` is not supported. ${d.advice}`,
  }),
  'wrong-value': (d: { name: string; expected: string }) => ({ message: `${d.name} must be ${d.expected}.` }),
  invalid: (d: { message: string }) => ({ message: d.message }),
})
