import type { Terminal } from '../terminal.ts'

/** Part of the output that has a colour of its own. */
export type StyledPart = 'heading' | 'dim' | 'time' | 'key' | Severity
type Severity = 'fatal' | 'error' | 'warn' | 'info' | 'debug'

/** Colours a text that is already printable. */
export type Paint = (part: StyledPart, text: string) => string

/** Parameters of the ECMA-48 control sequence "Select Graphic Rendition". */
const CODES: { readonly [P in StyledPart]: string } = {
  heading: '1',
  dim: '2',
  time: '36',
  key: '34',
  fatal: '1;35',
  error: '1;31',
  warn: '33',
  info: '32',
  debug: '2',
}

const LEVELS: ReadonlyMap<string, Severity> = new Map<string, Severity>([
  ...['fatal', 'panic', 'emergency', 'emerg', 'alert', 'critical', 'crit'].map((name) => [name, 'fatal'] as const),
  ...['error', 'err', 'severe'].map((name) => [name, 'error'] as const),
  ...['warn', 'warning'].map((name) => [name, 'warn'] as const),
  ...['info', 'information', 'notice'].map((name) => [name, 'info'] as const),
  ...['debug', 'trace', 'verbose'].map((name) => [name, 'debug'] as const),
])

/** Returns the severity of a level name; `undefined` for unknown names. */
export function severityOf(level: string): Severity | undefined {
  return LEVELS.get(level.toLowerCase())
}

/** Returns texts unchanged, without colours. */
export const plain: Paint = (_part, text) => text

const colored: Paint = (part, text) => `\u001b[${CODES[part]}m${text}\u001b[0m`

export const colorWords = ['auto', 'always', 'never'] as const
export type ColorWord = (typeof colorWords)[number]

/**
 * Returns the colours for standard output: decided by `--color`, else by NO_COLOR and FORCE_COLOR, else by whether the
 * terminal supports them.
 */
export function paintFor({ env, isOutputTty }: Pick<Terminal, 'env' | 'isOutputTty'>, option: string = 'auto'): Paint {
  if (option === 'always') return colored
  if (option === 'never') return plain
  if ((env['NO_COLOR'] ?? '') !== '') return plain
  const forced = env['FORCE_COLOR'] ?? ''
  if (forced !== '') return forced === '0' ? plain : colored
  return isOutputTty && env['TERM'] !== 'dumb' ? colored : plain
}
