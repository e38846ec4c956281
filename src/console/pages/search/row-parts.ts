import type { ShownRow } from '../../ask/requests.ts'

/** Fields that may hold the message of a row, in order of preference. */
const MESSAGES = ['content', '_msg', 'message', 'msg', 'note', 'span_name']
const TIMES = ['_time', 'time', 'timestamp']
const LEVELS = ['level', 'severity', 'type', 'status']

/** Fields with a fixed position in the row list. */
export const PLACED = new Set([...TIMES, ...MESSAGES, 'level', 'severity'])

export function textIn(row: ShownRow, name: string): string | undefined {
  return row.find((value) => value.name === name)?.text
}

function firstOf(row: ShownRow, names: readonly string[]): string | undefined {
  for (const name of names) {
    const text = textIn(row, name)
    if (text !== undefined && text !== '') return text
  }
  return undefined
}

export function timeOf(row: ShownRow): string | undefined {
  return firstOf(row, TIMES)
}

export function levelOf(row: ShownRow): string | undefined {
  return firstOf(row, LEVELS)
}

/** Returns the message of a row; if it has none, all its fields. */
export function messageOf(row: ShownRow): string {
  const message = firstOf(row, MESSAGES)
  if (message !== undefined) return message
  return row
    .filter(({ name }) => !PLACED.has(name))
    .map(({ name, text }) => `${name}=${text}`)
    .join(' ')
}

/** Returns the colour class of a level. */
export function levelClass(level: string): string {
  const word = level.toLowerCase()
  if (/^(fatal|crit|critical|alert|emerg|panic|error|err|fail|failed|critical)/.test(word)) return 'error'
  if (word.startsWith('warn')) return 'warn'
  if (/^(info|notice|normal|ok|success)/.test(word)) return 'info'
  return /^(debug|trace|verbose)/.test(word) ? 'debug' : 'other'
}
