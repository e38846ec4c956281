import type { JsonValue } from '../../../base/index.ts'
import type { FunctionNames, JsonLowering } from '../context.ts'

/** Where a text cannot say what a body says. */
export interface TextNotes {
  /** `what` completes "The text language has no form for …". */
  fail(what: string): void
  /** Whether a value stands for that of a parameter, which may be any. */
  isOpen(value: JsonValue | undefined): boolean
}

/** Where a pipeline stands in the text. */
export interface TextPlace {
  /** As its own `timeOffset` and those around it add up. */
  readonly shiftNs: bigint
  /** What a query here inherits from the query around it. */
  readonly inheritedNs: bigint
  readonly domain: string | undefined
}

export interface TextContext extends TextNotes {
  readonly functions: FunctionNames
  /** Diagnostics of what the body itself has wrong. */
  readonly lowering: JsonLowering
  /** A name that no column has. */
  fresh(): string
}

const NAMED: Readonly<Record<string, string>> = { '"': '\\"', '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** In double quotes; control characters as escapes. */
export function quoted(text: string): string {
  let out = '"'
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0
    out += NAMED[char] ?? (code < 32 || code === 127 ? `\\x${code.toString(16).padStart(2, '0')}` : char)
  }
  return `${out}"`
}

/** A name of a column: as it is when nobody could read it as anything else. */
export function name(text: string): string {
  return /^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$/.test(text) && !RESERVED.has(text.toLowerCase()) ? text : quoted(text)
}

const RESERVED = new Set(['and', 'or', 'not', 'in', 'by', 'as', 'if', 'from', 'asc', 'desc', 'inf', 'nan', 'limit'])

export function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null)
}

/** The text for itself in RE2 syntax. */
export function escapeRegexp(text: string): string {
  return text.replaceAll(/[\\.+*?()|[\]{}^$]/g, String.raw`\$&`)
}
