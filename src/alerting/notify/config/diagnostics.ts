import { defineDiagnostics } from '../../../base/index.ts'

interface Place {
  readonly line: number
  readonly column: number
}

const where = ({ line, column }: Place): string => `line ${line}, column ${column}`
const list = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ')

/**
 * Errors of the configuration of receivers. The position is part of the message and there is no marked span: a line of
 * this file may hold a secret, so no error shows its text.
 */
export const configDiagnostic = defineDiagnostics('notify-config', {
  'too-large': (d: { limit: string }) => ({ message: `The configuration is larger than ${d.limit}.` }),
  'not-yaml': (d: Place & { reason: string }) => ({
    message: `The configuration is not YAML: ${where(d)}: ${d.reason}.`,
  }),
  'unknown-member': (d: Place & { name: string; near: readonly string[]; known: readonly string[] }) => ({
    message: `\`${d.name}\` (${where(d)}) is not a member here.${d.near.length === 0 ? '' : ` Did you mean ${list(d.near)}?`}`,
    why: `The members are ${list(d.known)}.`,
  }),
  unsupported: (d: Place & { name: string; instead: string }) => ({
    message: `\`${d.name}\` (${where(d)}) is not supported.`,
    why: d.instead,
  }),
  'missing-member': (d: Place & { name: string; owner: string }) => ({
    message: `${d.owner} (${where(d)}) needs the member \`${d.name}\`.`,
  }),
  'wrong-value': (d: Place & { name: string; expected: string }) => ({
    message: `\`${d.name}\` (${where(d)}) must be ${d.expected}.`,
  }),
  'several-members': (d: Place & { names: readonly string[] }) => ({
    message: `Only one of ${list(d.names)} (${where(d)}) may be given.`,
  }),
  'unreadable-secret': (d: Place & { name: string }) => ({
    message: `The secret that \`${d.name}\` (${where(d)}) names cannot be read.`,
    why: 'The file must exist and be readable, and the environment variable must be set.',
  }),
  'unknown-receiver': (d: Place & { name: string; near: readonly string[] }) => ({
    message: `No receiver is named \`${d.name}\` (${where(d)}).${d.near.length === 0 ? '' : ` Did you mean ${list(d.near)}?`}`,
  }),
  'duplicate-receiver': (d: Place & { name: string }) => ({
    message: `Two receivers are named \`${d.name}\` (${where(d)}).`,
  }),
  'bad-address': (d: { entry: string }) => ({
    message: `\`${d.entry}\` in \`allow_addresses\` is no host name, address or CIDR range.`,
    why: 'Write `hook.internal`, `10.1.2.3`, `10.0.0.0/8` or `fd00::/8`.',
  }),
  'bad-matcher': (d: Place & { reason: string }) => ({ message: `A matcher is wrong (${where(d)}): ${d.reason}` }),
})
