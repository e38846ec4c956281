import { defineDiagnostics } from '../base/index.ts'
import type { ResourceKind } from './document-store.ts'

function list(words: readonly string[]): string {
  return words.map((word) => `\`${word}\``).join(', ')
}

/** Errors of monitors, silences, policies and their store. */
export const resourceDiagnostic = defineDiagnostics('resources', {
  'disk-full': (_: Record<never, never>) => ({
    message: 'The disk is full; nothing was changed.',
    why: 'Reading goes on. Free some space and send the change again.',
  }),
  'disk-reserve': (_: Record<never, never>) => ({
    message: 'The disk is full but for its reserve; nothing was changed.',
    why: 'Reading and deleting go on. Free some space, or lower `--disk-reserve`, and send the change again.',
  }),
  quota: (d: { kind: ResourceKind; limit: string; isOfKey: boolean }) => ({
    message: d.isOfKey
      ? `One key may have made at most ${d.limit} of the kind \`${d.kind}\`; nothing was changed.`
      : `There may be at most ${d.limit} of the kind \`${d.kind}\`; nothing was changed.`,
    why: 'Delete some that are needed no longer, or make them smaller, and send the change again.',
  }),
  'write-failed': (d: { reason: string }) => ({ message: 'The change could not be written.', why: d.reason }),
  closed: (_: Record<never, never>) => ({ message: 'The store of resources is closed; nothing was changed.' }),
  'not-found': (d: { what: string }) => ({ message: `There is no such ${d.what} here.` }),
  'title-in-use': (d: { title: string }) => ({
    message: `A monitor with the title \`${d.title}\` already exists; titles are unique.`,
  }),
  'name-in-use': (d: { name: string }) => ({
    message: `A policy with the name \`${d.name}\` already exists; names are unique.`,
  }),
  'stale-revision': (d: { given: number; current: number }) => ({
    message: `The policy is at revision ${d.current}, not at ${d.given}; nothing was changed.`,
    why: 'Someone else has changed it in the meantime. Read it again and apply the change to what it is now.',
  }),
  'read-only': (d: { name: string }) => ({
    message: `The policy \`${d.name}\` comes with the program and cannot be changed.`,
    why: 'It can be applied to users. For another scope or other roles create a policy of your own.',
  }),
  'too-large': (d: { limit: string }) => ({ message: `The definition is too large: more than ${d.limit}.` }),
  'not-yaml': (d: { line: number; column: number; reason: string }) => ({
    message: `The body is not YAML: line ${d.line}, column ${d.column}: ${d.reason}`,
  }),
  'yaml-feature': (d: { what: string }) => ({
    message: `A monitor is plain YAML, without ${d.what}.`,
    why: 'Texts, numbers, booleans, lists and maps say everything a monitor can hold.',
  }),
  'bad-duration': (d: { text: string; least: string }) => ({
    message: `\`${d.text}\` is not a valid duration here.`,
    why: `Write a duration ${d.least}, such as \`30s\`, \`5m\`, \`1h30m\` or \`10 minutes\`.`,
  }),
  'threshold-values': (d: { operator: string; wanted: string }) => ({
    message: `The operator \`${d.operator}\` takes ${d.wanted}.`,
  }),
  'resolve-threshold': (d: { operator: string; wanted: string }) => ({
    message: `A threshold with \`${d.operator}\` cannot resolve like this: ${d.wanted}.`,
    why: 'A monitor must not fire and resolve on one value.',
  }),
  'math-expression': (_: Record<never, never>) => ({ message: 'A reducer of the type `math` needs an `expression`.' }),
  'unknown-input': (d: { name: string; near: readonly string[] }) => ({
    message: `No query or reducer of this monitor is named \`${d.name}\`.`,
    why: d.near.length === 0 ? [] : [`Did you mean ${list(d.near)}?`],
  }),
  'duplicate-input': (d: { name: string }) => ({
    message: `Two queries or reducers are named \`${d.name}\`.`,
    why: 'Thresholds and reducers find their input by its name.',
  }),
  'bad-pattern': (d: { pattern: string; reason: string }) => ({
    message: `\`${d.pattern}\` is not a regular expression: ${d.reason}`,
    why: 'Patterns of silences are RE2 and match the whole value.',
  }),
  'not-author': (d: { members: readonly string[] }) => ({
    message: `This key sees only part of the data and cannot change ${list(d.members)} of this monitor, which reads with the rights of its author.`,
    why: 'Change its `model` as well: then it reads with the rights of this key.',
  }),
  'silences-everything': (_: Record<never, never>) => ({
    message: 'All matchers hold for the empty string, so the silence would hold for every alert without these labels.',
    why: 'Add a matcher that only the wanted alerts pass.',
  }),
  'ends-before-start': (_: Record<never, never>) => ({
    message: '`endsAt` must be after `startsAt`.',
    why: 'Members that the body leaves out stay as they are, and count here as well.',
  }),
})

/** Kind of failure; the HTTP server maps it to a status. */
export type ResourceFailure =
  | 'bad-input'
  | 'not-found'
  | 'conflict'
  | 'forbidden'
  | 'does-not-compile'
  | 'no-space'
  | 'unavailable'
